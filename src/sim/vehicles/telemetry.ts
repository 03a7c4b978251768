import { messageIds } from '../../edge/wire/mavlink/known.ts';
import { type Payload, writeGlobalPosition, writeHeartbeat } from '../../edge/wire/mavlink/write.ts';
import {
  writeAutopilotVersion,
  writeAvailableMode,
  writeBatteryStatus,
  writeEkfStatus,
  writeExtendedSysState,
  writeGimbalInformation,
  writeGimbalStatus,
  writeGpsRaw,
  writeHomePosition,
  writePositionTarget,
  writeSysStatus,
  writeSystemTime,
} from '../../edge/wire/mavlink/write_autopilot.ts';
import { writeOdid } from '../../edge/wire/mavlink/write_odid.ts';
import type { Autopilot } from './autopilot.ts';
import { groundMps } from './body.ts';
import type { Chart } from './chart.ts';
import type { Gimbal } from './gimbal.ts';

/** Values of the MAVLink enum MAV_TYPE. */
const [FIXED_WING, QUADROTOR, HELICOPTER] = [1, 2, 4];
/** Values of the MAVLink enum MAV_VTOL_STATE: undefined, and multirotor. */
const [NO_VTOL, MULTIROTOR] = [0, 3];
/** Value of the MAVLink enum MAV_AUTOPILOT. */
const ARDUPILOT = 3;
const DEGREES = 180 / Math.PI;

export type Speaker = {
  autopilot: Autopilot;
  chart: Chart;
  isHelicopter: boolean;
  uid2: string;
  serial: string | null;
  gimbal: Gimbal;
};

export function heartbeatOf({ autopilot, isHelicopter }: Speaker): Payload {
  const { craft, mode } = autopilot;
  return writeHeartbeat({
    type: isHelicopter ? HELICOPTER : craft.limits.hovers ? QUADROTOR : FIXED_WING,
    autopilot: autopilot.number,
    baseMode: autopilot.baseMode,
    customMode: mode.customMode,
    systemStatus: autopilot.systemStatus,
    mavlinkVersion: 3,
  });
}

/**
 * Returns the current payloads of a message; an empty list for a message that the vehicle does not send.
 * AVAILABLE_MODES has several payloads.
 */
export function payloadsOf(speaker: Speaker, msgid: number, bootMs: number): Payload[] {
  const { autopilot } = speaker;
  const { battery, craft } = autopilot;
  const isFlying = !craft.isOnGround;
  switch (msgid) {
    case messageIds.heartbeat:
      return [heartbeatOf(speaker)];
    case messageIds.globalPositionInt:
      return [positionOf(speaker, bootMs)];
    case messageIds.gpsRawInt:
      return [gpsOf(speaker, bootMs)];
    case messageIds.sysStatus:
      return [writeSysStatus(battery.state(isFlying), autopilot.mayArm)];
    case messageIds.batteryStatus:
      return [writeBatteryStatus(battery.state(isFlying), battery.leftS)];
    case messageIds.extendedSysState:
      return [writeExtendedSysState(craft.limits.hovers ? MULTIROTOR : NO_VTOL, craft.landed)];
    case messageIds.systemTime:
      return [writeSystemTime(bootMs)];
    case messageIds.homePosition:
      return [writeHomePosition(autopilot.home)];
    case messageIds.autopilotVersion:
      return [
        writeAutopilotVersion({
          ...{ capabilities: autopilot.capabilities, uid2: speaker.uid2, flightVersion: autopilot.version },
        }),
      ];
    case messageIds.availableModes:
      return modesOf(autopilot);
    case messageIds.positionTargetGlobalInt:
      return targetOf(speaker, bootMs);
    case messageIds.ekfStatusReport:
      return autopilot.number === ARDUPILOT ? [writeEkfStatus()] : [];
    case messageIds.gimbalManagerInformation:
      return [writeGimbalInformation(bootMs)];
    case messageIds.gimbalManagerStatus:
      return [writeGimbalStatus(bootMs, speaker.gimbal.primary)];
    case messageIds.odidBasicId:
      return speaker.serial === null ? [] : [basicIdOf(speaker.serial, craft.limits.hovers)];
    default:
      return [];
  }
}

/** True if a client may request a stream of the message although the message has no content yet. */
export function isStreamed({ autopilot }: Speaker, msgid: number): boolean {
  return msgid === messageIds.positionTargetGlobalInt && autopilot.number === ARDUPILOT;
}

/** Returns the destination of a `goto`, which only ArduPilot reports; an empty list otherwise. */
function targetOf({ autopilot, chart }: Speaker, bootMs: number): Payload[] {
  const { manoeuvre } = autopilot.craft;
  if (autopilot.number !== ARDUPILOT || manoeuvre.kind !== 'goto') return [];
  return [writePositionTarget(bootMs, chart.toMsl(manoeuvre.to))];
}

/** Returns the vehicle's own Remote ID: a serial number, with the type multirotor or aeroplane (F3411-22a). */
function basicIdOf(serial: string, hovers: boolean): Payload {
  return writeOdid(null, { type: 'basic_id', idType: 1, uaType: hovers ? 2 : 1, uasId: serial });
}

function modesOf({ modes }: Autopilot): Payload[] {
  return modes.map(({ customMode, name, standard, properties }, at) =>
    writeAvailableMode({
      ...{ customMode, name, properties, standardMode: standard },
      ...{ count: modes.length, index: at + 1 },
    }),
  );
}

function positionOf({ autopilot, chart }: Speaker, bootMs: number): Payload {
  const { body } = autopilot.craft;
  const { latDeg, lonDeg, altMslM } = chart.toMsl(body);
  return writeGlobalPosition({
    timeBootMs: bootMs,
    latDeg,
    lonDeg,
    altMslM,
    relativeAltM: altMslM - autopilot.home.altMslM,
    vNorthMps: body.northMps,
    vEastMps: body.eastMps,
    vDownMps: -body.upMps,
    headingDeg: degreesOf(body.headingRad),
  });
}

function gpsOf({ autopilot, chart }: Speaker, bootMs: number): Payload {
  const { body } = autopilot.craft;
  const courseDeg = degreesOf(Math.atan2(body.eastMps, body.northMps));
  return writeGpsRaw({ ...chart.toMsl(body), bootMs, speedMps: groundMps(body), courseDeg });
}

function degreesOf(rad: number): number {
  return (((rad * DEGREES) % 360) + 360) % 360;
}
