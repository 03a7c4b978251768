import type { DecisionPolicy } from '../../model/decision_config.ts';
import { AREA } from '../../model/rows/layouts.ts';
import type { TrackFacts } from '../rules/facts.ts';
import type { ProtectedArea } from '../site/site.ts';
import type { TrackZones } from '../site/track_zones.ts';
import type { AreaPoints } from '../threat/area_points.ts';
import { AreaRelation, heightGapOf, type Situation } from '../threat/situation.ts';
import { Areas } from '../tracking/areas.ts';
import { SCORED, ScoredAreas } from './scored_areas.ts';
import type { Watched } from './watched.ts';

// These are copies of imported constants. V8 folds constants of the same module into the code, but looks up imported
// ones at every use.
const {
  width: WIDTH,
  thing: THING,
  distanceM: DISTANCE_M,
  closingMps: CLOSING_MPS,
  passM: PASS_M,
  passInS: PASS_IN_S,
  volumeInS: VOLUME_IN_S,
  volumeInSigmaS: VOLUME_IN_SIGMA_S,
} = AREA;

const {
  width: SCORED_WIDTH,
  groundAltHaeM: GROUND_ALT_HAE_M,
  floorM: FLOOR_M,
  ceilingM: CEILING_M,
  aboveGround: ABOVE_GROUND,
  overGroundM: OVER_GROUND_M,
} = SCORED;
const MOST = Areas.mostMeasured;
const noRows = new Float64Array(0);

/** Measured rows of one track: `measured` rows in `rows`, beginning at index `from`. */
export type Measured = { rows: Float64Array; from: number; measured: number };

/**
 * Values of a relation that the measured rows do not contain: dwell times, and the pilot's distances by area index, m.
 */
export type Unmeasured = {
  zones: Pick<TrackZones, 'dwellS'> | undefined;
  pilot: ReadonlyMap<number, number>;
  nowMs: number;
};

/** Relations of one track to the scored areas. Memory is reused, so results are valid only until the next `take`. */
export class AreaRelations {
  readonly #points: AreaPoints;
  readonly #filled: readonly AreaRelation[] = Array.from({ length: MOST }, () => new AreaRelation());
  /** For each row of `#columns`: the index of the area in the site, and the index at which its measured row begins. */
  readonly #placeOf = new Int32Array(MOST);
  readonly #rowOf = new Int32Array(MOST);
  #scored = new ScoredAreas([]);
  #columns: ReturnType<AreaPoints['columns']>;
  #rows: Float64Array = noRows;
  #watched: Watched | null = null;
  #unmeasured: Unmeasured = { zones: undefined, pilot: new Map(), nowMs: 0 };

  constructor(points: AreaPoints) {
    this.#points = points;
    this.#columns = points.columns(0);
  }

  /**
   * Takes the measured rows of a track. Sets `watched.groundAltHaeM`, the height of the ground under the track, to that
   * of an area with a score: one that contains the track, else the nearest. Without such an area, the height stays.
   */
  take(
    protectedAreas: readonly ProtectedArea[],
    { rows, from, measured }: Measured,
    watched: Watched,
    unmeasured: Unmeasured,
  ): void {
    if (protectedAreas !== this.#scored.list) this.#scored = new ScoredAreas(protectedAreas);
    const { importances, numbers } = this.#scored;
    const columns = this.#points.columns(MOST);
    const { importance, distanceM, closingMps, cpaDistanceM, operatorDistanceM } = columns;
    const placeOf = this.#placeOf;
    const rowOf = this.#rowOf;
    const { pilot } = unmeasured;
    const knowsPilot = pilot.size > 0;
    let count = 0;
    // Indices are converted to integers, because V8 is many times slower with indices that may be fractions.
    const first = from | 0;
    const end = first + (measured | 0) * WIDTH;
    for (let row = first; row < end && count < MOST; row += WIDTH) {
      const place = (rows[row + THING] ?? -1) | 0;
      const counts = importances[place] ?? 0;
      if (counts === 0) continue;
      placeOf[count] = place;
      rowOf[count] = row;
      importance[count] = counts;
      distanceM[count] = rows[row + DISTANCE_M] ?? Number.NaN;
      closingMps[count] = rows[row + CLOSING_MPS] ?? Number.NaN;
      cpaDistanceM[count] = rows[row + PASS_M] ?? Number.NaN;
      if (knowsPilot) operatorDistanceM[count] = pilot.get(place) ?? Number.NaN;
      count++;
    }
    columns.count = count;
    columns.knowsPilot = knowsPilot;
    if (count > 0) watched.groundAltHaeM = numbers[(placeOf[0] ?? 0) * SCORED_WIDTH + GROUND_ALT_HAE_M] ?? Number.NaN;
    this.#columns = columns;
    this.#rows = rows;
    this.#watched = watched;
    this.#unmeasured = unmeasured;
  }

  /**
   * Returns the row of the area that decides the score; `AreaPoints` then holds its exact points. Returns −1 if there
   * is no area. Computes exact points only for areas whose upper bound is at least as high as the highest exact points
   * so far. Leaves out those that `#isLessDeep` excludes.
   */
  choose(situation: Situation, policy: DecisionPolicy): number {
    const { count } = this.#columns;
    if (count === 0) return -1;
    const points = this.#points;
    const likeliest = points.bound(situation, policy);
    this.#settle(likeliest, situation, policy);
    let chosen = likeliest;
    for (let i = 0; i < count; i++) {
      if (i === likeliest || points.of(i) < points.of(chosen) || this.#isLessDeep(i, chosen, policy)) continue;
      this.#settle(i, situation, policy);
      if (points.isBefore(i, this.#idOf(i), chosen, this.#idOf(chosen))) chosen = i;
    }
    return chosen;
  }

  /** Returns the relations to all measured areas with a score. */
  all(policy: DecisionPolicy): readonly AreaRelation[] {
    const { count } = this.#columns;
    for (let i = 0; i < count; i++) {
      this.#complete(i, policy);
      this.at(i);
    }
    return this.#filled.slice(0, count);
  }

  /**
   * Returns the relation of row `i`; its height gap and dwell time must have been computed, for example by `choose`.
   */
  at(i: number): AreaRelation {
    const rows = this.#rows;
    const columns = this.#columns;
    const row = this.#rowOf[i] ?? 0;
    const place = this.#placeOf[i] ?? 0;
    const { ids, names, kinds, zoneKinds } = this.#scored;
    const relation = this.#filled[i] ?? new AreaRelation();
    const volumeInS = rows[row + VOLUME_IN_S] ?? Number.NaN;
    relation.id = ids[place] ?? '';
    relation.kind = kinds[place] ?? 'zone';
    relation.zoneKind = zoneKinds[place] ?? null;
    relation.name = names[place] ?? '';
    relation.importance = columns.importance[i] ?? 0;
    relation.distanceM = columns.distanceM[i] ?? Number.NaN;
    relation.closingMps = columns.closingMps[i] ?? Number.NaN;
    relation.cpaDistanceM = columns.cpaDistanceM[i] ?? Number.NaN;
    relation.operatorDistanceM = columns.knowsPilot ? (columns.operatorDistanceM[i] ?? Number.NaN) : Number.NaN;
    relation.cpaInS = rows[row + PASS_IN_S] ?? Number.NaN;
    relation.etaS = Number.isNaN(volumeInS) ? Number.POSITIVE_INFINITY : volumeInS;
    relation.etaSigmaS = rows[row + VOLUME_IN_SIGMA_S] ?? Number.NaN;
    return relation;
  }

  /** Updates the nearest area in the track's facts. */
  noteNearest(facts: TrackFacts): void {
    const { count, distanceM, closingMps } = this.#columns;
    if (count === 0) {
      facts.nearest = null;
      return;
    }
    let nearest = 0;
    let nearestM = distanceM[0] ?? Number.NaN;
    // Rows are sorted by distance. Areas that contain the track are an exception: they come first, sorted by their
    // index.
    for (let i = 1; i < count && !((distanceM[i - 1] ?? 0) > 0); i++) {
      const apartM = distanceM[i] ?? Number.NaN;
      if (!(apartM < nearestM)) continue;
      nearest = i;
      nearestM = apartM;
    }
    const { ids, names, zoneKinds } = this.#scored;
    const place = this.#placeOf[nearest] ?? 0;
    const into = facts.nearest ?? { id: '', name: '', zoneKind: null, distanceM: Number.NaN, closingMps: Number.NaN };
    facts.nearest = into;
    into.id = ids[place] ?? '';
    into.name = names[place] ?? '';
    into.zoneKind = zoneKinds[place] ?? null;
    into.distanceM = nearestM;
    into.closingMps = closingMps[nearest] ?? Number.NaN;
  }

  /** Returns the row of the nearest protected area; −1 if none was measured. */
  nearestProtected(): number {
    const { count, distanceM } = this.#columns;
    const { isProtected } = this.#scored;
    let nearest = -1;
    for (let i = 0; i < count; i++) {
      if (isProtected[this.#placeOf[i] ?? 0] !== 1) continue;
      if (nearest < 0 || (distanceM[i] ?? Number.NaN) < (distanceM[nearest] ?? Number.NaN)) nearest = i;
    }
    return nearest;
  }

  #settle(i: number, situation: Situation, policy: DecisionPolicy): void {
    const { heightGapM, dwellS } = this.#complete(i, policy);
    this.#points.settle(i, heightGapM, dwellS, situation, policy);
  }

  /** Computes height gap and dwell time of row `i`, the two costly values of a relation. */
  #complete(i: number, { curves }: DecisionPolicy): AreaRelation {
    const standing = this.#filled[i] ?? new AreaRelation();
    standing.heightGapM = this.#heightGapM(i, curves.open_ceiling_m);
    standing.dwellS = this.#dwellS(i);
    return standing;
  }

  #idOf(i: number): string {
    return this.#scored.ids[this.#placeOf[i] ?? 0] ?? '';
  }

  #dwellS(i: number): number {
    const { zones, nowMs } = this.#unmeasured;
    const protectedArea = this.#scored.list[this.#placeOf[i] ?? 0];
    return protectedArea !== undefined && zones !== undefined ? zones.dwellS(protectedArea, nowMs) : 0;
  }

  /**
   * Whether area `i` cannot decide the score, because area `than`, whose points are known, scores at least as much.
   * True only if both contain the track, and have equal importance, heights and distance from the pilot. The track must
   * be less deep in `i`, and its dwell time there must not add points. If many zones overlap, this spares most
   * computation.
   */
  #isLessDeep(i: number, than: number, { curves }: DecisionPolicy): boolean {
    const { distanceM, operatorDistanceM, knowsPilot } = this.#columns;
    const apartM = distanceM[i] ?? Number.NaN;
    if (!(apartM <= 0 && (distanceM[than] ?? Number.NaN) < apartM)) return false;
    const { sorts } = this.#scored;
    if (sorts[this.#placeOf[i] ?? 0] !== sorts[this.#placeOf[than] ?? 0]) return false;
    if (knowsPilot && !Object.is(operatorDistanceM[i], operatorDistanceM[than])) return false;
    const stayedS = this.#filled[than]?.dwellS ?? 0;
    return stayedS >= curves.dwell_full_s || this.#dwellS(i) <= stayedS;
  }

  /**
   * Height of the track above the ceiling (positive) or below the floor (negative) of area `i`, m; NaN if the height is
   * unknown.
   */
  #heightGapM(i: number, openCeilingM: number): number {
    const { numbers } = this.#scored;
    const at = (this.#placeOf[i] ?? 0) * SCORED_WIDTH;
    const { altHaeM, reportedHeightM } = this.#watched ?? { altHaeM: Number.NaN, reportedHeightM: Number.NaN };
    const floorM = numbers[at + FLOOR_M] ?? Number.NaN;
    const ceilingM = numbers[at + CEILING_M] ?? Number.NaN;
    const heightM = Number.isNaN(reportedHeightM)
      ? altHaeM - (numbers[at + GROUND_ALT_HAE_M] ?? Number.NaN)
      : reportedHeightM;
    if (numbers[at + ABOVE_GROUND] === 1) return heightGapOf(heightM, floorM, ceilingM, heightM, openCeilingM);
    // An area with absolute heights needs an altitude. If it is unknown, the height above ground plus the zone's ground
    // height replaces it, as in `heightGap` of site/height.ts.
    const overGroundM = numbers[at + OVER_GROUND_M] ?? Number.NaN;
    const altitudeM = Number.isNaN(altHaeM) ? heightM + overGroundM : altHaeM;
    return heightGapOf(altitudeM, floorM, ceilingM, heightM, openCeilingM);
  }
}
