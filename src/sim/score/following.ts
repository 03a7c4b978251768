import { assign, type Pair } from './assignment.ts';
import { median } from './median.ts';
import { GATE_M } from './near_pairs.ts';

/** History of one object over the evaluations. */
type Followed = { firstS: number; followedS: number | null; track: string | null };

/** Tracks that follow objects, from one evaluation to the next. */
export class Following {
  readonly #things = new Map<string, Followed>();
  switches = 0;

  /** Track that follows each object now, −1 for none: the previous one while near enough, else by the best assignment. */
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
