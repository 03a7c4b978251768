import type { CommandParams } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Verb } from '../../model/verb.ts';
import { heightOf, saysHeight } from '../control/procedures.ts';
import type { ControlRim, FlyPlace } from '../control/rim.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import { type Course, courseOf } from '../safety/course.ts';
import { RadiusTrim } from '../steering/circle.ts';
import { escortStep } from '../steering/escort.ts';
import type { Following } from '../steering/follow.ts';
import { orbitStep, orbitTrackStep } from '../steering/orbit.ts';
import { shadowStep } from '../steering/shadow.ts';
import type { Vehicle as Flyer, Step as Steered } from '../steering/vehicle.ts';
import { ownState, type Steer, type Step } from './fly.ts';
import { flyerOf } from './flyer.ts';
import { steerTo } from './goto.ts';
import { steerOver } from './search.ts';
import { ownTrack, seen } from './target.ts';

/** A task is steered by this; `standoffM` is what it asks for beyond the policy. */
export type Steering = { steer: Steer; standoffM?: number };

/** Who flies what for whom. */
export type Flown = { rim: ControlRim; vehicle: Vehicle; assetId: string };

const ORBIT_M = 60;
const ESCORT_M = 60;
/** Behind and to the right of what is escorted, unless it is said. */
const ESCORT_BEARING_DEG = 135;

/** What a task flies by, as its parameters say; or why there is nothing to fly by. */
export function steerOf(
  rim: ControlRim,
  vehicle: Vehicle,
  assetId: string,
  verb: Verb,
  params: CommandParams,
): Steering | Refusal {
  const flown = { rim, vehicle, assetId };
  switch (params.kind) {
    case 'point':
      return verb === 'orbit' ? roundPlace(flown, params) : toPlace(flown, params);
    case 'track':
      return verb === 'orbit' ? roundTrack(flown, params) : shadowing(flown, params);
    case 'asset':
      return escorting(flown, params);
    case 'zone':
      return steerOver(flown, params);
    default:
      return { reason: 'not_advertised', text: `${verb} is about a place, a track, an asset or a zone` };
  }
}

type Of<K extends CommandParams['kind']> = CommandParams & { kind: K };

function toPlace({ rim, vehicle }: Flown, params: Of<'point'>): Steering | Refusal {
  const altHaeM = heightOf(rim, vehicle, params);
  if (altHaeM === null && saysHeight(params)) return unknownHeight;
  return { steer: steerTo({ lat: params.lat, lon: params.lon, altHaeM }, vehicle, params.speed_mps ?? null) };
}

function roundPlace({ rim, vehicle, assetId }: Flown, params: Of<'point'>): Steering | Refusal {
  let altHaeM = heightOf(rim, vehicle, params);
  if (altHaeM === null && saysHeight(params)) return unknownHeight;
  const { radius_m: radiusM = ORBIT_M, direction = 'clockwise', speed_mps } = params;
  const trim = new RadiusTrim(radiusM);
  return {
    steer: (own) => {
      altHaeM ??= own.altHaeM;
      const flyer = flyerOf(rim, vehicle, assetId, own, speed_mps);
      const middle = { lat: params.lat, lon: params.lon, altHaeM };
      const step = stepOf(orbitStep(flyer, middle, { radiusM, direction }, trim));
      const circle = { middle, radiusM, clockwise: direction === 'clockwise' };
      return flyer.minMps > 0 ? { ...step, circle } : step;
    },
  };
}

function shadowing(flown: Flown, params: Of<'track'>): Steering {
  return following(flown, params, shadowStep);
}

function roundTrack(flown: Flown, params: Of<'track'>): Steering {
  const { radius_m: radiusM = ORBIT_M, direction = 'clockwise' } = params;
  return following(flown, params, (flyer, course, settings) =>
    orbitTrackStep(flyer, course, { ...settings, radiusM, direction }),
  );
}

/** A track is flown by its predictions, and never nearer than the policy says. */
function following(
  { rim, vehicle, assetId }: Flown,
  params: Of<'track'>,
  step: (flyer: Flyer, course: Course, settings: Following) => Steered,
): Steering {
  // The policy may become another while it is flown.
  const keptM = (): number => Math.max(rim.policy().engagement.standoff_m, params.standoff_m ?? 0);
  const isFree = (to: FlyPlace): boolean =>
    rim.wayBlocked(vehicle, assetId, { verb: 'shadow', to, speedMps: null, standoffM: keptM() }) === null;
  const heightOffsetM = params.height_offset_m ?? 0;
  const steer: Steer = (own) => {
    const itself = ownTrack(rim, assetId, params.track_id);
    if (itself !== null) return { lost: itself };
    const target = seen(rim, params.track_id);
    if ('lost' in target) return target;
    const course = courseOf(target.track, rim.utcMs(own.nowMs));
    if (!course) return { lost: `it is not known where ${target.label} goes` };
    const settings = { standoffM: keptM(), heightOffsetM, isFree };
    return stepOf(step(flyerOf(rim, vehicle, assetId, own, params.speed_mps), course, settings));
  };
  return { steer, ...(params.standoff_m === undefined ? {} : { standoffM: params.standoff_m }) };
}

function escorting({ rim, vehicle, assetId }: Flown, params: Of<'asset'>): Steering | Refusal {
  const escorted = rim.fleet.vehicleOf(params.asset_id);
  const name = rim.asset(params.asset_id)?.name ?? params.asset_id;
  if (!escorted || params.asset_id === assetId) {
    return { reason: 'no_position', text: `${name} is no vehicle that can be escorted` };
  }
  const { standoff_m: standoffM = ESCORT_M, bearing_deg: bearingDeg = ESCORT_BEARING_DEG } = params;
  const isFree = (to: FlyPlace): boolean =>
    rim.wayBlocked(vehicle, assetId, { verb: 'escort', to, speedMps: null }) === null;
  const settings = { standoffM, bearingDeg, heightOffsetM: params.height_offset_m ?? 0, isFree };
  return {
    steer: (own) => {
      const theirs = ownState(escorted, own.nowMs);
      if (!theirs) return { lost: `${name} does not say where it is` };
      const { lat, lon, altHaeM, eastMps, northMps } = theirs;
      const position = { lat, lon, altHaeM };
      const flyer = flyerOf(rim, vehicle, assetId, own, undefined);
      return stepOf(escortStep(flyer, { position, velocity: { eastMps, northMps } }, settings));
    },
  };
}

function stepOf({ point, speedMps, phase, distanceM, etaS, breach }: Steered): Step {
  return { to: point, speedMps, phase, distanceM, etaS, progress: null, breach, done: null };
}

export const unknownHeight: Refusal = { reason: 'no_position', text: 'it is not known what the height is above there' };
