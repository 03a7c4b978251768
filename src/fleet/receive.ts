import { messageIds } from '../edge/wire/mavlink/known.ts';
import {
  readAutopilotVersion,
  readAvailableMode,
  readBootMs,
  readCameraFlags,
  readEkfHasPosition,
  readFenceStatus,
  readGimbalPrimary,
  readGpsFix,
  readHomePosition,
  readLandedState,
  readPositionTarget,
  readStatusText,
  readSysStatus,
} from '../edge/wire/mavlink/read_vehicle.ts';
import type { MavlinkGlobalPosition, MavlinkHeartbeat, MavlinkOther, OdidReport } from '../edge/wire/message.ts';
import { isBlankPlace, whyNoPlace, withoutPlace } from './fix.ts';
import { landedOf } from './mav.ts';
import type { PositionVerdict, Vehicle } from './vehicle.ts';

const MOST_MODES = 64;
const MOST_CAMERAS = 8;
const MOST_COMPONENTS = 32;
/** OPEN_DRONE_ID_ARM_STATUS: status value for "good to arm". */
const ODID_GOOD = 0;
const BASIC_ID_SERIAL = 1;

/** Takes a heartbeat. Returns true if another controller has just replaced a mode of ours. */
export function receiveHeartbeat(vehicle: Vehicle, heartbeat: MavlinkHeartbeat, linkId: string, atMs: number): boolean {
  const { type, autopilot } = vehicle.heartbeat.value;
  if (type !== heartbeat.type || autopilot !== heartbeat.autopilot) vehicle.isAnotherKindMs = atMs;
  vehicle.heartbeat = { value: heartbeat, atMs };
  vehicle.receivedAtMs.set(messageIds.heartbeat, atMs);
  // A speed that a person ordered applies to one flight only.
  if (!vehicle.armed) vehicle.wished = null;
  return vehicle.receiveMode(linkId, atMs);
}

/** Records a component other than the autopilot. */
export function receiveComponent({ components }: Vehicle, { type, compid }: MavlinkHeartbeat): void {
  if (components.size < MOST_COMPONENTS) components.set(type, compid);
}

/** Takes a position report. Late reports and unreachable positions do not change the position. */
export function receivePosition(vehicle: Vehicle, message: MavlinkGlobalPosition, atMs: number): void {
  vehicle.receivedAtMs.set(messageIds.globalPositionInt, atMs);
  const as = judgePosition(vehicle, message, atMs);
  vehicle.judged = { message, as };
  if (as === 'place') vehicle.position = { value: message, atMs };
  else if (as === 'no_fix') vehicle.position = { value: withoutPlace(message), atMs };
}

function judgePosition(vehicle: Vehicle, position: MavlinkGlobalPosition, atMs: number): PositionVerdict {
  if (!receiveBootTime(vehicle, position.timeBootMs, atMs)) return 'late';
  const { latDeg, lonDeg, altMslM, timeBootMs: bootMs } = position;
  if (latDeg === null || lonDeg === null || isBlankPlace(latDeg, lonDeg, vehicle.fixType)) return 'no_fix';
  if (whyNoPlace(vehicle, atMs) !== null) return 'no_fix';
  return vehicle.trail.follow({ latDeg, lonDeg, altMslM, atMs, bootMs }) ? 'place' : 'jump';
}

/**
 * Removes the coordinates of the last position when the vehicle loses its fix. Autopilots continue to report an
 * estimate.
 */
function receiveFix(vehicle: Vehicle, atMs: number): void {
  const { position } = vehicle;
  if (position === null || position.value.latDeg === null || whyNoPlace(vehicle, atMs) === null) return;
  vehicle.position = { value: withoutPlace(position.value), atMs: position.atMs };
}

/** Whether a message is not older than the earlier ones. If the vehicle restarted, resets the vehicle's state. */
function receiveBootTime(vehicle: Vehicle, bootMs: number, atMs: number): boolean {
  const verdict = vehicle.starts.receive(bootMs, atMs);
  if (verdict === 'start') vehicle.reboot();
  return verdict !== 'late';
}

/** Takes a Remote ID report of the autopilot. Returns the vehicle's serial; null if the report has none. */
export function receiveRemoteId(vehicle: Vehicle, { messages }: OdidReport, atMs: number): string | null {
  let serial: string | null = null;
  for (const message of messages) {
    if (message.type === 'basic_id' && message.idType === BASIC_ID_SERIAL && message.uasId) serial = message.uasId;
    if (message.type !== 'arm_status') continue;
    const isRefused = message.status !== ODID_GOOD;
    vehicle.armRefusal = isRefused ? { value: message.error || 'Remote ID is not ready', atMs } : null;
  }
  return serial;
}

/** Takes any other message, including messages of other components than the autopilot. */
export function receiveOther(vehicle: Vehicle, { msgid, compid, payload }: MavlinkOther, atMs: number): void {
  vehicle.receivedAtMs.set(msgid, atMs);
  const isAutopilot = compid === vehicle.compid;
  switch (msgid) {
    case messageIds.gimbalManagerInformation:
      vehicle.gimbal ??= { compid, primary: null };
      return;
    case messageIds.gimbalManagerStatus:
      if (vehicle.gimbal?.compid === compid) vehicle.gimbal.primary = { value: readGimbalPrimary(payload), atMs };
      return;
    case messageIds.cameraInformation:
      if (vehicle.cameras.size < MOST_CAMERAS) vehicle.cameras.set(compid, readCameraFlags(payload));
      return;
    case messageIds.statusText: {
      const { severity, text } = readStatusText(payload);
      if (text !== '') vehicle.say(severity, text, atMs);
      return;
    }
    default:
      if (isAutopilot) receiveAutopilot(vehicle, msgid, payload, atMs);
  }
}

function receiveAutopilot(vehicle: Vehicle, msgid: number, payload: Uint8Array, atMs: number): void {
  switch (msgid) {
    case messageIds.sysStatus: {
      const { energyPct, prearmOk } = readSysStatus(payload);
      vehicle.energyPct = energyPct === null ? null : { value: energyPct, atMs };
      vehicle.prearmOk = prearmOk === null ? null : { value: prearmOk, atMs };
      return;
    }
    case messageIds.extendedSysState:
      vehicle.landed = { value: landedOf(readLandedState(payload)), atMs };
      return;
    case messageIds.gpsRawInt:
      vehicle.fixType = { value: readGpsFix(payload).fixType, atMs };
      receiveFix(vehicle, atMs);
      return;
    case messageIds.systemTime:
      receiveBootTime(vehicle, readBootMs(payload), atMs);
      return;
    case messageIds.homePosition:
      vehicle.home = readHomePosition(payload) ?? vehicle.home;
      return;
    case messageIds.positionTargetGlobalInt: {
      const target = readPositionTarget(payload);
      if (target) vehicle.targets.receive(target, atMs);
      return;
    }
    case messageIds.fenceStatus:
      vehicle.fence = { value: readFenceStatus(payload), atMs };
      return;
    case messageIds.ekfStatusReport:
      vehicle.hasEkfPosition = { value: readEkfHasPosition(payload), atMs };
      receiveFix(vehicle, atMs);
      return;
    case messageIds.autopilotVersion:
      vehicle.version = readAutopilotVersion(payload);
      return;
    case messageIds.availableModes: {
      const mode = readAvailableMode(payload);
      if (vehicle.modes.size < MOST_MODES) vehicle.modes.set(mode.customMode, mode);
    }
  }
}
