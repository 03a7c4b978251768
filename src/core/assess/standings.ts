import { AREA } from '../../model/area_row.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { SiteThing } from '../site/site.ts';
import { heightGapOf, type Standing } from '../threat/situation.ts';
import type { Watched } from './watched.ts';

/** Rows of one track: those of the things that are measured begin at `from`. */
export type Measured = { rows: Float64Array; from: number; measured: number };

/** What of a standing the areas do not tell. */
export type Stay = { dwellS(thingId: string): number; operatorDistanceM(thing: number): number };

/** How a track stands to the things that are scored. */
export function standingsOf(
  things: readonly SiteThing[],
  { rows, from, measured }: Measured,
  watched: Watched,
  stay: Stay,
  { curves }: DecisionPolicy,
): Standing[] {
  const standings: Standing[] = [];
  for (let row = from; row < from + measured * AREA.width; row += AREA.width) {
    const index = rows[row + AREA.thing] ?? -1;
    const thing = things[index];
    if (!thing || thing.importance === 0) continue;
    if (standings.length === 0) watched.groundAltHaeM = thing.groundAltHaeM;
    const column = (of: number): number => rows[row + of] ?? Number.NaN;
    const volumeInS = column(AREA.volumeInS);
    standings.push({
      id: thing.id,
      kind: thing.kind,
      name: thing.name,
      importance: thing.importance,
      distanceM: column(AREA.distanceM),
      heightGapM: heightGapAt(thing, watched, curves.open_ceiling_m),
      closingMps: column(AREA.closingMps),
      cpaDistanceM: column(AREA.passM),
      cpaInS: column(AREA.passInS),
      etaS: Number.isNaN(volumeInS) ? Number.POSITIVE_INFINITY : volumeInS,
      etaSigmaS: column(AREA.volumeInSigmaS),
      dwellS: stay.dwellS(thing.id),
      operatorDistanceM: stay.operatorDistanceM(index),
    });
  }
  return standings;
}

/** Above its ceiling positive, below its floor negative; NaN where the height is not known. */
function heightGapAt(thing: SiteThing, { altHaeM, toldHeightM }: Watched, openCeilingM: number): number {
  const heightM = Number.isNaN(toldHeightM) ? altHaeM - thing.groundAltHaeM : toldHeightM;
  if (thing.aboveGround) {
    const { floorM, ceilingM } = thing.aboveGround;
    return heightGapOf(heightM, floorM, ceilingM, heightM, openCeilingM);
  }
  // As for who is in the zone: without an altitude, by its height over the ground that the zone's heights are over.
  const altitudeM = Number.isNaN(altHaeM) && thing.zone?.overGround ? heightM + thing.zone.groundAltHaeM : altHaeM;
  return heightGapOf(altitudeM, thing.value.floorM, thing.value.ceilingM, heightM, openCeilingM);
}
