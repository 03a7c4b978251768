import type { Autopilot, LandedState, VehicleType } from '../model/fleet.ts';

/** Values of MAVLink enumerations (common.xml, minimal.xml) that the fleet uses. */

export const MAV_AUTOPILOT_INVALID = 8;
export const MAV_TYPE_GCS = 6;
export const MAV_TYPE_GIMBAL = 26;
export const MAV_TYPE_CAMERA = 30;
export const MAV_COMP_ID_AUTOPILOT = 1;
export const MODE_FLAG_ARMED = 128;

/** Value of MAV_STATE from which a vehicle reports a serious fault. */
export const MAV_STATE_CRITICAL = 5;

/** Values of MAV_TYPE that are no vehicles, although some send an autopilot's heartbeat. */
const companions: ReadonlySet<number> = new Set([
  5, 6, 18, 26, 27, 30, 31, 32, 33, 34, 36, 38, 39, 40, 41, 42, 44, 48, 49,
]);

export function isVehicle(type: number, autopilot: number): boolean {
  return autopilot !== MAV_AUTOPILOT_INVALID && !companions.has(type);
}

/**
 * Whether a message can address only this system and component. The id 0 is the broadcast address, which every vehicle
 * obeys.
 */
export function isAddressable({ sysid, compid }: { sysid: number; compid: number }): boolean {
  return sysid !== 0 && compid !== 0;
}

export function autopilotOf(number: number): Autopilot {
  return number === 3 ? 'ardupilot' : number === 12 ? 'px4' : 'other';
}

const typeNumbers: Partial<Record<VehicleType, readonly number[]>> = {
  multirotor: [2, 3, 13, 14, 15, 29, 35, 43],
  vtol: [19, 20, 21, 22, 23, 24, 25, 47],
  fixed_wing: [1, 16, 28],
  helicopter: [4],
  airship: [7, 8],
  rover: [10, 46],
  boat: [11],
  submersible: [12],
};
const typeOfNumber = new Map(
  Object.entries(typeNumbers).flatMap(([type, numbers]) => numbers.map((number) => [number, type as VehicleType])),
);

export function vehicleTypeOf(type: number): VehicleType {
  return typeOfNumber.get(type) ?? 'other';
}

const landed: readonly LandedState[] = ['unknown', 'on_ground', 'in_air', 'takeoff', 'landing'];

export function landedOf(state: number): LandedState {
  return landed[state] ?? 'unknown';
}

/** Values of MAV_RESULT. */
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

/** Text of each result, by its value. It continues a sentence whose subject is the vehicle. */
const resultTexts: readonly string[] = [
  'accepted the order',
  'rejected the order for now',
  'denied the order',
  'does not support the order',
  'failed to carry out the order',
  'is still working on the order',
  'cancelled the order',
  'accepts the order only as COMMAND_LONG',
  'accepts the order only as COMMAND_INT',
  'does not accept the altitude frame of the order',
  'is under the control of another station',
];

export function resultText(result: number): string {
  return resultTexts[result] ?? `answered the order with the unknown result ${result}`;
}
