import { AREA } from '../../model/area_row.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { Areas } from '../areas.ts';
import type { SiteThing } from '../site/site.ts';
import type { TrackZones } from '../site/track_zones.ts';
import { blankStanding, heightGapOf, type Standing } from '../threat/situation.ts';
import type { Watched } from './watched.ts';

/** Rows of one track: those of the things that are measured begin at `from`. */
export type Measured = { rows: Float64Array; from: number; measured: number };

/** What of a standing the areas do not tell. */
export type Stay = { zones: TrackZones | undefined; pilot: ReadonlyMap<number, number>; nowMs: number };

/** Filled anew for each track: thousands a step would leave nothing but garbage. */
const filled: readonly Standing[] = Array.from({ length: Areas.mostMeasured }, blankStanding);
const firstOf: readonly (readonly Standing[])[] = Array.from({ length: Areas.mostMeasured + 1 }, (_, count) =>
  filled.slice(0, count),
);

/** How a track stands to the things that are scored: good until it is asked of another. */
export function standingsOf(
  things: readonly SiteThing[],
  { rows, from, measured }: Measured,
  watched: Watched,
  stay: Stay,
  { curves }: DecisionPolicy,
): readonly Standing[] {
  const { altHaeM, toldHeightM } = watched;
  let count = 0;
  for (let row = from; row < from + measured * AREA.width; row += AREA.width) {
    const index = rows[row + AREA.thing] ?? -1;
    const thing = things[index];
    const standing = filled[count];
    if (!thing || !standing || thing.importance === 0) continue;
    if (count === 0) watched.groundAltHaeM = thing.groundAltHaeM;
    count++;
    standing.id = thing.id;
    standing.kind = thing.kind;
    standing.name = thing.name;
    standing.importance = thing.importance;
    standing.distanceM = rows[row + AREA.distanceM] ?? Number.NaN;
    standing.heightGapM = heightGapAt(thing, altHaeM, toldHeightM, curves.open_ceiling_m);
    standing.closingMps = rows[row + AREA.closingMps] ?? Number.NaN;
    standing.cpaDistanceM = rows[row + AREA.passM] ?? Number.NaN;
    standing.cpaInS = rows[row + AREA.passInS] ?? Number.NaN;
    const volumeInS = rows[row + AREA.volumeInS] ?? Number.NaN;
    standing.etaS = Number.isNaN(volumeInS) ? Number.POSITIVE_INFINITY : volumeInS;
    standing.etaSigmaS = rows[row + AREA.volumeInSigmaS] ?? Number.NaN;
    standing.dwellS = stay.zones?.dwellS(thing.id, stay.nowMs) ?? 0;
    standing.operatorDistanceM = stay.pilot.size === 0 ? Number.NaN : (stay.pilot.get(index) ?? Number.NaN);
  }
  return firstOf[count] ?? filled;
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
