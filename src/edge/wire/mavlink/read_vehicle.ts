import { EkfStatusReport } from 'mavlink-mappings/dist/lib/ardupilotmega.js';
import * as common from 'mavlink-mappings/dist/lib/common.js';
import { AutopilotVersion as Version } from 'mavlink-mappings/dist/lib/standard.js';
import { readFields } from './message_fields.ts';

/**
 * Readers for the state and the answers of vehicles, except HEARTBEAT and GLOBAL_POSITION_INT. Null means that the
 * message marks the value as unknown.
 */

export type CommandAck = {
  command: number;
  /**
   * MAV_RESULT: 0 accepted, 1 temporarily rejected, 2 denied, 3 unsupported, 4 failed, 5 in progress, 6 cancelled.
   * With 7 to 9 the vehicle asks for another form of the command.
   */
  result: number;
  progressPct: number | null;
  /** Addressee of the acknowledgement; 0 if it names none. */
  targetSystem: number;
  targetComponent: number;
};

export function readCommandAck(payload: Uint8Array): CommandAck {
  const { command, result, progress, targetSystem, targetComponent } = readFields(common.CommandAck, payload);
  return { command, result, progressPct: progress > 100 ? null : progress, targetSystem, targetComponent };
}

/** Bit MAV_SYS_STATUS_PREARM_CHECK of the sensor flags. */
const PREARM = 1 << 28;

export type SysStatus = { energyPct: number | null; prearmOk: boolean | null };

export function readSysStatus(payload: Uint8Array): SysStatus {
  const {
    batteryRemaining: remaining,
    onboardControlSensorsPresent: present,
    onboardControlSensorsHealth: health,
  } = readFields(common.SysStatus, payload);
  return {
    energyPct: remaining < 0 || remaining > 100 ? null : remaining,
    prearmOk: (present & PREARM) === 0 ? null : (health & PREARM) !== 0,
  };
}

/** Reads MAV_LANDED_STATE: 0 undefined, 1 on ground, 2 in air, 3 taking off, 4 landing. */
export function readLandedState(payload: Uint8Array): number {
  return readFields(common.ExtendedSysState, payload).landedState;
}

export type AutopilotVersion = {
  capabilities: bigint;
  /** Hardware id as 36 hexadecimal digits; null if all are zero. */
  uid2: string | null;
  flightVersion: number;
};

export function readAutopilotVersion(payload: Uint8Array): AutopilotVersion {
  const { capabilities, uid2, flightSwVersion } = readFields(Version, payload);
  return {
    capabilities: BigInt(capabilities),
    uid2: uid2.every((byte) => byte === 0) ? null : Buffer.from(uid2).toString('hex'),
    flightVersion: flightSwVersion,
  };
}

/** Position in the form of MAVLink: its altitude is above mean sea level. */
export type MslPosition = { latDeg: number; lonDeg: number; altMslM: number };

/** Reads HOME_POSITION; null if no home position is set. */
export function readHomePosition(payload: Uint8Array): MslPosition | null {
  const { latitude, longitude, altitude } = readFields(common.HomePosition, payload);
  return isPlace(latitude, longitude)
    ? { latDeg: latitude / 1e7, lonDeg: longitude / 1e7, altMslM: altitude / 1000 }
    : null;
}

/** True for a valid position in degE7; both coordinates zero mean unknown. */
function isPlace(latE7: number, lonE7: number): boolean {
  return (latE7 !== 0 || lonE7 !== 0) && Math.abs(latE7) <= 90e7 && Math.abs(lonE7) <= 180e7;
}

/** Frames whose altitudes are above mean sea level: MAV_FRAME_GLOBAL and MAV_FRAME_GLOBAL_INT. */
const MSL_FRAMES: ReadonlySet<number> = new Set([0, 5]);
/** POSITION_TARGET_TYPEMASK bits that mark x, y and z as ignored. */
const NO_PLACE = 0b111;

/**
 * Reads POSITION_TARGET_GLOBAL_INT, the position to which the vehicle flies. Null if there is none, or if its
 * altitude is not above mean sea level.
 */
export function readPositionTarget(payload: Uint8Array): MslPosition | null {
  const { latInt, lonInt, alt, typeMask, coordinateFrame } = readFields(common.PositionTargetGlobalInt, payload);
  if ((typeMask & NO_PLACE) !== 0 || !MSL_FRAMES.has(coordinateFrame)) return null;
  if (!isPlace(latInt, lonInt) || !Number.isFinite(alt)) return null;
  return { latDeg: latInt / 1e7, lonDeg: lonInt / 1e7, altMslM: alt };
}

/**
 * State of the vehicle's own fence. `breach` is FENCE_BREACH: 0 none, 1 lowest height, 2 greatest height, 3 boundary.
 */
export type FenceStatus = { isBreached: boolean; breach: number };

/** Reads FENCE_STATUS, which ArduPilot sends while its own fence is enabled. */
export function readFenceStatus(payload: Uint8Array): FenceStatus {
  const { breachStatus, breachType } = readFields(common.FenceStatus, payload);
  return { isBreached: breachStatus !== 0, breach: breachType };
}

/** Reads GPS_RAW_INT. GPS_FIX_TYPE: 0 no receiver, 1 no fix, 2 two-dimensional, 3 and above three-dimensional. */
export function readGpsFix(payload: Uint8Array): { fixType: number; satellites: number | null } {
  const { fixType, satellitesVisible } = readFields(common.GpsRawInt, payload);
  return { fixType, satellites: satellitesVisible === 255 ? null : satellitesVisible };
}

/** Reads the time since the sender's start from SYSTEM_TIME, ms. */
export function readBootMs(payload: Uint8Array): number {
  return readFields(common.SystemTime, payload).timeBootMs;
}

/** Reads STATUSTEXT: MAV_SEVERITY (0 emergency to 7 debug), and the first 50 characters of the text. */
export function readStatusText(payload: Uint8Array): { severity: number; text: string } {
  const { severity, text } = readFields(common.StatusText, payload);
  return { severity, text };
}

export type AvailableMode = {
  customMode: number;
  /** MAV_MODE_PROPERTY bits: 1 advanced, 2 not selectable by users, 4 automatic. */
  properties: number;
  count: number;
  index: number;
  /** MAV_STANDARD_MODE; 0 if the mode is no standard mode. */
  standardMode: number;
  name: string;
};

export function readAvailableMode(payload: Uint8Array): AvailableMode {
  const { customMode, properties, numberModes, modeIndex, standardMode, modeName } = readFields(
    common.AvailableModes,
    payload,
  );
  return { customMode, properties, count: numberModes, index: modeIndex, standardMode, name: modeName };
}

/**
 * Reads EKF_STATUS_REPORT (ArduPilot): whether the absolute horizontal position is known. ArduPilot does not arm in the
 * mode GUIDED without it.
 */
export function readEkfHasPosition(payload: Uint8Array): boolean {
  const POS_HORIZ_ABS = 16;
  return (readFields(EkfStatusReport, payload).flags & POS_HORIZ_ABS) !== 0;
}

/** Reads GIMBAL_MANAGER_STATUS: system id and component id in primary control; 0 for none. */
export function readGimbalPrimary(payload: Uint8Array): { sysid: number; compid: number } {
  const { primaryControlSysid, primaryControlCompid } = readFields(common.GimbalManagerStatus, payload);
  return { sysid: primaryControlSysid, compid: primaryControlCompid };
}

/** Capabilities of a camera, from CAMERA_CAP_FLAGS of CAMERA_INFORMATION. */
export type Camera = { video: boolean; image: boolean; modes: boolean; zoom: boolean };

export function readCameraFlags(payload: Uint8Array): Camera {
  const { flags } = readFields(common.CameraInformation, payload);
  return { video: (flags & 1) !== 0, image: (flags & 2) !== 0, modes: (flags & 4) !== 0, zoom: (flags & 64) !== 0 };
}
