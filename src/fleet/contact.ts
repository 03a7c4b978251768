import { messageIds } from '../edge/wire/mavlink/known.ts';
import type { CommandAck } from '../edge/wire/mavlink/read_vehicle.ts';
import type { Payload } from '../edge/wire/mavlink/write.ts';
import { writeCommandLong } from '../edge/wire/mavlink/write_vehicle.ts';
import { MAV_TYPE_CAMERA, MAV_TYPE_GIMBAL, RESULT } from './mav.ts';
import type { Vehicle } from './vehicle.ts';
import { CMD } from './verbs.ts';

/**
 * A message to request from a vehicle after first contact and after each reboot. Needed because autopilots send only
 * heartbeats until requested, and forget requests when they reboot. No request makes the vehicle act.
 */
type Want = {
  /** Key of the request. Needed only if two requests ask for the same message. */
  id?: string;
  msgid: number;
  /** Interval of the message, ms; null to request it once. */
  everyMs: number | null;
  /** Returns the component to ask; null if there is none. Without this function, the autopilot is asked. */
  compidOf?: (vehicle: Vehicle) => number | null;
  isMet?: (vehicle: Vehicle) => boolean;
  /**
   * Whether every autopilot that is asked has this message, at the latest after a position fix. Such a message is
   * requested until it arrives, however often.
   */
  isCommon?: true;
};

const ofArdupilot = (vehicle: Vehicle): number | null => (vehicle.autopilot === 'ardupilot' ? vehicle.compid : null);
/** The vehicle's target and its fence state are requested only after a command of ours has moved the vehicle. */
const ofCommanded = (vehicle: Vehicle): number | null => (vehicle.targets.isWatched ? ofArdupilot(vehicle) : null);

const wants: readonly Want[] = [
  { msgid: messageIds.autopilotVersion, everyMs: null, isMet: ({ version }) => version !== null },
  // Requested before the positions, because there are no positions without a fix.
  { msgid: messageIds.gpsRawInt, everyMs: 1_000, isCommon: true },
  { msgid: messageIds.ekfStatusReport, everyMs: 1_000, compidOf: ofArdupilot },
  { msgid: messageIds.globalPositionInt, everyMs: 200, isCommon: true },
  { msgid: messageIds.extendedSysState, everyMs: 500, isCommon: true },
  { msgid: messageIds.sysStatus, everyMs: 1_000, isCommon: true },
  { msgid: messageIds.homePosition, everyMs: null, isMet: ({ home }) => home !== null, isCommon: true },
  { msgid: messageIds.systemTime, everyMs: 1_000, isCommon: true },
  { msgid: messageIds.availableModes, everyMs: null, isMet: ({ hasAllModes }) => hasAllModes },
  { msgid: messageIds.positionTargetGlobalInt, everyMs: 500, isCommon: true, compidOf: ofCommanded },
  { msgid: messageIds.fenceStatus, everyMs: 1_000, compidOf: ofCommanded },
  { msgid: messageIds.gimbalManagerInformation, everyMs: null, isMet: ({ gimbal }) => gimbal !== null },
  {
    // A gimbal that manages itself is a separate component.
    ...{ id: 'gimbal component', msgid: messageIds.gimbalManagerInformation, everyMs: null },
    compidOf: ({ components }) => components.get(MAV_TYPE_GIMBAL) ?? null,
    isMet: ({ gimbal }) => gimbal !== null,
  },
  { msgid: messageIds.gimbalManagerStatus, everyMs: 1_000, compidOf: ({ gimbal }) => gimbal?.compid ?? null },
  {
    msgid: messageIds.cameraInformation,
    everyMs: null,
    compidOf: ({ components }) => components.get(MAV_TYPE_CAMERA) ?? null,
    isMet: ({ cameras }) => cameras.size > 0,
  },
];

/**
 * Time to wait for an answer, ms. Only one request is pending at a time, because an acknowledgement names its command
 * but not the requested message.
 */
const ANSWERS_WITHIN_MS = 400;
/** Number of consecutive unanswered requests after which each further one doubles the wait. The link may be one-way. */
const UNANSWERED = 4;
const LONGEST_WAIT_MS = 15_000;
/** Number of requests for a common message that are sent at intervals of 1 s; later ones follow every 15 s. */
const EAGER_ASKS = 4;
const EAGER_MS = 1_000;
const PATIENT_MS = 15_000;
/** Time after which a refused request is repeated, ms: a gimbal may start later than its autopilot. */
const REFUSED_MS = 15_000;
/** Number of requests after which the vehicle counts as lacking a message, if it answers other requests. */
const MOST_ASKS = 3;
const LACKING_MS = 3_600_000;

/**
 * Requests for one message. `times` counts all requests sent; `received` counts those that were sent while the vehicle
 * answered requests.
 */
type Asked = { times: number; received: number; nextMs: number };
type Chosen = { want: Want; asked: Asked; compid: number };

const keyOf = ({ id, msgid }: Want): string | number => id ?? msgid;

/** Requests to one vehicle, with their schedule. */
export class Contact {
  readonly #asked = new Map<string | number, Asked>();
  #pending: { want: Want; command: number; atMs: number } | null = null;
  #reboots = 0;
  /** Number of consecutive unanswered requests. */
  #unanswered = 0;

  /** Returns the next due request; null if none is due. */
  due(vehicle: Vehicle, nowMs: number): Payload | null {
    if (vehicle.reboots !== this.#reboots) this.again(vehicle);
    if (this.#awaits(vehicle, nowMs)) return null;
    const chosen = this.#choose(vehicle, nowMs);
    if (!chosen) return null;
    const { want, asked, compid } = chosen;
    asked.times++;
    if (this.#unanswered < UNANSWERED) asked.received++;
    asked.nextMs = nowMs + spacingMs(want, asked);
    this.#asked.set(keyOf(want), asked);
    const { msgid, everyMs } = want;
    const command = everyMs === null ? CMD.requestMessage : CMD.setMessageInterval;
    this.#pending = { want, command, atMs: nowMs };
    return writeCommandLong({ sysid: vehicle.sysid, compid }, command, [msgid, (everyMs ?? 0) * 1000], 0);
  }

  /** Chooses the request that has been due longest, so that requests late in the list get their turn. */
  #choose(vehicle: Vehicle, nowMs: number): Chosen | null {
    let chosen: Chosen | null = null;
    for (const want of wants) {
      const compid = want.compidOf ? want.compidOf(vehicle) : vehicle.compid;
      if (compid === null) continue;
      if (isMet(want, vehicle, nowMs)) {
        this.#asked.delete(keyOf(want));
        continue;
      }
      const asked = this.#asked.get(keyOf(want)) ?? { times: 0, received: 0, nextMs: 0 };
      if (asked.nextMs <= nowMs && asked.nextMs < (chosen?.asked.nextMs ?? Number.POSITIVE_INFINITY))
        chosen = { want, asked, compid };
    }
    return chosen;
  }

  /** Requests all messages again, after a reboot or on a person's order. */
  again(vehicle: Vehicle): void {
    this.#reboots = vehicle.reboots;
    this.#asked.clear();
    this.#pending = null;
    this.#unanswered = 0;
  }

  /** Whether the last request may still be answered, by the message itself or by an acknowledgement. */
  #awaits(vehicle: Vehicle, nowMs: number): boolean {
    if (!this.#pending) return false;
    const { want, atMs } = this.#pending;
    if (isMet(want, vehicle, nowMs)) this.#unanswered = 0;
    else if (nowMs - atMs < waitMs(this.#unanswered)) return true;
    else this.#unanswered++;
    this.#pending = null;
    return false;
  }

  /**
   * Takes an acknowledgement. Returns the time since the pending request that it answers, ms; null if it answers none.
   * After an answer the next request may be sent.
   */
  receiveAck({ command, result }: CommandAck, nowMs: number): number | null {
    this.#unanswered = 0;
    const pending = this.#pending;
    if (pending?.command !== command || result === RESULT.inProgress) return null;
    this.#pending = null;
    const asked = this.#asked.get(keyOf(pending.want));
    const isRefused = result !== RESULT.accepted && result !== RESULT.temporarilyRejected;
    if (asked && isRefused) asked.nextMs = Math.max(asked.nextMs, nowMs + REFUSED_MS);
    return nowMs - pending.atMs;
  }
}

/**
 * Time until a message is requested again, ms. The third request for a message that is not common comes late, because
 * equipment on board may start after the autopilot.
 */
function spacingMs({ isCommon }: Want, { times, received }: Asked): number {
  if (!isCommon && received >= MOST_ASKS) return LACKING_MS;
  return times <= (isCommon ? EAGER_ASKS : 1) ? EAGER_MS : PATIENT_MS;
}

function waitMs(unanswered: number): number {
  return Math.min(LONGEST_WAIT_MS, ANSWERS_WITHIN_MS * 2 ** Math.max(0, unanswered - UNANSWERED + 1));
}

function isMet({ msgid, everyMs, isMet }: Want, vehicle: Vehicle, nowMs: number): boolean {
  if (isMet) return isMet(vehicle);
  const receivedMs = vehicle.receivedAtMs.get(msgid);
  return receivedMs !== undefined && nowMs - receivedMs <= 3 * (everyMs ?? 1_000) + 1_000;
}
