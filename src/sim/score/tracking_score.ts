import { assign, type Pair } from './assignment.ts';
import { median } from './median.ts';
import { apart, GATE_M, nearPairs, type Spots } from './near_pairs.ts';

/** Real objects or published tracks at one moment: ids and positions. */
export type Sky = { ids: readonly string[]; spots: Spots };

export type Evaluation = {
  /**
   * For each required object, the column (index in the list of tracks) of the track that follows it; −1 for none. An
   * object keeps its previous track while that track is within the gate.
   */
  trackOf: Int32Array;
  /** For each object that need not be followed, the column of the track that is assigned to it; −1 for none. */
  trackOfOther: Int32Array;
  /** Columns of the tracks that follow no object. */
  free: ReadonlySet<number>;
};

/**
 * Scores how well tracks follow real objects. The metrics over all evaluations are:
 *
 * - GOSPA (Rahmathullah, García-Fernández, Svensson 2017) with c = 100 m, p = 2, alpha = 2, m: the root of the sum of
 *   squared distances between assigned objects and tracks, in the best assignment. Each missed object and each false
 *   track adds c²/2 to the sum. The metric is the mean over all evaluations.
 * - OSPA (Schuhmacher, Vo, Vo 2008) with c = 100 m, p = 2, m: as GOSPA, but each surplus object or track adds c². The
 *   sum is divided by the number of objects or that of tracks, whichever is greater. The metric is the mean over all
 *   evaluations.
 * - Completeness (SIAP, Votruba 2001), 0 to 1: share of objects with a track, over all evaluations. A track that
 *   follows no object counts for its nearest object.
 * - Switches of identity (CLEAR MOT, Bernardin and Stiefelhagen 2008): number of times that an object gets a track
 *   other than its previous one. A track keeps following its object as long as it is within 100 m.
 * - Time to first detection, s: median time from an object's first appearance to its first track. Objects that never
 *   had a track are left out.
 * - Position error, m: root mean square distance of objects from the tracks that follow them.
 *
 * Objects that need not be followed (hidden, on the ground, birds) do not count as missed. A track that follows such an
 * object is not false. A track without an object is not false either if its verdict is `suspect`.
 */
export class TrackingScore {
  readonly #following = new Following();
  #evaluations = 0;
  #gospa = 0;
  #ospa = 0;
  #missed = 0;
  #falseNow = 0;
  #things = 0;
  #complete = 0;
  #square = 0;
  #placed = 0;

  /**
   * Adds one evaluation. `things` are the objects that must be followed, `others` those that need not be followed.
   * `fakes` marks the tracks with the verdict `suspect`.
   */
  evaluate(things: Sky, tracks: Sky, others: Sky, fakes: readonly boolean[], atS: number): Evaluation {
    const near = nearPairs(things.spots, tracks.spots);
    const best = assign({ rows: near, columns: tracks.ids.length }, GATE_M ** 2);
    const unmatched = leftOver(best, tracks.ids.length);
    const nearOthers = nearPairs(others.spots, tracks.spots);
    const otherBest = assignAmong(nearOthers, unmatched, tracks.ids.length);
    for (const column of otherBest) unmatched.delete(column);
    const blamed = [...unmatched].filter((column) => !fakes[column]);
    this.#count(near, best, things.ids.length, blamed.length);

    const trackOf = this.#following.follow(things.ids, tracks.ids, near, atS);
    const free = leftOver(trackOf, tracks.ids.length);
    const trackOfOther = assignAmong(nearOthers, free, tracks.ids.length);
    for (const column of trackOfOther) free.delete(column);
    this.#place(things.spots, tracks.spots, trackOf);
    this.#complete += covered(near, trackOf, free);
    return { trackOf, trackOfOther, free };
  }

  metrics() {
    const mean = (sum: number, count: number): number | null => (count === 0 ? null : sum / count);
    const squareM2 = mean(this.#square, this.#placed);
    return {
      gospa_m: mean(this.#gospa, this.#evaluations),
      ospa_m: mean(this.#ospa, this.#evaluations),
      completeness: mean(this.#complete, this.#things),
      id_switches: this.#following.switches,
      first_detect_s: this.#following.firstDetectS,
      position_rmse_m: squareM2 === null ? null : Math.sqrt(squareM2),
    };
  }

  /** Mean number of missed objects per evaluation. `falseALook` is the mean number of false tracks per evaluation. */
  get missedALook(): number {
    return this.#evaluations === 0 ? 0 : this.#missed / this.#evaluations;
  }

  get falseALook(): number {
    return this.#evaluations === 0 ? 0 : this.#falseNow / this.#evaluations;
  }

  #count(near: readonly (readonly Pair[])[], best: Int32Array, things: number, blamed: number): void {
    let [square, matched] = [0, 0];
    for (const [row, column] of best.entries()) {
      if (column < 0) continue;
      matched++;
      square += near[row]?.find((pair) => pair.column === column)?.cost ?? 0;
    }
    const c2 = GATE_M ** 2;
    const missed = things - matched;
    const greater = Math.max(things, matched + blamed);
    this.#evaluations++;
    this.#things += things;
    this.#missed += missed;
    this.#falseNow += blamed;
    this.#gospa += Math.sqrt(square + (c2 / 2) * (missed + blamed));
    this.#ospa += greater === 0 ? 0 : Math.sqrt((square + c2 * (greater - matched)) / greater);
  }

  #place(things: Spots, tracks: Spots, trackOf: Int32Array): void {
    for (const [row, column] of trackOf.entries()) {
      if (column < 0) continue;
      this.#square += apart(things, row, tracks, column) ** 2;
      this.#placed++;
    }
  }
}

/** Returns the columns that are assigned to no row. */
function leftOver(columnOf: Int32Array, columns: number): Set<number> {
  const left = new Set<number>();
  for (let column = 0; column < columns; column++) left.add(column);
  for (const column of columnOf) left.delete(column);
  return left;
}

/** Returns the best assignment in which only the `allowed` columns are used. */
export function assignAmong(
  near: readonly (readonly Pair[])[],
  allowed: ReadonlySet<number>,
  columns: number,
): Int32Array {
  const rows = near.map((row) => row.filter(({ column }) => allowed.has(column)));
  return assign({ rows, columns }, GATE_M ** 2);
}

/** Returns the number of objects with a track. A track that follows no object counts for its nearest object. */
function covered(near: readonly (readonly Pair[])[], trackOf: Int32Array, free: ReadonlySet<number>): number {
  const nearest = new Map<number, { row: number; cost: number }>();
  for (const [row, pairs] of near.entries()) {
    for (const { column, cost } of pairs) {
      if (free.has(column) && cost < (nearest.get(column)?.cost ?? Number.POSITIVE_INFINITY))
        nearest.set(column, { row, cost });
    }
  }
  const rows = new Set<number>(Array.from(nearest.values(), ({ row }) => row));
  for (const [row, column] of trackOf.entries()) if (column >= 0) rows.add(row);
  return rows.size;
}

/** History of one object: time of its first evaluation, time of its first track, and its last track. */
type Followed = { firstS: number; followedS: number | null; track: string | null };

/** Assigns tracks to objects, and keeps the assignment from one evaluation to the next. */
class Following {
  readonly #things = new Map<string, Followed>();
  switches = 0;

  /**
   * Returns the column of the track that follows each object now; −1 for none. An object keeps its previous track while
   * that track is within the gate. The remaining tracks are assigned to the remaining objects at the lowest cost.
   */
  follow(things: readonly string[], tracks: readonly string[], near: readonly (readonly Pair[])[], atS: number) {
    const columnOf = new Map(tracks.map((id, column) => [id, column]));
    const kept = new Int32Array(things.length).fill(-1);
    const taken = new Set<number>();
    for (const [row, id] of things.entries()) {
      const column = columnOf.get(this.#things.get(id)?.track ?? '');
      if (column === undefined || taken.has(column) || !near[row]?.some((pair) => pair.column === column)) continue;
      kept[row] = column;
      taken.add(column);
    }
    const rest = near.map((row, i) => (kept[i] === -1 ? row.filter(({ column }) => !taken.has(column)) : []));
    const others = assign({ rows: rest, columns: tracks.length }, GATE_M ** 2);
    const found = kept.map((column, row) => (column === -1 ? (others[row] ?? -1) : column));
    for (const [row, id] of things.entries()) this.#note(id, tracks[found[row] ?? -1] ?? null, atS);
    return found;
  }

  get firstDetectS(): number | null {
    const waits: number[] = [];
    for (const { firstS, followedS } of this.#things.values()) if (followedS !== null) waits.push(followedS - firstS);
    return median(waits);
  }

  #note(id: string, track: string | null, atS: number): void {
    const known = this.#things.get(id);
    const thing = known ?? { firstS: atS, followedS: null, track: null };
    if (!known) this.#things.set(id, thing);
    if (track === null) return;
    if (thing.track !== null && thing.track !== track) this.switches++;
    thing.track = track;
    thing.followedS ??= atS;
  }
}
