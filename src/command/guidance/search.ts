import type { Geodetic } from '../../geo/position.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { CommandParams } from '../../model/verb.ts';
import type { Steer } from './fly.ts';
import { steerTo } from './goto.ts';
import { heightOf, saysHeight, unknownHeight } from './height.ts';
import { searchOver } from './paths/search/search.ts';
import type { Flown, Steering } from './steer.ts';

const SPACING_M = 40;
/** A corner of the lanes has been flown from so near: who stops at each of two hundred is not done today. */
const PASSED_M = 6;
const WING_PASSED_M = 60;

/** Lanes over a zone, one corner after the other. */
export function steerOver({ deps, vehicle }: Flown, params: CommandParams & { kind: 'zone' }): Steering | Refusal {
  const zone = deps.zone(params.zone_id);
  if (!zone) return { reason: 'out_of_range', text: `there is no zone with the id ${params.zone_id}` };
  const altHaeM = heightOf(deps, vehicle, params);
  if (altHaeM === null && saysHeight(params)) return unknownHeight;
  const passedM = vehicle.type === 'fixed_wing' ? WING_PASSED_M : PASSED_M;
  const { spacing_m: spacingM = SPACING_M } = params;
  let points: readonly Geodetic[] | null = null;
  let at = 0;
  let leg: { at: number; steer: Steer } | null = null;
  return {
    steer: (own) => {
      const searching = { spacingM, altHaeM: altHaeM ?? own.position.altHaeM, from: own.position };
      const path = points ?? searchOver(zone.geometry, searching)?.points ?? [];
      points = path;
      const count = path.length;
      for (;;) {
        const next = path[at];
        if (!next) return { lost: `the zone ${zone.name} has nothing to search` };
        if (leg?.at !== at) leg = { at, steer: steerTo(next, vehicle, null) };
        const step = leg.steer(own);
        if ('lost' in step) return step;
        const progress = count < 2 ? 0 : at / (count - 1);
        const isLast = at === count - 1;
        if (isLast || step.distanceM > passedM) {
          const done = isLast && step.done ? `the zone ${zone.name} was searched` : null;
          return { ...step, progress, done, etaS: null };
        }
        at++;
      }
    },
  };
}
