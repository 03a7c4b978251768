import { haeOfMsl, mslOfHae } from '../../geo/geoid.ts';
import type { Command, CommandParams } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Verb } from '../../model/verb.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import { fly, ownState } from '../tasks/fly.ts';
import type { LiveTask } from '../tasks/live_task.ts';
import { lookAtTrack } from '../tasks/look.ts';
import { steerOf } from '../tasks/steer.ts';
import { ownTrack } from '../tasks/target.ts';
import { lookAt, setCameraMode, startVideo, stopVideo, takeImage, zoom } from './cameras.ts';
import { Ended, type Flight } from './flight.ts';
import { type Done, hold, land, returnHome, setSpeed, takeoff } from './maneuvers.ts';
import type { ControlRim, FlyPlace, Way } from './rim.ts';

const flown: ReadonlySet<Verb> = new Set(['goto', 'orbit', 'shadow', 'escort', 'search']);

/** Whether a command goes on for a while and is told of as a task. */
export function isFlown(verb: Verb, params: CommandParams): boolean {
  return flown.has(verb) || (verb === 'look_at' && params.kind === 'track');
}

/** What a verb does, once it was found available. */
export function procedureOf(rim: ControlRim, flight: Flight, command: Command, task: LiveTask | null): Promise<Done> {
  const { verb, params } = command;
  switch (verb) {
    case 'hold':
      return hold(flight);
    case 'return_home':
      return returnHome(flight);
    case 'land':
      return land(flight);
    case 'takeoff':
      return takeoff(flight, numberOf(params, 'height_m'));
    case 'set_speed':
      return setSpeed(flight, numberOf(params, 'speed_mps'));
    case 'zoom':
      return zoom(flight, numberOf(params, 'zoom'));
    case 'take_image':
      return takeImage(flight);
    case 'start_video':
      return startVideo(flight);
    case 'stop_video':
      return stopVideo(flight);
    case 'set_mode':
      return setCameraMode(flight, params.kind === 'value' ? (params.mode ?? '') : '');
    case 'request_status':
      return requestStatus(rim, flight);
    case 'look_at':
      return look(rim, flight, params, task);
    default:
      return flyTask(rim, flight, command, task);
  }
}

async function look(rim: ControlRim, flight: Flight, params: CommandParams, task: LiveTask | null): Promise<Done> {
  const { sysid } = rim.fleet;
  if (params.kind === 'track' && task) return lookAtTrack(rim, flight, task, params.track_id);
  if (params.kind !== 'point') throw new Ended('rejected', 'there is nothing to look at');
  const ground = rim.groundAltHaeM(params.lat, params.lon);
  const told = heightOf(rim, flight.vehicle, params) ?? ground;
  if (told === null) throw new Ended('rejected', 'it is not known how high the place is');
  const altMslM = mslOfHae(told, params.lat, params.lon);
  return lookAt(flight, { latDeg: params.lat, lonDeg: params.lon, altMslM }, sysid);
}

async function flyTask(rim: ControlRim, flight: Flight, command: Command, task: LiveTask | null): Promise<Done> {
  const { verb, params, asset_id: assetId } = command;
  const steered = steerOf(rim, flight.vehicle, assetId, verb, params);
  if ('text' in steered) throw new Ended('rejected', steered.text);
  if (!task) throw new Ended('failed', 'it has no task');
  return fly(rim, flight, task, { verb, assetId, ...steered });
}

/** Everything is asked anew; telemetry that is fresh answers. */
async function requestStatus(rim: ControlRim, flight: Flight): Promise<Done> {
  const { vehicle } = flight;
  const sinceMs = rim.nowMs();
  rim.fleet.askAgain(vehicle);
  flight.sentByItself();
  const isNew = (): boolean => vehicle.heartbeat.atMs > sinceMs && (vehicle.position?.atMs ?? 0) > sinceMs;
  if (await flight.until(isNew, 10_000)) return 'it told how it is';
  throw new Ended('timed_out', 'it did not tell how it is');
}

/**
 * The first straight way of a movement, so that one that must not be flown is refused at once; null where there is none, or
 * where it follows from what the target does. `liftM` says that it begins so far above where the vehicle stands.
 */
export function wayOf(
  rim: ControlRim,
  vehicle: Vehicle,
  assetId: string,
  verb: Verb,
  params: CommandParams,
  liftM = 0,
): Way | Refusal | null {
  const itself = params.kind === 'track' ? ownTrack(rim, assetId, params.track_id) : null;
  if (itself !== null) return { reason: 'policy_denied', text: itself };
  if (verb === 'set_speed') return tooFast(rim, assetId, numberOf(params, 'speed_mps'));
  if (verb === 'takeoff' && params.kind === 'value') return upwards(rim, vehicle, params.height_m ?? 0);
  if (!flown.has(verb)) return null;
  const now = ownState(vehicle, rim.nowMs());
  if (now === null) return { reason: 'telemetry_stale', text: 'it has not said where it is just now' };
  const own = { ...now, altHaeM: now.altHaeM + liftM };
  const above = liftM > 0 ? { from: { lat: own.lat, lon: own.lon, altHaeM: own.altHaeM } } : {};
  // What steering asks about is asked from there too.
  const known: ControlRim = {
    ...rim,
    wayBlocked: (...[mover, id, way]) => rim.wayBlocked(mover, id, { ...above, ...way }),
  };
  const steered = steerOf(known, vehicle, assetId, verb, params);
  if ('text' in steered) return steered;
  const step = steered.steer(own);
  if ('lost' in step) return { reason: 'policy_denied', text: step.lost };
  const { standoffM } = steered;
  return { verb, ...above, to: step.to, speedMps: step.speedMps, ...(standoffM ? { standoffM } : {}) };
}

/** A speed has no way; it is held against the same limits. */
function tooFast(rim: ControlRim, assetId: string, speedMps: number): Refusal | null {
  const figures = rim.performance(assetId);
  const mostMps = Math.min(rim.policy().limits.max_speed_mps, figures.max_speed_mps ?? Number.POSITIVE_INFINITY);
  if (speedMps <= mostMps) return null;
  return { reason: 'policy_denied', text: `it would fly ${speedMps.toFixed(1)} m/s; it may ${mostMps.toFixed(1)} m/s` };
}

function upwards(rim: ControlRim, vehicle: Vehicle, heightM: number): Way | null {
  const own = ownState(vehicle, rim.nowMs());
  return own && { verb: 'takeoff', to: { lat: own.lat, lon: own.lon, altHaeM: own.altHaeM + heightM }, speedMps: null };
}

/** The height that parameters say, above the ellipsoid; null where they say none or what it is above is not known. */
export function heightOf(
  rim: Pick<ControlRim, 'groundAltHaeM'>,
  vehicle: Vehicle,
  params: CommandParams,
): number | null {
  if (params.kind !== 'point' && params.kind !== 'zone') return null;
  const at = params.kind === 'point' ? params : placeOf(vehicle);
  if (params.alt_hae_m !== undefined) return params.alt_hae_m;
  if (at === null) return null;
  if (params.alt_msl_m !== undefined) return haeOfMsl(params.alt_msl_m, at.lat, at.lon);
  if (params.alt_agl_m !== undefined) {
    const ground = rim.groundAltHaeM(at.lat, at.lon);
    return ground === null ? null : ground + params.alt_agl_m;
  }
  const position = vehicle.position?.value;
  if (params.height_takeoff_m === undefined || !position) return null;
  return haeOfMsl(position.altMslM - position.relativeAltM + params.height_takeoff_m, at.lat, at.lon);
}

/** Whether parameters name a height at all. */
export function saysHeight(params: CommandParams): boolean {
  return ['alt_hae_m', 'alt_msl_m', 'alt_agl_m', 'height_takeoff_m'].some((field) => field in params);
}

function placeOf({ position }: Vehicle): Pick<FlyPlace, 'lat' | 'lon'> | null {
  const at = position?.value;
  return at && at.latDeg !== null && at.lonDeg !== null ? { lat: at.latDeg, lon: at.lonDeg } : null;
}

function numberOf(params: CommandParams, field: 'height_m' | 'speed_mps' | 'zoom'): number {
  return params.kind === 'value' ? (params[field] ?? 0) : 0;
}
