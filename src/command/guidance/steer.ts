import type { Vehicle } from '../../fleet/vehicle.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { CommandParams, Verb } from '../../model/verb.ts';
import type { ControlDeps } from '../deps.ts';
import { type OwnState, ownState } from '../own_state.ts';
import { type Path, pathOf } from '../safety/path.ts';
import type { Steer, Step } from './fly.ts';
import { steerTo } from './goto.ts';
import { heightOf, saysHeight, unknownHeight } from './height.ts';
import { RadiusTrim } from './paths/circle.ts';
import { escortStep } from './paths/escort.ts';
import type { Following } from './paths/follow.ts';
import { orbitStep, orbitTrackStep } from './paths/orbit.ts';
import { searchOver } from './paths/search/search.ts';
import { shadowStep } from './paths/shadow.ts';
import type { Vehicle as Flyer } from './paths/vehicle.ts';
import { ownTrack, seen } from './target.ts';

const SPACING_M = 40;
/**
 * Distance within which a corner of the lanes counts as passed, m: stopping at each of up to 200 corners would take too
 * long.
 */
const PASSED_M = 6;
const WING_PASSED_M = 60;

/**
 * Steers along search lanes over a zone, from corner to corner. Returns a refusal if the zone is unknown, or a
 * requested height cannot be converted.
 */
function steerOver({ deps, vehicle }: Flown, params: CommandParams & { kind: 'zone' }): Steering | Refusal {
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
        if (!next) return { lost: `the zone ${zone.name} has no area to search` };
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

/** Steering of a task. `standoffM`: standoff that the command requests, m; absent if it requests none. */
export type Steering = { steer: Steer; standoffM?: number };

/** Vehicle of a task, with its asset and the dependencies. */
export type Flown = { deps: ControlDeps; vehicle: Vehicle; assetId: string };

const ORBIT_M = 60;
const ESCORT_M = 60;
/**
 * Default bearing of an escort as seen from the escorted vehicle, degrees from true north: south-east, whatever the
 * course.
 */
const ESCORT_BEARING_DEG = 135;

/** Returns the steering of a task for its verb and parameters, or the reason why there is none. */
export function steerOf(
  deps: ControlDeps,
  vehicle: Vehicle,
  assetId: string,
  verb: Verb,
  params: CommandParams,
): Steering | Refusal {
  const flown = { deps, vehicle, assetId };
  switch (params.kind) {
    case 'point':
      return verb === 'orbit' ? roundPlace(flown, params) : toPlace(flown, params);
    case 'track':
      return verb === 'orbit' ? roundTrack(flown, params) : following(flown, params, shadowStep);
    case 'asset':
      return escorting(flown, params);
    case 'zone':
      return steerOver(flown, params);
    default:
      return { reason: 'not_advertised', text: `${verb} needs a place, a track, an asset or a zone in 'params'` };
  }
}

type Of<K extends CommandParams['kind']> = CommandParams & { kind: K };

function toPlace({ deps, vehicle }: Flown, params: Of<'point'>): Steering | Refusal {
  const altHaeM = heightOf(deps, vehicle, params);
  if (altHaeM === null && saysHeight(params)) return unknownHeight;
  return { steer: steerTo({ latDeg: params.lat, lonDeg: params.lon, altHaeM }, vehicle, params.speed_mps ?? null) };
}

function roundPlace({ deps, vehicle, assetId }: Flown, params: Of<'point'>): Steering | Refusal {
  let altHaeM = heightOf(deps, vehicle, params);
  if (altHaeM === null && saysHeight(params)) return unknownHeight;
  const { radius_m: radiusM = ORBIT_M, direction = 'clockwise', speed_mps } = params;
  const trim = new RadiusTrim(radiusM);
  return {
    steer: (own) => {
      altHaeM ??= own.position.altHaeM;
      const flyer = flyerOf(deps, vehicle, assetId, own, speed_mps);
      const middle = { latDeg: params.lat, lonDeg: params.lon, altHaeM };
      const step = orbitStep(flyer, middle, { radiusM, direction }, trim);
      const circle = { middle, radiusM, clockwise: direction === 'clockwise' };
      return flyer.minMps > 0 ? { ...step, circle } : step;
    },
  };
}

function roundTrack(flown: Flown, params: Of<'track'>): Steering {
  const { radius_m: radiusM = ORBIT_M, direction = 'clockwise' } = params;
  return following(flown, params, (flyer, course, settings) =>
    orbitTrackStep(flyer, course, { ...settings, radiusM, direction }),
  );
}

/** Steers by the predictions of a track. The vehicle keeps the larger standoff of policy and command. */
function following(
  { deps, vehicle, assetId }: Flown,
  params: Of<'track'>,
  step: (flyer: Flyer, course: Path, settings: Following) => Step,
): Steering {
  // Read again for each step, because the policy may change during the flight.
  const keptM = (): number => Math.max(deps.policy().engagement.standoff_m, params.standoff_m ?? 0);
  const isFree = (to: Geodetic): boolean =>
    deps.legBlocked(vehicle, assetId, { verb: 'shadow', to, speedMps: null, standoffM: keptM() }) === null;
  const heightOffsetM = params.height_offset_m ?? 0;
  const steer: Steer = (own) => {
    const itself = ownTrack(deps, assetId, params.track_id);
    if (itself !== null) return { lost: itself };
    const target = seen(deps, params.track_id);
    if ('lost' in target) return target;
    const course = pathOf(target.track, deps.utcMs(own.nowMs));
    if (!course) return { lost: `the course of ${target.label} is unknown` };
    const settings = { standoffM: keptM(), heightOffsetM, isFree };
    return step(flyerOf(deps, vehicle, assetId, own, params.speed_mps), course, settings);
  };
  return { steer, ...(params.standoff_m === undefined ? {} : { standoffM: params.standoff_m }) };
}

function escorting({ deps, vehicle, assetId }: Flown, params: Of<'asset'>): Steering | Refusal {
  const escorted = deps.fleet.vehicleOf(params.asset_id);
  const name = deps.asset(params.asset_id)?.name ?? params.asset_id;
  if (!escorted || params.asset_id === assetId) {
    return {
      reason: 'no_position',
      text: `${name} cannot be escorted: it is this vehicle itself, or no received vehicle is bound to it`,
    };
  }
  const { standoff_m: standoffM = ESCORT_M, bearing_deg: bearingDeg = ESCORT_BEARING_DEG } = params;
  const isFree = (to: Geodetic): boolean =>
    deps.legBlocked(vehicle, assetId, { verb: 'escort', to, speedMps: null }) === null;
  const settings = { standoffM, bearingDeg, heightOffsetM: params.height_offset_m ?? 0, isFree };
  return {
    steer: (own) => {
      const theirs = ownState(escorted, own.nowMs);
      if (!theirs) return { lost: `${name} reports no position` };
      const { position, eastMps, northMps } = theirs;
      const flyer = flyerOf(deps, vehicle, assetId, own, undefined);
      return escortStep(flyer, { position, velocity: { eastMps, northMps } }, settings);
    },
  };
}

/** Least speed of a fixed-wing vehicle whose performance data contain none, m/s. */
const WING_MPS = 12;
/** Greatest speed as a multiple of the cruise speed, assumed if the performance data contain no greatest speed. */
const MOST_FAST = 1.5;

/** Returns the state of a vehicle for steering, with its cruise speed, greatest and least speed. */
function flyerOf(
  deps: ControlDeps,
  vehicle: Vehicle,
  assetId: string,
  { position, eastMps, northMps }: OwnState,
  askedMps: number | undefined,
): Flyer {
  const figures = deps.performance(assetId);
  const most = deps.policy().limits.max_speed_mps;
  const cruiseMps = Math.min(askedMps ?? deps.speedOf(vehicle, figures), most);
  const maxMps = Math.min(figures.max_speed_mps ?? MOST_FAST * cruiseMps, most);
  const minMps = vehicle.type === 'fixed_wing' ? (figures.min_speed_mps ?? WING_MPS) : 0;
  return {
    position,
    velocity: { eastMps, northMps },
    ...{ cruiseMps: Math.min(cruiseMps, maxMps), maxMps, minMps },
  };
}
