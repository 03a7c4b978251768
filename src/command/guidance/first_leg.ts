import type { Vehicle } from '../../fleet/vehicle.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { CommandParams, Verb } from '../../model/verb.ts';
import type { ControlDeps, Leg } from '../deps.ts';
import { ownState } from '../own_state.ts';
import { tooFast } from '../safety/reach.ts';
import { steerOf } from './steer.ts';

/** A command before it begins. `liftM`: its leg begins this far above the vehicle's present place, m. */
export type Asked = {
  deps: ControlDeps;
  vehicle: Vehicle;
  assetId: string;
  verb: Verb;
  params: CommandParams;
  liftM?: number;
};

/** First position of a path. */
export function pathLeg({ deps, vehicle, assetId, verb, params, liftM = 0 }: Asked): Leg | Refusal | null {
  const now = ownState(vehicle, deps.nowMs());
  if (now === null) return { reason: 'telemetry_stale', text: 'it has not said where it is just now' };
  const own = { ...now, position: lifted(now.position, liftM) };
  const above = liftM > 0 ? { from: own.position } : {};
  // Legs that guidance tries begin there too.
  const known: ControlDeps = {
    ...deps,
    legBlocked: (...[mover, id, leg]) => deps.legBlocked(mover, id, { ...above, ...leg }),
  };
  const steered = steerOf(known, vehicle, assetId, verb, params);
  if ('text' in steered) return steered;
  const step = steered.steer(own);
  if ('lost' in step) return { reason: 'policy_denied', text: step.lost };
  const { standoffM } = steered;
  return { verb, ...above, to: step.point, speedMps: step.speedMps, ...(standoffM ? { standoffM } : {}) };
}

/** A speed has no leg; the same limits hold. */
export function speedRefusal({ deps, assetId }: Asked, speedMps: number): Refusal | null {
  return tooFast({ speedMps }, { limits: deps.policy().limits, performance: deps.performance(assetId) });
}

export function climbLeg({ deps, vehicle }: Asked, heightM: number): Leg | null {
  const own = ownState(vehicle, deps.nowMs());
  return own && { verb: 'takeoff', to: lifted(own.position, heightM), speedMps: null };
}

function lifted(at: Geodetic, byM: number): Geodetic {
  return { ...at, altHaeM: at.altHaeM + byM };
}
