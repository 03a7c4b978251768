/**
 * What vehicles say of themselves and answer, beside HEARTBEAT and GLOBAL_POSITION_INT. Payloads are zero-filled to their
 * full length (see MavlinkOther); field offsets are those of the wire, largest field first (MAVLink guide, serialization;
 * common.xml). Values are SI, and null where the wire's sentinel says unknown.
 */

const text = new TextDecoder('utf-8');

const viewOf = (payload: Uint8Array): DataView => new DataView(payload.buffer, payload.byteOffset, payload.byteLength);

/** Characters up to the first NUL; what is no text is dropped. */
function charsOf(payload: Uint8Array, from: number, length: number): string {
  const bytes = payload.subarray(from, from + length);
  const end = bytes.indexOf(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is dropped
  return text.decode(end < 0 ? bytes : bytes.subarray(0, end)).replaceAll(/[\u0000-\u001f\u007f\ufffd]/g, '');
}

export type CommandAck = {
  command: number;
  /** MAV_RESULT: 0 accepted, 1 temporarily rejected, 2 denied, 3 unsupported, 4 failed, 5 in progress, 6 cancelled, 7 to 9 ask for another form. */
  result: number;
  progressPct: number | null;
  /** 0 where the sender does not say whom it answers. */
  targetSystem: number;
  targetComponent: number;
};

export function readCommandAck(payload: Uint8Array): CommandAck {
  const view = viewOf(payload);
  const progress = view.getUint8(3);
  return {
    command: view.getUint16(0, true),
    result: view.getUint8(2),
    progressPct: progress > 100 ? null : progress,
    targetSystem: view.getUint8(8),
    targetComponent: view.getUint8(9),
  };
}

/** MAV_SYS_STATUS_PREARM_CHECK. */
const PREARM = 1 << 28;

export type SysStatus = { energyPct: number | null; prearmOk: boolean | null };

export function readSysStatus(payload: Uint8Array): SysStatus {
  const view = viewOf(payload);
  const present = view.getUint32(0, true);
  const health = view.getUint32(8, true);
  const remaining = view.getInt8(30);
  return {
    energyPct: remaining < 0 || remaining > 100 ? null : remaining,
    prearmOk: (present & PREARM) === 0 ? null : (health & PREARM) !== 0,
  };
}

/** MAV_LANDED_STATE: 0 undefined, 1 on ground, 2 in air, 3 taking off, 4 landing. */
export function readLandedState(payload: Uint8Array): number {
  return viewOf(payload).getUint8(1);
}

export type AutopilotVersion = {
  capabilities: bigint;
  /** 36 hexadecimal digits; null where all are zero. */
  uid2: string | null;
  flightVersion: number;
};

export function readAutopilotVersion(payload: Uint8Array): AutopilotVersion {
  const view = viewOf(payload);
  const uid2 = Buffer.from(payload.subarray(60, 78)).toString('hex');
  return {
    capabilities: view.getBigUint64(0, true),
    uid2: /^0*$/.test(uid2) ? null : uid2,
    flightVersion: view.getUint32(16, true),
  };
}

export type HomePosition = { latDeg: number; lonDeg: number; altMslM: number };

/** Null where nobody set it. */
export function readHomePosition(payload: Uint8Array): HomePosition | null {
  const view = viewOf(payload);
  const [latE7, lonE7] = [view.getInt32(0, true), view.getInt32(4, true)];
  if (latE7 === 0 && lonE7 === 0) return null;
  if (Math.abs(latE7) > 90e7 || Math.abs(lonE7) > 180e7) return null;
  return { latDeg: latE7 / 1e7, lonDeg: lonE7 / 1e7, altMslM: view.getInt32(8, true) / 1000 };
}

export type PositionTarget = { latDeg: number; lonDeg: number; altMslM: number };

/** MAV_FRAME_GLOBAL and MAV_FRAME_GLOBAL_INT: altitudes are above mean sea level. */
const MSL_FRAMES: ReadonlySet<number> = new Set([0, 5]);
/** POSITION_TARGET_TYPEMASK: x, y and z are to be ignored. */
const NO_PLACE = 0b111;

/** POSITION_TARGET_GLOBAL_INT: where the vehicle flies to; null where that is no place on the earth above sea level. */
export function readPositionTarget(payload: Uint8Array): PositionTarget | null {
  const view = viewOf(payload);
  const [latE7, lonE7] = [view.getInt32(4, true), view.getInt32(8, true)];
  const altMslM = view.getFloat32(12, true);
  if ((view.getUint16(48, true) & NO_PLACE) !== 0 || !MSL_FRAMES.has(view.getUint8(50))) return null;
  if ((latE7 === 0 && lonE7 === 0) || Math.abs(latE7) > 90e7 || Math.abs(lonE7) > 180e7) return null;
  return Number.isFinite(altMslM) ? { latDeg: latE7 / 1e7, lonDeg: lonE7 / 1e7, altMslM } : null;
}

/** `breach` is FENCE_BREACH: 0 none, 1 lowest height, 2 greatest height, 3 boundary. */
export type FenceStatus = { isBreached: boolean; breach: number };

/** FENCE_STATUS, which ArduPilot sends while its own fence is switched on. */
export function readFenceStatus(payload: Uint8Array): FenceStatus {
  const view = viewOf(payload);
  return { isBreached: view.getUint8(6) !== 0, breach: view.getUint8(7) };
}

/** GPS_FIX_TYPE: 0 none, 1 no fix, 2 in two dimensions, 3 and up in three. */
export function readGpsFix(payload: Uint8Array): { fixType: number; satellites: number | null } {
  const view = viewOf(payload);
  const satellites = view.getUint8(29);
  return { fixType: view.getUint8(28), satellites: satellites === 255 ? null : satellites };
}

/** Milliseconds since the sender's start. */
export function readBootMs(payload: Uint8Array): number {
  return viewOf(payload).getUint32(8, true);
}

/** MAV_SEVERITY 0 emergency to 7 debug, and the first 50 characters of what was said. */
export function readStatusText(payload: Uint8Array): { severity: number; text: string } {
  return { severity: viewOf(payload).getUint8(0), text: charsOf(payload, 1, 50) };
}

export type AvailableMode = {
  customMode: number;
  /** MAV_MODE_PROPERTY: 1 advanced, 2 not for users to choose, 4 auto. */
  properties: number;
  count: number;
  index: number;
  /** MAV_STANDARD_MODE; 0 where it is none. */
  standardMode: number;
  name: string;
};

export function readAvailableMode(payload: Uint8Array): AvailableMode {
  const view = viewOf(payload);
  return {
    customMode: view.getUint32(0, true),
    properties: view.getUint32(4, true),
    count: view.getUint8(8),
    index: view.getUint8(9),
    standardMode: view.getUint8(10),
    name: charsOf(payload, 11, 35),
  };
}

/** EKF_STATUS_REPORT (ArduPilot): whether the horizontal position is known absolutely, without which GUIDED does not arm. */
export function readEkfHasPosition(payload: Uint8Array): boolean {
  const POS_HORIZ_ABS = 16;
  return (viewOf(payload).getUint16(20, true) & POS_HORIZ_ABS) !== 0;
}

/** GIMBAL_MANAGER_STATUS: which system and component has it in hand; 0 where none. */
export function readGimbalPrimary(payload: Uint8Array): { sysid: number; compid: number } {
  const view = viewOf(payload);
  return { sysid: view.getUint8(9), compid: view.getUint8(10) };
}

/** CAMERA_CAP_FLAGS of CAMERA_INFORMATION. */
export function readCameraFlags(payload: Uint8Array): {
  video: boolean;
  image: boolean;
  modes: boolean;
  zoom: boolean;
} {
  const flags = viewOf(payload).getUint32(20, true);
  return { video: (flags & 1) !== 0, image: (flags & 2) !== 0, modes: (flags & 4) !== 0, zoom: (flags & 64) !== 0 };
}
