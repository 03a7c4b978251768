import { AREA } from '../../model/area_row.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { Areas } from '../areas.ts';
import type { SiteThing } from '../site/site.ts';
import type { TrackZones } from '../site/track_zones.ts';
import { Approached, tellMost } from '../threat/most_points.ts';
import type { Choice } from '../threat/score.ts';
import { blankStanding, heightGapOf, type Situation, type Standing } from '../threat/situation.ts';
import { SCORED, scoredThings } from './scored_things.ts';
import type { Watched } from './watched.ts';

// What is imported is looked up wherever it is named; what is a constant of this file is not.
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

/** Rows of one track: those of the things that are measured begin at `from`. */
export type Measured = { rows: Float64Array; from: number; measured: number };

/** What of a standing the areas do not tell. */
export type Stay = { zones: Pick<TrackZones, 'dwellS'> | undefined; pilot: ReadonlyMap<number, number>; nowMs: number };

/** Filled anew for each track: thousands a step would leave nothing but garbage. */
const filled: readonly Standing[] = Array.from({ length: MOST }, blankStanding);
const thingOf = new Int32Array(MOST);
const rowOf = new Int32Array(MOST);
const approached = new Approached(MOST);
const firstOf: readonly (readonly Standing[])[] = Array.from({ length: MOST + 1 }, (_, count) =>
  filled.slice(0, count),
);

/** How a track stands to the things that are scored: good until it is asked of another. */
export function standingsOf(
  things: readonly SiteThing[],
  measured: Measured,
  watched: Watched,
  stay: Stay,
  policy: DecisionPolicy,
): readonly Standing[] {
  approach(things, measured, watched, stay);
  const { count } = approached;
  for (let i = 0; i < count; i++) complete(i, things, measured.rows, watched, stay, policy);
  return firstOf[count] ?? filled;
}

/**
 * Chooses the one that its score is about, of those that it was brought near to: only those are looked at closely of which it is
 * not plain that they count less than one that was. The standing is good until it is asked of another, or for all of the same.
 */
export function choose(
  choice: Choice,
  things: readonly SiteThing[],
  rows: Float64Array,
  watched: Watched,
  stay: Stay,
  situation: Situation,
  policy: DecisionPolicy,
): void {
  const { count, most } = approached;
  choice.begin();
  if (count === 0) return;
  const likeliest = tellMost(approached, situation, policy);
  choice.weigh(complete(likeliest, things, rows, watched, stay, policy), situation, policy);
  let chosen = likeliest;
  for (let i = 0; i < count; i++) {
    if (i === likeliest || (most[i] ?? 0) < choice.points || isLessDeep(i, chosen, things, stay, policy)) continue;
    const standing = complete(i, things, rows, watched, stay, policy);
    choice.weigh(standing, situation, policy);
    if (choice.standing === standing) chosen = i;
  }
}

/**
 * Whether a track is over both, they count the same, and it is less deep in the first, and not there for longer: it is then not
 * about that one. Said without looking closely, since what flies over one of many zones flies over several.
 */
function isLessDeep(
  i: number,
  than: number,
  things: readonly SiteThing[],
  { zones, nowMs }: Stay,
  { curves }: DecisionPolicy,
): boolean {
  const { distanceM, operatorDistanceM, knowsPilot } = approached;
  const apartM = distanceM[i] ?? Number.NaN;
  if (!(apartM <= 0 && (distanceM[than] ?? Number.NaN) < apartM)) return false;
  const { list, sorts } = scoredThings(things);
  const index = thingOf[i] ?? 0;
  if (sorts[index] !== sorts[thingOf[than] ?? 0]) return false;
  if (knowsPilot && !Object.is(operatorDistanceM[i], operatorDistanceM[than])) return false;
  const stayedS = filled[than]?.dwellS ?? 0;
  const thing = list[index];
  return stayedS >= curves.dwell_full_s || !zones || !thing || zones.dwellS(thing, nowMs) <= stayedS;
}

/** Notes the nearest of those that were approached last. */
export function noteNearest(things: readonly SiteThing[], { facts }: Watched): void {
  const { count, distanceM } = approached;
  if (count === 0) {
    facts.nearest = null;
    return;
  }
  let nearest = 0;
  let nearestM = distanceM[0] ?? Number.NaN;
  // They come nearest first, but for those that it is inside of.
  for (let i = 1; i < count && !((distanceM[i - 1] ?? 0) > 0); i++) {
    const apartM = distanceM[i] ?? Number.NaN;
    if (!(apartM < nearestM)) continue;
    nearest = i;
    nearestM = apartM;
  }
  const { ids, names } = scoredThings(things);
  const index = thingOf[nearest] ?? 0;
  const into = facts.nearest ?? { id: '', name: '', distanceM: Number.NaN, closingMps: Number.NaN };
  facts.nearest = into;
  into.id = ids[index] ?? '';
  into.name = names[index] ?? '';
  into.distanceM = nearestM;
  into.closingMps = approached.closingMps[nearest] ?? Number.NaN;
}

/** Where the things are and how a track flies to them, and how high the ground is at the nearest: all else comes after it. */
export function approach(
  things: readonly SiteThing[],
  { rows, from, measured }: Measured,
  watched: Watched,
  { pilot }: Pick<Stay, 'pilot'>,
): void {
  const { importance, distanceM, closingMps, cpaDistanceM, operatorDistanceM } = approached;
  const { importances, numbers } = scoredThings(things);
  let count = 0;
  // As whole numbers: by others places are reckoned many times slower.
  const first = from | 0;
  const end = first + (measured | 0) * WIDTH;
  for (let row = first; row < end && count < MOST; row += WIDTH) {
    const index = (rows[row + THING] ?? -1) | 0;
    const counts = importances[index] ?? 0;
    if (counts === 0) continue;
    thingOf[count] = index;
    rowOf[count] = row;
    importance[count] = counts;
    distanceM[count] = rows[row + DISTANCE_M] ?? Number.NaN;
    closingMps[count] = rows[row + CLOSING_MPS] ?? Number.NaN;
    cpaDistanceM[count] = rows[row + PASS_M] ?? Number.NaN;
    count++;
  }
  approached.count = count;
  approached.knowsPilot = pilot.size > 0;
  if (count > 0) watched.groundAltHaeM = numbers[(thingOf[0] ?? 0) * SCORED_WIDTH + GROUND_ALT_HAE_M] ?? Number.NaN;
  if (pilot.size > 0) for (let i = 0; i < count; i++) operatorDistanceM[i] = pilot.get(thingOf[i] ?? -1) ?? Number.NaN;
}

/** All else of one of them. */
function complete(
  i: number,
  things: readonly SiteThing[],
  rows: Float64Array,
  watched: Watched,
  stay: Stay,
  policy: DecisionPolicy,
): Standing {
  const row = rowOf[i] ?? 0;
  const index = thingOf[i] ?? 0;
  const standing = filled[i] ?? none;
  const { list, ids, names, kinds, numbers } = scoredThings(things);
  standing.id = ids[index] ?? '';
  standing.kind = kinds[index] ?? 'zone';
  standing.name = names[index] ?? '';
  standing.importance = approached.importance[i] ?? 0;
  standing.distanceM = rows[row + DISTANCE_M] ?? Number.NaN;
  standing.closingMps = rows[row + CLOSING_MPS] ?? Number.NaN;
  standing.cpaDistanceM = rows[row + PASS_M] ?? Number.NaN;
  standing.operatorDistanceM = approached.knowsPilot ? (approached.operatorDistanceM[i] ?? Number.NaN) : Number.NaN;
  standing.heightGapM = heightGapAt(numbers, index * SCORED_WIDTH, watched, policy.curves.open_ceiling_m);
  standing.cpaInS = rows[row + PASS_IN_S] ?? Number.NaN;
  const volumeInS = rows[row + VOLUME_IN_S] ?? Number.NaN;
  standing.etaS = Number.isNaN(volumeInS) ? Number.POSITIVE_INFINITY : volumeInS;
  standing.etaSigmaS = rows[row + VOLUME_IN_SIGMA_S] ?? Number.NaN;
  const thing = list[index];
  standing.dwellS = thing !== undefined && stay.zones !== undefined ? stay.zones.dwellS(thing, stay.nowMs) : 0;
  return standing;
}

const none = blankStanding();

/** Above its ceiling positive, below its floor negative; NaN where the height is not known. */
function heightGapAt(
  numbers: Float64Array,
  at: number,
  { altHaeM, toldHeightM }: Watched,
  openCeilingM: number,
): number {
  const floorM = numbers[at + FLOOR_M] ?? Number.NaN;
  const ceilingM = numbers[at + CEILING_M] ?? Number.NaN;
  const heightM = Number.isNaN(toldHeightM) ? altHaeM - (numbers[at + GROUND_ALT_HAE_M] ?? Number.NaN) : toldHeightM;
  if (numbers[at + ABOVE_GROUND] === 1) return heightGapOf(heightM, floorM, ceilingM, heightM, openCeilingM);
  // As for who is in the zone: without an altitude, by its height over the ground that the zone's heights are over.
  const overGroundM = numbers[at + OVER_GROUND_M] ?? Number.NaN;
  const altitudeM = Number.isNaN(altHaeM) ? heightM + overGroundM : altHaeM;
  return heightGapOf(altitudeM, floorM, ceilingM, heightM, openCeilingM);
}
