import type { Camera, MslPosition } from '../../edge/wire/mavlink/read_vehicle.ts';
import { SILENT_AFTER_MS } from '../../fleet/available.ts';
import { mslOf } from '../../fleet/msl_position.ts';
import type { Vehicle } from '../../fleet/vehicle.ts';
import { CMD } from '../../fleet/verbs.ts';
import type { ControlDeps } from '../deps.ts';
import { ownState } from '../own_state.ts';
import { Ended, type Flight } from './flight.ts';
import type { LiveTask } from './live_task.ts';
import type { Done } from './maneuvers.ts';
import { apartM } from './place_orders.ts';
import { seen } from './target.ts';

/** Greatest age at which a gimbal's status still shows which station controls the gimbal, ms. */
const PRIMARY_FRESH_MS = 5_000;
const COMP_ALL = 0;

const STEP_MS = 1_000;

type Gimbal = NonNullable<Vehicle['gimbal']>;

/** Points the gimbal at a position. Throws `Ended` if the vehicle has no gimbal, or another station controls it. */
export async function lookAt(
  flight: Flight,
  { latDeg, lonDeg, altMslM }: MslPosition,
  ownSysid: number,
): Promise<Done> {
  const { vehicle } = flight;
  const { gimbal } = vehicle;
  if (!gimbal) throw new Ended('rejected', 'the vehicle reports no gimbal');
  await takeGimbal(flight, gimbal, ownSysid);
  const place = { latDeg, lonDeg, altM: altMslM, frame: 0 as const };
  const order = { command: CMD.doSetRoiLocation, params: [0, 0, 0, 0], repeat: true };
  await flight.order({ ...order, place, compid: gimbal.compid });
  return 'the camera points at the position';
}

/** Returns the system id of another station in primary control of a gimbal; 0 if there is none. */
function gimbalOwner({ primary }: Gimbal, ownSysid: number, nowMs: number): number {
  if (!primary || nowMs - primary.atMs > PRIMARY_FRESH_MS) return 0;
  return primary.value.sysid === ownSysid ? 0 : primary.value.sysid;
}

async function takeGimbal(flight: Flight, gimbal: Gimbal, ownSysid: number): Promise<void> {
  const { vehicle } = flight;
  const other = gimbalOwner(gimbal, ownSysid, flight.nowMs());
  // The vehicle's own autopilot yields control of the gimbal. The operator of another station would not notice that we
  // take it.
  if (other !== 0 && other !== vehicle.sysid) {
    throw new Ended('rejected', `another station (system id ${other}) controls the gimbal of the vehicle`);
  }
  if (gimbal.primary?.value.sysid === ownSysid) return;
  // Special ids of DO_GIMBAL_MANAGER_CONFIGURE: -2 gives primary control to the sender, -1 keeps secondary control as
  // it is.
  const params = [-2, -2, -1, -1, 0, 0, 0];
  await flight.order({ command: CMD.gimbalManagerConfigure, params, compid: gimbal.compid, repeat: true });
}

/** Zooms to `percent` of the zoom range: MAV_CMD_SET_CAMERA_ZOOM with ZOOM_TYPE_RANGE. */
export function zoom(flight: Flight, percent: number): Promise<Done> {
  return useCamera(flight, 'zoom', CMD.setCameraZoom, [2, percent], `the camera zooms to ${percent} %`);
}

/**
 * Takes one picture, with the sequence number 0. The order is not repeated, since a repeat could take a second picture.
 */
export function takeImage(flight: Flight): Promise<Done> {
  return useCamera(flight, 'image', CMD.imageStartCapture, [COMP_ALL, 0, 1, 0], 'the camera took a picture', false);
}

export function startVideo(flight: Flight): Promise<Done> {
  return useCamera(flight, 'video', CMD.videoStartCapture, [0, 0], 'the camera records a video');
}

export function stopVideo(flight: Flight): Promise<Done> {
  return useCamera(flight, 'video', CMD.videoStopCapture, [0], 'the camera stopped recording');
}

/** Names of the values of the MAVLink enum CAMERA_MODE, in its order. */
const cameraModes = ['image', 'video', 'survey'] as const;

export async function setCameraMode(flight: Flight, mode: string): Promise<Done> {
  const number = (cameraModes as readonly string[]).indexOf(mode);
  if (number < 0) throw new Ended('rejected', `the camera mode must be one of ${cameraModes.join(', ')}, not ${mode}`);
  return useCamera(flight, 'modes', CMD.setCameraMode, [0, number], `the camera is in the mode ${mode}`);
}

/** Ends of the sentence about a missing camera, by the required capability. */
const abilities: Readonly<Record<keyof Camera, string>> = {
  video: 'records video',
  image: 'takes pictures',
  modes: 'has modes',
  zoom: 'zooms',
};

async function useCamera(
  flight: Flight,
  can: keyof Camera,
  command: number,
  params: number[],
  done: Done,
  repeat = true,
): Promise<Done> {
  const [compid] = [...flight.vehicle.cameras].find(([, camera]) => camera[can]) ?? [];
  if (compid === undefined) throw new Ended('rejected', `the vehicle reports no camera that ${abilities[can]}`);
  await flight.order({ command, params, compid, repeat });
  return done;
}

/**
 * Keeps the camera on a track. Never resolves: it throws `Ended` when the command ends, the vehicle is silent, or the
 * track is lost, too old, or without a height.
 */
export async function lookAtTrack(deps: ControlDeps, flight: Flight, task: LiveTask, trackId: string): Promise<Done> {
  for (;;) {
    if (deps.nowMs() - flight.vehicle.receivedMs > SILENT_AFTER_MS)
      throw new Ended('failed', 'the link to the vehicle is lost');
    const target = seen(deps, trackId);
    if ('lost' in target) throw new Ended('failed', target.lost);
    const { lat: latDeg, lon: lonDeg, alt_hae_m: altHaeM } = target.position;
    if (altHaeM === null)
      throw new Ended('failed', `the camera cannot follow ${target.label}, because its height is unknown`);
    await lookAt(flight, mslOf({ latDeg, lonDeg, altHaeM }), deps.fleet.sysid);
    flight.goOn();
    const own = ownState(flight.vehicle, deps.nowMs());
    const distanceM = own && apartM(own.position, { latDeg, lonDeg, altHaeM });
    task.set({ phase: 'on_station', distance_m: distanceM === null ? null : Math.round(distanceM * 10) / 10 });
    await flight.until(() => false, STEP_MS);
  }
}
