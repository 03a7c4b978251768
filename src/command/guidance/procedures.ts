import { mslOf } from '../../fleet/msl_position.ts';
import type { Vehicle } from '../../fleet/vehicle.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { Command } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { CommandParams, ParamsOf, Verb } from '../../model/verb.ts';
import type { ControlDeps, Leg } from '../deps.ts';
import { ownState } from '../own_state.ts';
import { tooFast } from '../safety/reach.ts';
import { lookAt, lookAtTrack, setCameraMode, startVideo, stopVideo, takeImage, zoom } from './cameras.ts';
import { Ended, type Flight } from './flight.ts';
import { fly } from './fly.ts';
import { heightOf } from './height.ts';
import type { LiveTask } from './live_task.ts';
import { type Done, hold, land, returnHome, setSpeed, takeoff } from './maneuvers.ts';
import { steerOf } from './steer.ts';
import { ownTrack } from './target.ts';

/** A command that is being carried out. `task` is null for a command that is not published as a task. */
type Ordered = { deps: ControlDeps; flight: Flight; command: Command; task: LiveTask | null };

type Value = Required<ParamsOf<'value'>>;
type NumberField = { [F in keyof Value]: NonNullable<Value[F]> extends number ? F : never }[keyof Value];

/** Procedure that carries out a verb. */
type Procedure = {
  /** Carries out a command that passed admission. Throws `Ended` if the command fails. */
  run(ordered: Ordered): Promise<Done>;
  /**
   * Returns the first leg, which is checked before the command begins, or a refusal. Absent for verbs without this
   * check.
   */
  firstLeg?(asked: Asked): Leg | Refusal | null;
  /** True if the command is always published as a task: it flies a path, or keeps the camera on a track. */
  isTask?(params: CommandParams): boolean;
};

const path: Procedure = { run: flyPath, firstLeg: pathLeg, isTask: () => true };

const procedures: Record<Verb, Procedure> = {
  hold: { run: ({ flight }) => hold(flight) },
  return_home: { run: ({ flight }) => returnHome(flight) },
  land: { run: ({ flight }) => land(flight) },
  takeoff: {
    run: ({ flight, command }) => takeoff(flight, numberOf(command.params, 'height_m')),
    firstLeg: (asked) => climbLeg(asked, numberOf(asked.params, 'height_m')),
  },
  goto: path,
  orbit: path,
  shadow: path,
  escort: path,
  search: path,
  set_speed: {
    run: ({ flight, command }) => setSpeed(flight, numberOf(command.params, 'speed_mps')),
    firstLeg: (asked) => speedRefusal(asked, numberOf(asked.params, 'speed_mps')),
  },
  look_at: { run: look, isTask: ({ kind }) => kind === 'track' },
  zoom: { run: ({ flight, command }) => zoom(flight, numberOf(command.params, 'zoom')) },
  take_image: { run: ({ flight }) => takeImage(flight) },
  start_video: { run: ({ flight }) => startVideo(flight) },
  stop_video: { run: ({ flight }) => stopVideo(flight) },
  set_mode: {
    run: ({ flight, command: { params } }) => setCameraMode(flight, params.kind === 'value' ? (params.mode ?? '') : ''),
  },
  request_status: { run: ({ deps, flight }) => requestStatus(deps, flight) },
};

/** Runs the procedure of a command's verb; throws Ended if the command fails. */
export function runProcedure(ordered: Ordered): Promise<Done> {
  return procedures[ordered.command.verb].run(ordered);
}

/** True for commands that are always published as tasks: they fly a path, or keep the camera on a track. */
export function isTask(verb: Verb, params: CommandParams): boolean {
  return procedures[verb].isTask?.(params) ?? false;
}

/**
 * Returns the first straight leg of a movement, or a refusal: a forbidden movement is refused at once. Null if the verb
 * has no leg, or the position before a take-off is unknown.
 */
export function firstLegOf(asked: Asked): Leg | Refusal | null {
  const { deps, assetId, verb, params } = asked;
  const itself = params.kind === 'track' ? ownTrack(deps, assetId, params.track_id) : null;
  if (itself !== null) return { reason: 'policy_denied', text: itself };
  return procedures[verb].firstLeg?.(asked) ?? null;
}

/**
 * Returns a numeric parameter of a command. Admission refuses commands without the number, so the default 0 is never
 * used.
 */
function numberOf(params: CommandParams, field: NumberField): number {
  return params.kind === 'value' ? (params[field] ?? 0) : 0;
}

async function look({ deps, flight, command: { params }, task }: Ordered): Promise<Done> {
  const { sysid } = deps.fleet;
  if (params.kind === 'track' && task) return lookAtTrack(deps, flight, task, params.track_id);
  if (params.kind !== 'point') throw new Ended('rejected', 'the command names neither a point nor a track to look at');
  const ground = deps.groundAltHaeM(params.lat, params.lon);
  const altHaeM = heightOf(deps, flight.vehicle, params) ?? ground;
  if (altHaeM === null)
    throw new Ended('rejected', "the height of the point is unknown: give alt_hae_m or alt_msl_m in 'params'");
  return lookAt(flight, mslOf({ latDeg: params.lat, lonDeg: params.lon, altHaeM }), sysid);
}

async function flyPath({ deps, flight, command, task }: Ordered): Promise<Done> {
  const { verb, params, asset_id: assetId } = command;
  const steered = steerOf(deps, flight.vehicle, assetId, verb, params);
  if ('text' in steered) throw new Ended('rejected', steered.text);
  if (!task) throw new Ended('failed', 'the command has no task');
  return fly(deps, flight, task, { verb, assetId, ...steered });
}

/** Requests all messages of the vehicle again, and waits until new telemetry has arrived. */
async function requestStatus(deps: ControlDeps, flight: Flight): Promise<Done> {
  const { vehicle } = flight;
  const sinceMs = deps.nowMs();
  deps.fleet.askAgain(vehicle);
  flight.sentByItself();
  const isNew = (): boolean => vehicle.heartbeat.atMs > sinceMs && (vehicle.position?.atMs ?? 0) > sinceMs;
  if (await flight.until(isNew, 10_000)) return 'the vehicle reported its status';
  throw new Ended('timed_out', 'the vehicle did not report its heartbeat and position within 10 s');
}

/**
 * A command before it begins. `liftM`: height above the vehicle's present position at which the command's leg begins,
 * m.
 */
type Asked = {
  deps: ControlDeps;
  vehicle: Vehicle;
  assetId: string;
  verb: Verb;
  params: CommandParams;
  liftM?: number;
};

/** Returns the leg to the first point of a path, or a refusal. */
function pathLeg({ deps, vehicle, assetId, verb, params, liftM = 0 }: Asked): Leg | Refusal | null {
  const now = ownState(vehicle, deps.nowMs());
  if (now === null) return { reason: 'telemetry_stale', text: 'the vehicle has reported no position in the last 3 s' };
  const own = { ...now, position: lifted(now.position, liftM) };
  const above = liftM > 0 ? { from: own.position } : {};
  // The legs that guidance tries also begin at the position after the take-off.
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

/**
 * Returns a refusal if an ordered speed exceeds the limits; null if it does not. A command that only sets the speed has
 * no leg.
 */
function speedRefusal({ deps, assetId }: Asked, speedMps: number): Refusal | null {
  return tooFast({ speedMps }, { limits: deps.policy().limits, performance: deps.performance(assetId) });
}

function climbLeg({ deps, vehicle }: Asked, heightM: number): Leg | null {
  const own = ownState(vehicle, deps.nowMs());
  return own && { verb: 'takeoff', to: lifted(own.position, heightM), speedMps: null };
}

function lifted(at: Geodetic, byM: number): Geodetic {
  return { ...at, altHaeM: at.altHaeM + byM };
}
