import { AREA } from '../../model/area_row.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Standing } from '../threat/situation.ts';
import { heightGapAt, type SiteThing } from './site.ts';
import type { Watched } from './watched.ts';

/** What of a standing the areas do not tell. */
export type Stay = { dwellS(thing: SiteThing): number; operatorDistanceM(thing: number): number };

/** How a track stands to the things that are scored, of its rows from `at` on. */
export function standingsOf(
  site: readonly SiteThing[],
  rows: Float64Array,
  at: number,
  count: number,
  watched: Watched,
  stay: Stay,
  { curves }: DecisionPolicy,
): Standing[] {
  const standings: Standing[] = [];
  for (let row = at; row < at + count * AREA.width; row += AREA.width) {
    const index = rows[row + AREA.thing] ?? -1;
    const thing = site[index];
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
      heightGapM: heightGapAt(thing, watched.altHaeM, watched.toldHeightM, curves.open_ceiling_m),
      closingMps: column(AREA.closingMps),
      cpaDistanceM: column(AREA.passM),
      cpaInS: column(AREA.passInS),
      etaS: Number.isNaN(volumeInS) ? Number.POSITIVE_INFINITY : volumeInS,
      etaSigmaS: column(AREA.volumeInSigmaS),
      dwellS: stay.dwellS(thing),
      operatorDistanceM: stay.operatorDistanceM(index),
    });
  }
  return standings;
}
