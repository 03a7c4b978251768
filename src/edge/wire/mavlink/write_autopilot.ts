import { EkfStatusReport } from 'mavlink-mappings/dist/lib/ardupilotmega.js';
import * as common from 'mavlink-mappings/dist/lib/common.js';
import { AutopilotVersion as Version } from 'mavlink-mappings/dist/lib/standard.js';
import { writeFields } from './message_fields.ts';
import type { AutopilotVersion, AvailableMode, CommandAck, MslPosition } from './read_vehicle.ts';
import type { Payload } from './write.ts';

/**
 * Writers for the messages and answers of an autopilot, except HEARTBEAT and GLOBAL_POSITION_INT. Simulated vehicles
 * use them; the readers are in `read_vehicle.ts`.
 */

/**
 * Bits of MAV_SYS_STATUS_SENSOR: gyroscope, accelerometer, magnetometer, absolute pressure, GPS.
 * `PREARM` is the pre-arm check.
 */
const SENSORS = 0b10_1111;
const PREARM = 1 << 28;

export type PowerState = { energyPct: number; volts: number; amperes: number };

export function writeSysStatus({ energyPct, volts, amperes }: PowerState, prearmOk: boolean): Payload {
  return writeFields(common.SysStatus, {
    onboardControlSensorsPresent: SENSORS | PREARM,
    onboardControlSensorsEnabled: SENSORS | PREARM,
    onboardControlSensorsHealth: prearmOk ? SENSORS | PREARM : SENSORS,
    load: 200,
    voltageBattery: Math.round(volts * 1000),
    currentBattery: Math.round(amperes * 100),
    batteryRemaining: Math.round(energyPct),
  });
}

/** Writes BATTERY_STATUS of one battery. `leftS` is its remaining time if the load stays the same, s; 0 if unknown. */
export function writeBatteryStatus({ energyPct, volts, amperes }: PowerState, leftS: number): Payload {
  return writeFields(common.BatteryStatus, {
    currentConsumed: -1,
    energyConsumed: -1,
    temperature: 0x7fff,
    voltages: [Math.round(volts * 1000), ...Array<number>(9).fill(0xffff)],
    currentBattery: Math.round(amperes * 100),
    batteryRemaining: Math.round(energyPct),
    timeRemaining: Math.round(leftS),
  });
}

export function writeSystemTime(bootMs: number): Payload {
  return writeFields(common.SystemTime, { timeBootMs: bootMs });
}

/** Type mask of POSITION_TARGET_GLOBAL_INT: only x, y and z are used. */
const PLACE_ONLY: number = 0xfdf8;

/** Writes POSITION_TARGET_GLOBAL_INT as ArduPilot sends it: only the position, above mean sea level. */
export function writePositionTarget(bootMs: number, { latDeg, lonDeg, altMslM }: MslPosition): Payload {
  return writeFields(common.PositionTargetGlobalInt, {
    timeBootMs: bootMs,
    latInt: Math.round(latDeg * 1e7),
    lonInt: Math.round(lonDeg * 1e7),
    alt: altMslM,
    typeMask: PLACE_ONLY,
  });
}

type GpsFix = {
  bootMs: number;
  latDeg: number;
  lonDeg: number;
  altMslM: number;
  speedMps: number;
  courseDeg: number;
};

/** Writes GPS_RAW_INT of a good three-dimensional fix. */
export function writeGpsRaw({ bootMs, latDeg, lonDeg, altMslM, speedMps, courseDeg }: GpsFix): Payload {
  return writeFields(common.GpsRawInt, {
    timeUsec: BigInt(bootMs) * 1_000n,
    lat: Math.round(latDeg * 1e7),
    lon: Math.round(lonDeg * 1e7),
    alt: Math.round(altMslM * 1000),
    eph: 80,
    epv: 120,
    vel: Math.round(speedMps * 100),
    cog: Math.round(courseDeg * 100) % 36_000,
    fixType: 3,
    satellitesVisible: 14,
  });
}

/** Writes EXTENDED_SYS_STATE with MAV_VTOL_STATE and MAV_LANDED_STATE. */
export function writeExtendedSysState(vtolState: number, landedState: number): Payload {
  return writeFields(common.ExtendedSysState, { vtolState, landedState });
}

export function writeHomePosition({ latDeg, lonDeg, altMslM }: MslPosition): Payload {
  return writeFields(common.HomePosition, {
    latitude: Math.round(latDeg * 1e7),
    longitude: Math.round(lonDeg * 1e7),
    altitude: Math.round(altMslM * 1000),
    q: [1, 0, 0, 0],
  });
}

export function writeAutopilotVersion({ capabilities, uid2, flightVersion }: AutopilotVersion): Payload {
  return writeFields(Version, {
    capabilities: Number(capabilities),
    flightSwVersion: flightVersion,
    uid2: [...Buffer.from(uid2 ?? '', 'hex')],
  });
}

export function writeCommandAck({ progressPct, ...answer }: CommandAck): Payload {
  return writeFields(common.CommandAck, { ...answer, progress: progressPct ?? 255 });
}

export function writeAvailableMode({ count, index, name, ...mode }: AvailableMode): Payload {
  return writeFields(common.AvailableModes, { ...mode, numberModes: count, modeIndex: index, modeName: name });
}

const EKF_FLAGS: number = 831;

/** Writes EKF_STATUS_REPORT (ArduPilot): all estimates are valid except the height above ground. */
export function writeEkfStatus(): Payload {
  return writeFields(EkfStatusReport, {
    velocityVariance: 0.05,
    posHorizVariance: 0.05,
    posVertVariance: 0.05,
    compassVariance: 0.05,
    flags: EKF_FLAGS,
  });
}

/** Writes STATUSTEXT with a MAV_SEVERITY. A text longer than the field is cut. */
export function writeStatusText(severity: number, text: string): Payload {
  return writeFields(common.StatusText, { severity, text });
}

/** Bits of GIMBAL_MANAGER_CAP_FLAGS: neutral, pitch and yaw with their locks, and pointing at a location. */
const GIMBAL_CAN = 0x2 | 0x20 | 0x80 | 0x100 | 0x400 | 0x2_0000;
/** Device id of a gimbal that the autopilot drives; such a gimbal is no component and has an id from 1 to 6. */
const GIMBAL_DEVICE = 1;

/** Writes GIMBAL_MANAGER_INFORMATION: pitch from straight down to 30° above the horizon, yaw without limit. */
export function writeGimbalInformation(bootMs: number): Payload {
  return writeFields(common.GimbalManagerInformation, {
    timeBootMs: bootMs,
    capFlags: GIMBAL_CAN,
    gimbalDeviceId: GIMBAL_DEVICE,
    pitchMin: -Math.PI / 2,
    pitchMax: Math.PI / 6,
    yawMin: -Math.PI,
    yawMax: Math.PI,
  });
}

/** Writes GIMBAL_MANAGER_STATUS with the component in primary control. */
export function writeGimbalStatus(bootMs: number, primary: { sysid: number; compid: number }): Payload {
  return writeFields(common.GimbalManagerStatus, {
    timeBootMs: bootMs,
    gimbalDeviceId: GIMBAL_DEVICE,
    primaryControlSysid: primary.sysid,
    primaryControlCompid: primary.compid,
  });
}
