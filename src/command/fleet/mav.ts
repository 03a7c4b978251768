import type { Autopilot, LandedState, VehicleType } from '../../model/fleet.ts';

/** Numbers of MAVLink's enumerations (common.xml, minimal.xml) that the fleet goes by. */

export const MAV_AUTOPILOT_INVALID = 8;
export const MAV_TYPE_GCS = 6;
export const MAV_TYPE_GIMBAL = 26;
export const MAV_TYPE_CAMERA = 30;
export const MAV_COMP_ID_AUTOPILOT = 1;
export const MODE_FLAG_ARMED = 128;

/** MAV_STATE: from critical on the vehicle says that something is badly wrong. */
export const MAV_STATE_CRITICAL = 5;

/** MAV_TYPEs of things that fly nowhere although some send an autopilot's heartbeat. */
const companions: ReadonlySet<number> = new Set([
  5, 6, 18, 26, 27, 30, 31, 32, 33, 34, 36, 38, 39, 40, 41, 42, 44, 48, 49,
]);

export function isVehicle(type: number, autopilot: number): boolean {
  return autopilot !== MAV_AUTOPILOT_INVALID && !companions.has(type);
}

/** System 0 and component 0 are all there are: what is told to them, everybody obeys. */
export function isAddressable({ sysid, compid }: { sysid: number; compid: number }): boolean {
  return sysid !== 0 && compid !== 0;
}

export function autopilotOf(number: number): Autopilot {
  return number === 3 ? 'ardupilot' : number === 12 ? 'px4' : 'other';
}

const multirotors: ReadonlySet<number> = new Set([2, 3, 13, 14, 15, 29, 35, 43]);
const vtols: ReadonlySet<number> = new Set([19, 20, 21, 22, 23, 24, 25, 47]);

export function vehicleTypeOf(type: number): VehicleType {
  if (multirotors.has(type)) return 'multirotor';
  if (vtols.has(type)) return 'vtol';
  switch (type) {
    case 1:
    case 16:
    case 28:
      return 'fixed_wing';
    case 4:
      return 'helicopter';
    case 7:
    case 8:
      return 'airship';
    case 10:
    case 46:
      return 'rover';
    case 11:
      return 'boat';
    case 12:
      return 'submersible';
    default:
      return 'other';
  }
}

const landed: readonly LandedState[] = ['unknown', 'on_ground', 'in_air', 'takeoff', 'landing'];

export function landedOf(state: number): LandedState {
  return landed[state] ?? 'unknown';
}

/** MAV_CMD. There is none here that arms in flight, disarms, terminates, drops or releases, and none is added. */
export const CMD = {
  navReturnToLaunch: 20,
  navLand: 21,
  navTakeoff: 22,
  doSetMode: 176,
  doChangeSpeed: 178,
  doReposition: 192,
  doSetRoiLocation: 195,
  doSetStandardMode: 262,
  componentArmDisarm: 400,
  setMessageInterval: 511,
  requestMessage: 512,
  setCameraMode: 530,
  setCameraZoom: 531,
  gimbalManagerConfigure: 1001,
  imageStartCapture: 2000,
  videoStartCapture: 2500,
  videoStopCapture: 2501,
} as const;

/** MAV_RESULT. */
export const RESULT = {
  accepted: 0,
  temporarilyRejected: 1,
  denied: 2,
  unsupported: 3,
  failed: 4,
  inProgress: 5,
  cancelled: 6,
  longOnly: 7,
  intOnly: 8,
  unsupportedFrame: 9,
  notInControl: 10,
} as const;

/** What a vehicle did, as a sentence goes on after its name. */
const resultWords: readonly string[] = [
  'accepted it',
  'rejected it for now',
  'denied it',
  'does not support it',
  'failed at it',
  'is at it',
  'cancelled it',
  'takes it as COMMAND_LONG only',
  'takes it as COMMAND_INT only',
  'does not take the altitude frame',
  'obeys another station',
];

export function resultText(result: number): string {
  return resultWords[result] ?? `answered with result ${result}`;
}
