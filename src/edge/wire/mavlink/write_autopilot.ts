import { messageIds } from './known.ts';
import type { AutopilotVersion, AvailableMode, CommandAck, HomePosition, PositionTarget } from './read_vehicle.ts';
import { emptyPayload, type Payload } from './write.ts';

/**
 * What an autopilot says of itself and answers, beside HEARTBEAT and GLOBAL_POSITION_INT: the other end of
 * `read_vehicle.ts`, spoken by the simulated ones. Offsets are those of the wire; values are SI.
 */

/** MAV_SYS_STATUS_SENSOR: gyroscope, accelerometer, magnetometer, pressure, airspeed's, GPS; and the checks before arming. */
const SENSORS = 0b10_1111;
const PREARM = 1 << 28;

export type PowerState = { energyPct: number; volts: number; amperes: number };

export function writeSysStatus({ energyPct, volts, amperes }: PowerState, prearmOk: boolean): Payload {
  const written = emptyPayload(messageIds.sysStatus);
  const { payload } = written;
  payload.writeUInt32LE(SENSORS | PREARM, 0);
  payload.writeUInt32LE(SENSORS | PREARM, 4);
  payload.writeUInt32LE(prearmOk ? SENSORS | PREARM : SENSORS, 8);
  payload.writeUInt16LE(200, 12);
  payload.writeUInt16LE(Math.round(volts * 1000), 14);
  payload.writeInt16LE(Math.round(amperes * 100), 16);
  payload.writeInt8(Math.round(energyPct), 30);
  return written;
}

/** One battery; `leftS` is how long it lasts as it is drawn from now, 0 where that is not known. */
export function writeBatteryStatus({ energyPct, volts, amperes }: PowerState, leftS: number): Payload {
  const written = emptyPayload(messageIds.batteryStatus);
  const { payload } = written;
  payload.writeInt32LE(-1, 0);
  payload.writeInt32LE(-1, 4);
  payload.writeInt16LE(0x7fff, 8);
  payload.writeUInt16LE(Math.round(volts * 1000), 10);
  for (let cell = 1; cell < 10; cell++) payload.writeUInt16LE(0xffff, 10 + 2 * cell);
  payload.writeInt16LE(Math.round(amperes * 100), 30);
  payload.writeInt8(Math.round(energyPct), 35);
  payload.writeInt32LE(Math.round(leftS), 36);
  return written;
}

export function writeSystemTime(bootMs: number): Payload {
  const written = emptyPayload(messageIds.systemTime);
  written.payload.writeUInt32LE(bootMs, 8);
  return written;
}

/** Nothing of POSITION_TARGET_GLOBAL_INT but x, y and z is meant. */
const PLACE_ONLY = 0xfdf8;

/** POSITION_TARGET_GLOBAL_INT as ArduPilot sends it: the place alone, above mean sea level. */
export function writePositionTarget(bootMs: number, { latDeg, lonDeg, altMslM }: PositionTarget): Payload {
  const written = emptyPayload(messageIds.positionTargetGlobalInt);
  const { payload } = written;
  payload.writeUInt32LE(bootMs, 0);
  payload.writeInt32LE(Math.round(latDeg * 1e7), 4);
  payload.writeInt32LE(Math.round(lonDeg * 1e7), 8);
  payload.writeFloatLE(altMslM, 12);
  payload.writeUInt16LE(PLACE_ONLY, 48);
  return written;
}

export type GpsFix = {
  bootMs: number;
  latDeg: number;
  lonDeg: number;
  altMslM: number;
  speedMps: number;
  courseDeg: number;
};

/** GPS_RAW_INT of a good fix in three dimensions. */
export function writeGpsRaw({ bootMs, latDeg, lonDeg, altMslM, speedMps, courseDeg }: GpsFix): Payload {
  const written = emptyPayload(messageIds.gpsRawInt);
  const { payload } = written;
  payload.writeBigUInt64LE(BigInt(bootMs) * 1_000n, 0);
  payload.writeInt32LE(Math.round(latDeg * 1e7), 8);
  payload.writeInt32LE(Math.round(lonDeg * 1e7), 12);
  payload.writeInt32LE(Math.round(altMslM * 1000), 16);
  payload.writeUInt16LE(80, 20);
  payload.writeUInt16LE(120, 22);
  payload.writeUInt16LE(Math.round(speedMps * 100), 24);
  payload.writeUInt16LE(Math.round(courseDeg * 100) % 36_000, 26);
  payload[28] = 3;
  payload[29] = 14;
  return written;
}

/** MAV_VTOL_STATE and MAV_LANDED_STATE. */
export function writeExtendedSysState(vtolState: number, landedState: number): Payload {
  const written = emptyPayload(messageIds.extendedSysState);
  written.payload[0] = vtolState;
  written.payload[1] = landedState;
  return written;
}

export function writeHomePosition({ latDeg, lonDeg, altMslM }: HomePosition): Payload {
  const written = emptyPayload(messageIds.homePosition);
  const { payload } = written;
  payload.writeInt32LE(Math.round(latDeg * 1e7), 0);
  payload.writeInt32LE(Math.round(lonDeg * 1e7), 4);
  payload.writeInt32LE(Math.round(altMslM * 1000), 8);
  payload.writeFloatLE(1, 24);
  return written;
}

export function writeAutopilotVersion({ capabilities, uid2, flightVersion }: AutopilotVersion): Payload {
  const written = emptyPayload(messageIds.autopilotVersion);
  written.payload.writeBigUInt64LE(capabilities, 0);
  written.payload.writeUInt32LE(flightVersion, 16);
  if (uid2 !== null) written.payload.write(uid2, 60, 18, 'hex');
  return written;
}

export function writeCommandAck({ command, result, progressPct, targetSystem, targetComponent }: CommandAck): Payload {
  const written = emptyPayload(messageIds.commandAck);
  const { payload } = written;
  payload.writeUInt16LE(command, 0);
  payload[2] = result;
  payload[3] = progressPct ?? 255;
  payload[8] = targetSystem;
  payload[9] = targetComponent;
  return written;
}

export function writeAvailableMode(mode: AvailableMode): Payload {
  const written = emptyPayload(messageIds.availableModes);
  const { payload } = written;
  payload.writeUInt32LE(mode.customMode, 0);
  payload.writeUInt32LE(mode.properties, 4);
  payload[8] = mode.count;
  payload[9] = mode.index;
  payload[10] = mode.standardMode;
  payload.write(mode.name, 11, 35, 'ascii');
  return written;
}

/** EKF_STATUS_REPORT (ArduPilot) of an estimate that has everything. */
export function writeEkfStatus(): Payload {
  const written = emptyPayload(messageIds.ekfStatusReport);
  for (const at of [0, 4, 8, 12]) written.payload.writeFloatLE(0.05, at);
  written.payload.writeUInt16LE(831, 20);
  return written;
}

/** STATUSTEXT: MAV_SEVERITY, and what fits of what is said. */
export function writeStatusText(severity: number, text: string): Payload {
  const written = emptyPayload(messageIds.statusText);
  written.payload[0] = severity;
  written.payload.write(text, 1, 50, 'ascii');
  return written;
}

/** GIMBAL_MANAGER_CAP_FLAGS: neutral, pitch and yaw with their locks, and places on the earth. */
const GIMBAL_CAN = 0x2 | 0x20 | 0x80 | 0x100 | 0x400 | 0x2_0000;
/** Of one that is no component of its own but hangs from the autopilot: 1 to 6. */
const GIMBAL_DEVICE = 1;

/** GIMBAL_MANAGER_INFORMATION: straight down to a little above the horizon, all round. */
export function writeGimbalInformation(bootMs: number): Payload {
  const written = emptyPayload(messageIds.gimbalManagerInformation);
  const { payload } = written;
  payload.writeUInt32LE(bootMs, 0);
  payload.writeUInt32LE(GIMBAL_CAN, 4);
  payload.writeFloatLE(-Math.PI / 2, 16);
  payload.writeFloatLE(Math.PI / 6, 20);
  payload.writeFloatLE(-Math.PI, 24);
  payload.writeFloatLE(Math.PI, 28);
  payload[32] = GIMBAL_DEVICE;
  return written;
}

/** GIMBAL_MANAGER_STATUS: who has it in hand. */
export function writeGimbalStatus(bootMs: number, primary: { sysid: number; compid: number }): Payload {
  const written = emptyPayload(messageIds.gimbalManagerStatus);
  const { payload } = written;
  payload.writeUInt32LE(bootMs, 0);
  payload[8] = GIMBAL_DEVICE;
  payload[9] = primary.sysid;
  payload[10] = primary.compid;
  return written;
}
