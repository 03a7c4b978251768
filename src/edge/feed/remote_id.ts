import type { Classification, Identity, Observation, Operator } from '../../model/observation.ts';
import type {
  OdidBasicId,
  OdidLocation,
  OdidMessage,
  OdidSystem,
  OdidSystemUpdate,
  OdidTag,
} from '../wire/odid/message.ts';
import { blankObservation } from './blank.ts';
import { ClockOffset, timeWithinHour } from './clock_offset.ts';
import type { LinkFeed } from './link_feed.ts';

/**
 * Number of receptions after which a new or changed identity is accepted, because radios also deliver frames with bit
 * errors. The first identity of a kind is accepted at once if the transmitter has sent a position.
 */
const HEARINGS_TO_CHANGE = 2;
/**
 * Limits that tell deliberate changes of identity from bit errors. Random bit errors rarely repeat within 10 s
 * (`SAME_AGAIN_MS`), or three times in a row (`OTHERS_TO_CHANGE`). A transmitter that does so alternates its identity
 * on purpose.
 */
const SAME_AGAIN_MS = 10_000;
const OTHERS_TO_CHANGE = 3;
/** Time for which an id and the operator's position are added to later reports of the transmitter, ms. */
const JOIN_MS = 60_000;

/**
 * Time without a position after which a transmitter with an identity is reported without position, ms.
 * `RECEIVED_EVERY_MS` is the interval of those reports.
 */
const PLACELESS_AFTER_MS = 5_000;
const RECEIVED_EVERY_MS = 1_000;

/**
 * Greatest valid number of seconds after the hour: a sender may round up to the end of the hour; 1 s more is tolerated.
 */
const MAX_SECONDS_AFTER_HOUR = 3_601;

/** Upper bounds of the accuracy classes, m and m/s, by their code (F3411-22a table 9; NACp of DO-260B). */
const H_ACCURACY_M = [null, 18_520, 7_408, 3_704, 1_852, 926, 555.6, 185.2, 92.6, 30, 10, 3, 1] as const;
const V_ACCURACY_M = [null, 150, 45, 25, 10, 3, 1] as const;
const SPEED_ACCURACY_MPS = [null, 10, 3, 1, 0.3] as const;

const identityTypeOf: Record<number, Identity['type']> = { 1: 'serial', 2: 'caa', 3: 'utm', 4: 'session' };
const operatorTypeOf: Record<number, Operator['type']> = { 0: 'takeoff', 1: 'live_gnss', 2: 'fixed' };
const statusOf: Record<number, NonNullable<Observation['status']>> = {
  0: 'undeclared',
  1: 'ground',
  2: 'airborne',
  3: 'emergency',
  4: 'rid_failure',
};
/** Classes by the UA types of F3411-22a table 2. A UA type is a claim, so its confidence is limited. */
const classOf: Record<number, Classification['type']> = {
  1: 'fixed_wing',
  2: 'multirotor',
  3: 'helicopter',
  4: 'vtol',
  5: 'other',
  6: 'glider',
  7: 'other',
  8: 'balloon',
  9: 'balloon',
  10: 'airship',
  11: 'other',
  12: 'other',
  13: 'other',
  15: 'other',
};
const CLAIMED_CONFIDENCE = 0.6;

type Received<T> = { value: T; atMs: number };

/** Time within which equal locations are one repeated broadcast, ms. A later equal location is a new observation. */
const BURST_MS = 1_000;

/**
 * State of one Remote ID transmitter, assembled from its messages. The data of an aircraft is spread over several
 * messages, and a message pack may contain only a location. Makes an observation of each new location, and of other
 * data that changes without one. A transmitter with an identity but no position makes one observation a second.
 */
export class RemoteIdSender {
  readonly #tag: Identity | null;
  readonly #transport: Identity['transport'];
  readonly clock = new ClockOffset(true);
  readonly #ids = new Map<number, Received<Identity>>();
  readonly #candidates = new Map<number, { value: string; hearings: number; others: number; atMs: number }>();
  #uaType: number | null = null;
  #system: Received<OdidSystem | OdidSystemUpdate> | null = null;
  #operatorType: Operator['type'] = 'takeoff';
  #operatorId: string | null = null;
  /** Copy of the last new location, and its time of reception. It is overwritten, since thousands arrive per second. */
  #lastLocation: OdidLocation | null = null;
  #lastLocationMs = Number.NEGATIVE_INFINITY;
  readonly #lastTime = { seconds: Number.NaN, sourceMs: Number.NaN };
  #locatedMs = Number.NEGATIVE_INFINITY;
  #reportedMs = Number.NEGATIVE_INFINITY;
  #news = false;
  repeats = 0;

  constructor(tag: Identity | null, transport: Identity['transport']) {
    this.#tag = tag;
    this.#transport = transport;
  }

  /** Processes the messages of one report. Returns the observation that they make, or null if none is due. */
  take(messages: readonly OdidMessage[], sensorId: string, linkId: string, receivedMs: number): Observation | null {
    const location = messages.find((message) => message.type === 'location') ?? null;
    if (location && isPlaced(location)) this.#locatedMs = receivedMs;
    for (const message of messages) this.#receive(message, receivedMs);
    if (location && !this.#isRepeat(location, receivedMs))
      return this.#locationObservation(location, sensorId, linkId, receivedMs);
    if (location) this.repeats++;
    if (!this.#news && !this.#stillThere(receivedMs)) return null;
    return this.#identityObservation(sensorId, linkId, receivedMs);
  }

  /** True once a second for a transmitter that has an identity but no position. */
  #stillThere(receivedMs: number): boolean {
    const placeless = receivedMs - this.#locatedMs > PLACELESS_AFTER_MS;
    return placeless && this.#ids.size > 0 && receivedMs - this.#reportedMs >= RECEIVED_EVERY_MS;
  }

  #receive(message: OdidMessage, receivedMs: number): void {
    if (message.type === 'basic_id') this.#receiveBasicId(message, receivedMs);
    else if (message.type === 'operator_id') this.#receiveOperatorId(message.operatorId);
    else if (message.type === 'system' || message.type === 'system_update') this.#receiveSystem(message, receivedMs);
  }

  #receiveBasicId(message: OdidBasicId, receivedMs: number): void {
    if (message.uaType !== 0) this.#uaType = message.uaType;
    const type = identityTypeOf[message.idType];
    const value = message.uasId?.trim();
    if (!type || !value) return;
    const current = this.#ids.get(message.idType);
    if (current?.value.value === value) {
      current.atMs = receivedMs;
      const candidate = this.#candidates.get(message.idType);
      if (candidate) candidate.others = 0;
      return;
    }
    const { hearings, others } = this.#receiveOther(message.idType, value, receivedMs);
    const firstOfPlaced = !current && Number.isFinite(this.#locatedMs);
    const changes = hearings >= HEARINGS_TO_CHANGE || (current && others >= OTHERS_TO_CHANGE);
    if (!changes && !firstOfPlaced) return;
    this.#candidates.delete(message.idType);
    this.#ids.set(message.idType, { value: { type, value, transport: this.#transport }, atMs: receivedMs });
    this.#news = true;
  }

  /**
   * Counts a reception of an id that is not the accepted one. `hearings` is the number of receptions of this id in a
   * row, at most `SAME_AGAIN_MS` apart. `others` is the number of receptions since the accepted id was last received,
   * whatever their ids.
   */
  #receiveOther(idType: number, value: string, atMs: number): { hearings: number; others: number } {
    const before = this.#candidates.get(idType);
    const again = before?.value === value && atMs - before.atMs <= SAME_AGAIN_MS;
    const candidate = { value, hearings: again ? before.hearings + 1 : 1, others: (before?.others ?? 0) + 1, atMs };
    this.#candidates.set(idType, candidate);
    return candidate;
  }

  #receiveOperatorId(operatorId: string): void {
    const id = operatorId.trim();
    if (id === '' || id === this.#operatorId) return;
    this.#operatorId = id;
    this.#news = true;
  }

  #receiveSystem(message: OdidSystem | OdidSystemUpdate, receivedMs: number): void {
    if (message.implausible) return;
    if (message.type === 'system') this.#operatorType = operatorTypeOf[message.operatorLocationType] ?? 'fixed';
    const before = this.#system?.value;
    if (before?.operatorLatDeg !== message.operatorLatDeg || before?.operatorLonDeg !== message.operatorLonDeg)
      this.#news = true;
    this.#system = { value: message, atMs: receivedMs };
  }

  #isRepeat(location: OdidLocation, receivedMs: number): boolean {
    const last = this.#lastLocation;
    if (last && sameLocation(location, last) && receivedMs - this.#lastLocationMs <= BURST_MS) return true;
    this.#lastLocation = last ? Object.assign(last, location) : { ...location };
    this.#lastLocationMs = receivedMs;
    return false;
  }

  /**
   * Returns a report that the rate limit refused, as evidence of the transmitter's behaviour; null if it has no
   * position. Does not change the kept state of the transmitter.
   */
  evidence(messages: readonly OdidMessage[], sensorId: string, linkId: string, receivedMs: number): Observation | null {
    const location = messages.find((message) => message.type === 'location');
    if (!location || !isPlaced(location)) return null;
    const observation = blankObservation(sensorId, linkId, receivedMs);
    observation.identities = this.#identities(receivedMs);
    place(observation, location);
    return observation;
  }

  #locationObservation(l: OdidLocation, sensorId: string, linkId: string, receivedMs: number): Observation {
    const observation = this.#identityObservation(sensorId, linkId, receivedMs);
    observation.status = statusOf[l.status] ?? 'undeclared';
    // A transmitter without a fix has no valid time, whatever its time field contains.
    if (!isPlaced(l)) return observation;
    place(observation, l);
    this.#date(observation, l.secondsAfterHour);
    return observation;
  }

  #date(observation: Observation, seconds: number | null): void {
    if (seconds === null || seconds > MAX_SECONDS_AFTER_HOUR) {
      observation.isUndated = true;
      return;
    }
    const { receivedMs } = observation;
    // A stopped clock keeps the source time that was first computed, however many hours pass.
    if (this.#lastTime.seconds !== seconds) {
      const sourceMs = timeWithinHour(seconds, receivedMs - (this.clock.offsetMs ?? 0));
      this.#lastTime.seconds = seconds;
      this.#lastTime.sourceMs = sourceMs;
    }
    observation.sourceMs = this.#lastTime.sourceMs;
    observation.timeMs = this.clock.correct(observation.sourceMs, receivedMs);
  }

  #identityObservation(sensorId: string, linkId: string, receivedMs: number): Observation {
    this.#news = false;
    this.#reportedMs = receivedMs;
    const observation = blankObservation(sensorId, linkId, receivedMs);
    observation.report = 'identity';
    observation.identities = this.#identities(receivedMs);
    const type = this.#uaType === null ? undefined : classOf[this.#uaType];
    if (type) observation.classification = [{ type, confidence: CLAIMED_CONFIDENCE }];
    observation.operator = this.#operator(receivedMs);
    if (
      observation.operator?.type === 'takeoff' &&
      observation.operator.lat !== null &&
      observation.operator.lon !== null
    ) {
      const { lat, lon, alt_hae_m } = observation.operator;
      observation.takeoff = { lat, lon, ...(alt_hae_m == null ? {} : { alt_hae_m }) };
    }
    return observation;
  }

  #identities(receivedMs: number): Identity[] {
    const identities = this.#tag ? [this.#tag] : [];
    for (const { value, atMs } of this.#ids.values()) if (receivedMs - atMs <= JOIN_MS) identities.push(value);
    return identities;
  }

  #operator(receivedMs: number): Operator | null {
    const system = this.#system && receivedMs - this.#system.atMs <= JOIN_MS ? this.#system.value : null;
    const lat = system?.operatorLatDeg ?? null;
    const lon = system?.operatorLonDeg ?? null;
    if ((lat === null || lon === null) && this.#operatorId === null) return null;
    const alt = system?.operatorAltGeoM ?? null;
    return { lat, lon, alt_hae_m: alt, type: this.#operatorType, operator_id: this.#operatorId };
  }
}

/** Each field of a location, once; a missing one does not compile. Those that nearly always change come first. */
const locationFields = Object.keys({
  secondsAfterHour: 0,
  latDeg: 0,
  lonDeg: 0,
  type: 0,
  status: 0,
  directionDeg: 0,
  speedHMps: 0,
  speedVMps: 0,
  altBaroM: 0,
  altGeoM: 0,
  heightM: 0,
  heightRef: 0,
  hAcc: 0,
  vAcc: 0,
  baroAcc: 0,
  speedAcc: 0,
  tsAcc: 0,
  implausible: 0,
} satisfies Record<keyof OdidLocation, 0>) as (keyof OdidLocation)[];

function sameLocation(a: OdidLocation, b: OdidLocation): boolean {
  for (const field of locationFields) if (a[field] !== b[field]) return false;
  return true;
}

function place(observation: Observation, l: OdidLocation): void {
  observation.report = 'position';
  observation.latDeg = l.latDeg;
  observation.lonDeg = l.lonDeg;
  observation.altHaeM = l.altGeoM;
  if (l.heightRef === 1) observation.altAglM = l.heightM;
  else observation.heightTakeoffM = l.heightM;
  observation.sigmaHM = H_ACCURACY_M[l.hAcc] ?? null;
  observation.sigmaVM = V_ACCURACY_M[l.vAcc] ?? null;
  observation.sigmaSpeedMps = SPEED_ACCURACY_MPS[l.speedAcc] ?? null;
  observation.speedMps = l.speedHMps;
  observation.courseDeg = l.directionDeg;
  observation.climbMps = l.speedVMps;
}

function isPlaced(location: OdidLocation): boolean {
  return location.latDeg !== null && location.lonDeg !== null && !location.implausible;
}

const macForm = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;

/** Converts the address or id that a message carries for an aircraft to an identity; null if it carries none. */
export function tagIdentity(tag: OdidTag, transport: Identity['transport']): Identity | null {
  if (tag === null) return null;
  if ('mac' in tag) return { type: 'mac', value: tag.mac, transport };
  if ('id' in tag) {
    // Some receivers write the address with colons, although the MAVLink guide omits them.
    const type = macForm.test(tag.id) ? 'mac' : 'serial';
    return { type, value: type === 'mac' ? tag.id.toUpperCase() : tag.id, transport };
  }
  return { type: 'session', value: tag.idHex, transport };
}

/**
 * Processes a sender's messages: reports the observation that they make, and notes clock offset, repeats and
 * implausible values in the link's feed. `complete` adds data to the observation that its messages do not contain.
 */
export function takeRemoteId(
  link: LinkFeed,
  sender: RemoteIdSender,
  messages: readonly OdidMessage[],
  sensorId: string,
  atMs: number,
  complete?: (observation: Observation) => void,
): void {
  if (messages.some((m) => 'implausible' in m && m.implausible)) link.implausible++;
  const before = sender.repeats;
  const observation = sender.take(messages, sensorId, link.deps.link.id, atMs);
  link.repeats += sender.repeats - before;
  link.noteClock(sensorId, sender.clock);
  if (!observation) return;
  complete?.(observation);
  link.reportOnce(observation);
}
