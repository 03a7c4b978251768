import type { CommandParams } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Verb } from '../../model/verb.ts';
import { heightOf, saysHeight } from '../control/procedures.ts';
import type { ControlRim } from '../control/rim.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import { courseOf } from '../safety/course.ts';
import { shadowStep } from '../steering/shadow.ts';
import type { Vehicle as Flyer, Step as Steered } from '../steering/vehicle.ts';
import type { OwnState, Steer, Step } from './fly.ts';
import { steerTo } from './goto.ts';
import { seen } from './target.ts';

/** A task is steered by this; `standoffM` is what it asks for beyond the policy. */
type Steering = { steer: Steer; standoffM?: number };

/** What cannot stand in the air flies no slower than this where nobody says how slow it may. */
const WING_MPS = 12;
const MOST_FAST = 1.5;

/** What a task flies by, as its parameters say; or why there is nothing to fly by. */
export function steerOf(
  rim: ControlRim,
  vehicle: Vehicle,
  assetId: string,
  verb: Verb,
  params: CommandParams,
): Steering | Refusal {
  if (verb === 'goto' && params.kind === 'point') {
    const altHaeM = heightOf(rim, vehicle, params);
    if (altHaeM === null && saysHeight(params)) return unknownHeight;
    return { steer: steerTo({ lat: params.lat, lon: params.lon, altHaeM }, vehicle, params.speed_mps ?? null) };
  }
  if (verb === 'shadow' && params.kind === 'track') return shadowing(rim, vehicle, assetId, params);
  return { reason: 'not_advertised', text: `${verb} is not flown` };
}

function shadowing(
  rim: ControlRim,
  vehicle: Vehicle,
  assetId: string,
  params: CommandParams & { kind: 'track' },
): Steering {
  const standoffM = Math.max(rim.policy().engagement.standoff_m, params.standoff_m ?? 0);
  const isFree = (to: { lat: number; lon: number; altHaeM: number }): boolean =>
    rim.wayRefusal(vehicle, assetId, { verb: 'shadow', to, speedMps: null, standoffM }) === null;
  const steer: Steer = (own) => {
    const target = seen(rim, params.track_id);
    if ('lost' in target) return target;
    const course = courseOf(target.track, rim.utcMs(own.nowMs));
    if (!course) return { lost: `it is not known where ${target.label} goes` };
    const settings = { standoffM, heightOffsetM: params.height_offset_m ?? 0, isFree };
    return stepOf(shadowStep(flyerOf(rim, vehicle, assetId, own, params.speed_mps), course, settings));
  };
  return { steer, standoffM };
}

/** The vehicle as steering reckons with it: how fast it is, and how slow it must not be. */
export function flyerOf(
  rim: ControlRim,
  vehicle: Vehicle,
  assetId: string,
  { lat, lon, altHaeM, eastMps, northMps }: OwnState,
  askedMps: number | undefined,
): Flyer {
  const figures = rim.performance(assetId);
  const most = rim.policy().limits.max_speed_mps;
  const cruiseMps = Math.min(askedMps ?? rim.speedOf(vehicle, figures), most);
  const maxMps = Math.min(figures.max_speed_mps ?? MOST_FAST * cruiseMps, most);
  const minMps = vehicle.type === 'fixed_wing' ? (figures.min_speed_mps ?? WING_MPS) : 0;
  return {
    position: { lat, lon, altHaeM },
    velocity: { eastMps, northMps },
    ...{ cruiseMps: Math.min(cruiseMps, maxMps), maxMps, minMps },
  };
}

function stepOf({ point, speedMps, phase, distanceM, etaS, breach }: Steered): Step {
  return { to: point, speedMps, phase, distanceM, etaS, progress: null, breach, done: null };
}

const unknownHeight: Refusal = { reason: 'no_position', text: 'it is not known what the height is above there' };
