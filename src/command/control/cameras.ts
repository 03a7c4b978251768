import { CMD } from '../fleet/mav.ts';
import type { Camera, Vehicle } from '../fleet/vehicle.ts';
import { Ended, type Flight } from './flight.ts';
import type { Done } from './maneuvers.ts';

/** A place to look at; the height is above mean sea level. */
export type LookPlace = { latDeg: number; lonDeg: number; altMslM: number };

/** Where the status of the gimbal is not told so long, who has it is not known. */
const PRIMARY_FRESH_MS = 5_000;
const COMP_ALL = 0;

/** Turns the gimbal to a place, once nobody else has it in hand: control is never taken from another silently. */
export async function lookAt(flight: Flight, { latDeg, lonDeg, altMslM }: LookPlace, ownSysid: number): Promise<Done> {
  const { vehicle } = flight;
  const { gimbal } = vehicle;
  if (!gimbal) throw new Ended('rejected', 'it has no gimbal');
  await takeGimbal(flight, ownSysid);
  const place = { latDeg, lonDeg, altM: altMslM, frame: 0 as const };
  await flight.order({
    command: CMD.doSetRoiLocation,
    params: [0, 0, 0, 0],
    place,
    compid: gimbal.compid,
    repeat: true,
  });
  return 'it looks there';
}

/** Who has a gimbal in hand besides us; 0 where nobody. */
export function gimbalOwner({ gimbal }: Vehicle, ownSysid: number, nowMs: number): number {
  const primary = gimbal?.primary;
  if (!primary || nowMs - primary.atMs > PRIMARY_FRESH_MS) return 0;
  return primary.value.sysid === ownSysid ? 0 : primary.value.sysid;
}

async function takeGimbal(flight: Flight, ownSysid: number): Promise<void> {
  const { vehicle } = flight;
  const { gimbal } = vehicle;
  if (!gimbal) return;
  const other = gimbalOwner(vehicle, ownSysid, flight.nowMs());
  // The vehicle's own autopilot gives way; another station's operator does not know of us.
  if (other !== 0 && other !== vehicle.sysid) {
    throw new Ended('rejected', `the station with the system id ${other} has its gimbal in hand`);
  }
  if (gimbal.primary?.value.sysid === ownSysid) return;
  // -2: ourselves.
  const params = [-2, -2, -1, -1, 0, 0, 0];
  await flight.order({ command: CMD.gimbalManagerConfigure, params, compid: gimbal.compid, repeat: true });
}

/** MAV_CMD_SET_CAMERA_ZOOM with ZOOM_TYPE_RANGE: percent of the range. */
export async function zoom(flight: Flight, percent: number): Promise<Done> {
  await ofCamera(flight, 'zoom', CMD.setCameraZoom, [2, percent]);
  return `it zooms to ${percent} %`;
}

export async function takeImage(flight: Flight): Promise<Done> {
  // One picture, with the sequence number that a single one has.
  await ofCamera(flight, 'image', CMD.imageStartCapture, [COMP_ALL, 0, 1, 0], false);
  return 'it took a picture';
}

export async function startVideo(flight: Flight): Promise<Done> {
  await ofCamera(flight, 'video', CMD.videoStartCapture, [0, 0]);
  return 'it records';
}

export async function stopVideo(flight: Flight): Promise<Done> {
  await ofCamera(flight, 'video', CMD.videoStopCapture, [0]);
  return 'it stopped recording';
}

/** CAMERA_MODE. */
export const cameraModes = ['image', 'video', 'survey'] as const;

export async function setCameraMode(flight: Flight, mode: string): Promise<Done> {
  const number = (cameraModes as readonly string[]).indexOf(mode);
  if (number < 0) throw new Ended('rejected', `its modes are ${cameraModes.join(', ')}, and not ${mode}`);
  await ofCamera(flight, 'modes', CMD.setCameraMode, [0, number]);
  return `its camera is in the mode ${mode}`;
}

async function ofCamera(
  flight: Flight,
  can: keyof Camera,
  command: number,
  params: number[],
  repeat = true,
): Promise<void> {
  const [compid] = [...flight.vehicle.cameras].find(([, camera]) => camera[can]) ?? [];
  if (compid === undefined) throw new Ended('rejected', 'it has no camera that does this');
  await flight.order({ command, params, compid, repeat });
}
