import { AREA } from '../../model/area_row.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { Areas } from '../areas.ts';
import type { SiteThing } from '../site/site.ts';
import type { TrackZones } from '../site/track_zones.ts';
import { Approached, tellMost } from '../threat/most_points.ts';
import { pointsOf } from '../threat/score.ts';
import { blankStanding, heightGapOf, type Situation, type Standing } from '../threat/situation.ts';
import type { Watched } from './watched.ts';

/** Rows of one track: those of the things that are measured begin at `from`. */
export type Measured = { rows: Float64Array; from: number; measured: number };

/** What of a standing the areas do not tell. */
export type Stay = { zones: TrackZones | undefined; pilot: ReadonlyMap<number, number>; nowMs: number };

/** Filled anew for each track: thousands a step would leave nothing but garbage. */
const filled: readonly Standing[] = Array.from({ length: Areas.mostMeasured }, blankStanding);
const rowOf = new Int32Array(Areas.mostMeasured);
const approached = new Approached(Areas.mostMeasured);
const firstOf: readonly (readonly Standing[])[] = Array.from({ length: Areas.mostMeasured + 1 }, (_, count) =>
  filled.slice(0, count),
);
const onlyOf: readonly (readonly Standing[])[] = filled.map((standing) => [standing]);
const none: readonly Standing[] = [];

/** How a track stands to the things that are scored: good until it is asked of another. */
export function standingsOf(
  things: readonly SiteThing[],
  measured: Measured,
  watched: Watched,
  stay: Stay,
  policy: DecisionPolicy,
): readonly Standing[] {
  const count = approach(things, measured, watched, stay);
  for (let i = 0; i < count; i++) complete(i, things, measured.rows, watched, stay, policy);
  return firstOf[count] ?? filled;
}

/**
 * Those of them that its score may be about, its situation without any being known: what of the others counts at most is less
 * than what of one of these counts. Good until it is asked of another, or for all of the same.
 */
export function contendersOf(
  things: readonly SiteThing[],
  measured: Measured,
  watched: Watched,
  stay: Stay,
  situation: Situation,
  policy: DecisionPolicy,
): readonly Standing[] {
  const count = approach(things, measured, watched, stay);
  if (count === 0) return none;
  const likeliest = tellMost(approached, situation, policy);
  complete(likeliest, things, measured.rows, watched, stay, policy);
  const only = onlyOf[likeliest] ?? none;
  const [first] = only;
  if (count === 1 || !first) return only;
  const points = pointsOf(first, situation, policy);
  let contenders: Standing[] | null = null;
  for (let i = 0; i < count; i++) {
    const standing = filled[i];
    if (i === likeliest || !standing || (approached.most[i] ?? 0) < points) continue;
    complete(i, things, measured.rows, watched, stay, policy);
    contenders ??= [first];
    contenders.push(standing);
  }
  return contenders ?? only;
}

/** The nearest of them, and how high the ground is there. */
export function findNearest(things: readonly SiteThing[], { rows, from, measured }: Measured, watched: Watched): void {
  const { facts } = watched;
  let nearest: SiteThing | null = null;
  let nearestM = Number.NaN;
  let at = from;
  for (let row = from; row < from + measured * AREA.width; row += AREA.width) {
    const thing = things[rows[row + AREA.thing] ?? -1];
    if (!thing || thing.importance === 0) continue;
    if (!nearest) watched.groundAltHaeM = thing.groundAltHaeM;
    const distanceM = rows[row + AREA.distanceM] ?? Number.NaN;
    if (!nearest || distanceM < nearestM) {
      nearest = thing;
      nearestM = distanceM;
      at = row;
    }
    // They come nearest first, but for those that it is inside of.
    if (distanceM > 0) break;
  }
  if (!nearest) {
    facts.nearest = null;
    return;
  }
  const into = facts.nearest ?? { id: '', name: '', distanceM: 0, closingMps: 0 };
  facts.nearest = into;
  into.id = nearest.id;
  into.name = nearest.name;
  into.distanceM = nearestM;
  into.closingMps = rows[at + AREA.closingMps] ?? Number.NaN;
}

/** What each thing of the list that was asked for last counts: a list is never changed, and numbers in a row are soon read. */
let [listed, importances]: [readonly SiteThing[], Float64Array] = [[], new Float64Array(0)];

function importancesOf(things: readonly SiteThing[]): Float64Array {
  if (things !== listed) {
    listed = things;
    importances = Float64Array.from(things, ({ importance }) => importance);
  }
  return importances;
}

/** Where they are and how it flies to them; answers how many there are. */
function approach(
  things: readonly SiteThing[],
  { rows, from, measured }: Measured,
  watched: Watched,
  { pilot }: Stay,
): number {
  const { importance, distanceM, closingMps, cpaDistanceM, operatorDistanceM } = approached;
  const ofAll = importancesOf(things);
  let count = 0;
  for (let row = from; row < from + measured * AREA.width; row += AREA.width) {
    const index = rows[row + AREA.thing] ?? -1;
    const counts = ofAll[index] ?? 0;
    if (counts === 0) continue;
    if (count === importance.length) break;
    if (count === 0) watched.groundAltHaeM = things[index]?.groundAltHaeM ?? Number.NaN;
    rowOf[count] = row;
    importance[count] = counts;
    distanceM[count] = rows[row + AREA.distanceM] ?? Number.NaN;
    closingMps[count] = rows[row + AREA.closingMps] ?? Number.NaN;
    cpaDistanceM[count] = rows[row + AREA.passM] ?? Number.NaN;
    operatorDistanceM[count] = pilot.size === 0 ? Number.NaN : (pilot.get(index) ?? Number.NaN);
    count++;
  }
  approached.count = count;
  return count;
}

/** All else of one of them. */
function complete(
  i: number,
  things: readonly SiteThing[],
  rows: Float64Array,
  { altHaeM, toldHeightM }: Watched,
  stay: Stay,
  { curves }: DecisionPolicy,
): void {
  const row = rowOf[i] ?? 0;
  const [thing, standing] = [things[rows[row + AREA.thing] ?? -1], filled[i]];
  if (!thing || !standing) return;
  standing.id = thing.id;
  standing.kind = thing.kind;
  standing.name = thing.name;
  standing.importance = thing.importance;
  standing.distanceM = approached.distanceM[i] ?? Number.NaN;
  standing.closingMps = approached.closingMps[i] ?? Number.NaN;
  standing.cpaDistanceM = approached.cpaDistanceM[i] ?? Number.NaN;
  standing.operatorDistanceM = approached.operatorDistanceM[i] ?? Number.NaN;
  standing.heightGapM = heightGapAt(thing, altHaeM, toldHeightM, curves.open_ceiling_m);
  standing.cpaInS = rows[row + AREA.passInS] ?? Number.NaN;
  const volumeInS = rows[row + AREA.volumeInS] ?? Number.NaN;
  standing.etaS = Number.isNaN(volumeInS) ? Number.POSITIVE_INFINITY : volumeInS;
  standing.etaSigmaS = rows[row + AREA.volumeInSigmaS] ?? Number.NaN;
  standing.dwellS = stay.zones?.dwellS(thing.id, stay.nowMs) ?? 0;
}

/** Above its ceiling positive, below its floor negative; NaN where the height is not known. */
function heightGapAt(thing: SiteThing, altHaeM: number, toldHeightM: number, openCeilingM: number): number {
  const heightM = Number.isNaN(toldHeightM) ? altHaeM - thing.groundAltHaeM : toldHeightM;
  if (thing.aboveGround) {
    const { floorM, ceilingM } = thing.aboveGround;
    return heightGapOf(heightM, floorM, ceilingM, heightM, openCeilingM);
  }
  // As for who is in the zone: without an altitude, by its height over the ground that the zone's heights are over.
  const altitudeM = Number.isNaN(altHaeM) && thing.zone?.overGround ? heightM + thing.zone.groundAltHaeM : altHaeM;
  return heightGapOf(altitudeM, thing.value.floorM, thing.value.ceilingM, heightM, openCeilingM);
}
