import type { Modality } from '../../model/sensor.ts';
import type { SensorEntry } from './sensor_entry.ts';
import { isSet } from './sensor_row.ts';
import { isFull, type LinkCondition } from './sensor_state.ts';

/** Properties of a link that affect its sensors. */
export type SensorLink = {
  id: string;
  name: string;
  /** Heartbeat deadline of sensors that have none of their own, s. */
  silenceS: number;
  /**
   * The link's own sensor row, for messages that name no receiver. Null in a driven world (a simulation or a replay),
   * whose driver declares the sensors.
   */
  own: { receiver: string; modality: Modality } | null;
  /**
   * True if only senders that the owner chose can send on the link: it proves them (`provesSender`), or is a TCP
   * client, a UNIX socket or a file.
   */
  isTrusted: boolean;
  isSerial: boolean;
};

/** Greatest number of proven and of unproven sources of one link that have their own sensor row. */
export type PlaceLimits = { proven: number; unproven: number };

/**
 * Time after which a source of an untrusted link is proven without a signature, ms. Its messages must come from one
 * host, without a gap over its heartbeat deadline.
 */
const PROVEN_AFTER_MS = 30_000;
/**
 * Time of reception after which a proven source becomes lasting (`SensorEntry.isLasting`) without a signature, ms. No
 * gap may exceed the source's deadline.
 */
const LASTING_AFTER_MS = 600_000;
/**
 * Silence after which a receiver that is relied on (`isReliedOn`) is removed if it is not lasting, ms. Such a receiver
 * may be an invention. Other receivers are removed at their deadline.
 */
const FORGOTTEN_AFTER_MS = 600_000;
/**
 * Least interval between two attempts to replace a source of a link by another, ms: each change is sent to the core and
 * to every client.
 */
const DISPLACE_EVERY_MS = 1_000;
/**
 * Greatest number of hosts that may prove themselves under the name of one silent receiver. A further host evicts the
 * host with the oldest last message.
 */
const MOST_RIVALS = 16;
/**
 * Greatest number of messages a second that count for no receiver of a link: the table of rows is full, or another host
 * uses the receiver's name. The limit bounds the load from invented aircraft, which cost the core most.
 */
const UNPLACED_PER_S = 500;

/** Sender of a message as `address:port`, and whether the message is signed with the link's key. */
export type Origin = { from: string; isSigned: boolean };

export type PlacesDeps = {
  limits(): PlaceLimits;
  /** Creates the row of a source and adds it to the sensors. */
  add(places: LinkPlaces, receiver: string, modality: Modality): SensorEntry;
  remove(entry: SensorEntry): void;
  /** Called when a source becomes lasting (`SensorEntry.isLasting`). */
  lasting(entry: SensorEntry): void;
};

/**
 * Sensor rows of one link: its own row, and the rows of proven and unproven receivers. A new unproven source can
 * displace only unproven sources. Messages of sources without a row count for the link's own row, up to
 * `UNPLACED_PER_S`.
 */
export class LinkPlaces {
  readonly #deps: PlacesDeps;
  readonly #proven = new Map<string, SensorEntry>();
  readonly #unproven = new Map<string, SensorEntry>();
  link: SensorLink;
  own: SensorEntry | null = null;
  readonly condition: LinkCondition;
  /** Number of messages that needed a place in a full table of rows. */
  full = 0;
  /** Number of messages that name a proven receiver but came from another host. */
  contested = 0;
  /** Last message that was counted in `contested`; null if there was none. */
  lastContest: { receiver: string; host: string } | null = null;
  #displacedMs = Number.NEGATIVE_INFINITY;
  /** Number of messages that count for no receiver, in the current second of world time. */
  #unplaced = { second: 0, count: 0 };

  constructor(link: SensorLink, nowMs: number, deps: PlacesDeps) {
    this.link = link;
    this.#deps = deps;
    this.condition = {
      ...{
        trouble: null,
        wasOpen: false,
        enabledMs: nowMs,
        hasCarrier: false,
        noiseMs: null,
        fullMs: null,
        radio: null,
      },
      isSerial: link.isSerial,
    };
  }

  get receivers(): SensorEntry[] {
    return [...this.#proven.values(), ...this.#unproven.values()];
  }

  find(receiver: string): SensorEntry | undefined {
    return this.#proven.get(receiver) ?? this.#unproven.get(receiver);
  }

  /** Returns the row that a message of a source counts for; null if the message counts for none and is discarded. */
  take(receiver: string, modality: Modality, { from, isSigned }: Origin, nowMs: number): SensorEntry | null {
    if (this.own && receiver === this.link.own?.receiver) {
      this.own.isReceived = true;
      return this.own;
    }
    const known = this.#proven.get(receiver);
    const isProven = this.link.isTrusted || isSigned;
    if (known) {
      if (!this.#isFromItsHost(known, { from, isSigned }, nowMs)) return this.#unplacedRow(nowMs);
      if (!known.isLasting) this.#age(known, isProven, nowMs);
      return known;
    }
    const unproven = this.#unproven.get(receiver);
    if (unproven) {
      this.#prove(unproven, hostOf(from), isProven, nowMs);
      return unproven;
    }
    const entry = this.#admit(receiver, modality, isProven, nowMs);
    if (entry && entry !== this.own) entry.host = hostOf(from);
    return entry;
  }

  /**
   * Notes a sign of life of a receiver that already has a row. Messages in the name of a proven receiver count only if
   * they come from its own host (`#isFromItsHost`).
   */
  alive(receiver: string, origin: Origin, nowMs: number): void {
    const entry = this.find(receiver);
    if (entry && (!entry.isProven || this.#isFromItsHost(entry, origin, nowMs))) entry.live.lifeMs = nowMs;
  }

  /** True if a message that names a proven receiver comes from that receiver's host. */
  isFromProven(receiver: string, from: string): boolean {
    const proven = this.#proven.get(receiver);
    return proven !== undefined && proven.host === hostOf(from);
  }

  /** Marks a receiver as proven and lasting: it is known from an earlier run, or an operator set it up. */
  vouch(entry: SensorEntry): void {
    this.#believe(entry);
    entry.isLasting = true;
  }

  #believe(entry: SensorEntry): void {
    this.#unproven.delete(entry.receiver);
    this.#proven.set(entry.receiver, entry);
    entry.isProven = true;
  }

  #age(entry: SensorEntry, isProven: boolean, nowMs: number): void {
    if (isSilent(entry, nowMs)) entry.firstMs = nowMs;
    if (isProven || nowMs - entry.firstMs >= LASTING_AFTER_MS) this.#last(entry);
  }

  #last(entry: SensorEntry): void {
    entry.isLasting = true;
    this.#deps.lasting(entry);
  }

  /**
   * Removes silent receivers. Receivers that are not relied on (`isReliedOn`) are removed at their deadline. Receivers
   * that are relied on are removed after `FORGOTTEN_AFTER_MS` of silence, unless they are lasting.
   */
  sweep(nowMs: number): void {
    for (const entry of this.receivers) {
      if (isSilent(entry, nowMs) && (!isReliedOn(entry) || isOutlived(entry, nowMs))) this.forget(entry);
    }
  }

  forget(entry: SensorEntry): void {
    this.#proven.delete(entry.receiver);
    this.#unproven.delete(entry.receiver);
    this.#deps.remove(entry);
  }

  /**
   * True if the silence of a row is reported to people. This holds for receivers that are relied on (`isReliedOn`). It
   * holds for the link's own row in two cases: the row has messages, settings or a full table (`#speaksForItself`), or
   * no receiver is relied on.
   */
  isWatched(entry: SensorEntry, nowMs: number): boolean {
    if (entry !== this.own) return isReliedOn(entry);
    return this.#speaksForItself(entry, nowMs) || !this.receivers.some(isReliedOn);
  }

  /**
   * True for rows that people see. The link's own row represents sources without a row. It is hidden while receivers
   * have rows, except in two cases: it has messages, settings or a full table (`#speaksForItself`), or the link has
   * trouble and no receiver is relied on.
   */
  isShown(entry: SensorEntry, nowMs: number): boolean {
    if (entry !== this.own || this.#speaksForItself(entry, nowMs)) return true;
    const { receivers } = this;
    return receivers.length === 0 || (this.condition.trouble !== null && !receivers.some(isReliedOn));
  }

  #speaksForItself({ isReceived, settings }: SensorEntry, nowMs: number): boolean {
    return isReceived || isSet(settings) || isFull(this.condition, nowMs);
  }

  #admit(receiver: string, modality: Modality, isProven: boolean, nowMs: number): SensorEntry | null {
    const places = isProven ? this.#proven : this.#unproven;
    const { proven, unproven } = this.#deps.limits();
    if (places.size >= (isProven ? proven : unproven) && !this.#makeRoom(places, isProven, nowMs)) {
      return this.#unplacedRow(nowMs);
    }
    const entry = this.#deps.add(this, receiver, modality);
    entry.isProven = isProven;
    places.set(receiver, entry);
    if (isProven) this.#last(entry);
    return entry;
  }

  /**
   * Returns the link's own row for a message that counts for no receiver. Null above `UNPLACED_PER_S` such messages a
   * second, or if the link has no own row.
   */
  #unplacedRow(nowMs: number): SensorEntry | null {
    const second = Math.floor(nowMs / 1_000);
    if (this.#unplaced.second !== second) this.#unplaced = { second, count: 0 };
    return ++this.#unplaced.count <= UNPLACED_PER_S ? this.own : null;
  }

  /**
   * True if a message that names a proven receiver comes from that receiver's host. Always true on trusted links, and
   * for telemetry, whose hosts the fleet checks.
   *
   * The host of a signed message becomes the receiver's host. Messages from another host are counted as contested. They
   * can prove that host once the receiver is silent beyond its deadline.
   */
  #isFromItsHost(entry: SensorEntry, { from, isSigned }: Origin, nowMs: number): boolean {
    if (this.link.isTrusted || entry.row.modality === 'telemetry') return true;
    const host = hostOf(from);
    if (isSigned) entry.host = host;
    entry.host ??= host;
    if (entry.host === host) {
      // To clear a map allocates a new table, even if it is empty.
      if (entry.rivals.size > 0) entry.rivals.clear();
      return true;
    }
    const { rejects } = entry.live;
    rejects.other_host = (rejects.other_host ?? 0) + 1;
    this.contested++;
    this.lastContest = { receiver: entry.receiver, host };
    if (!this.#isRivalProven(entry, host, nowMs)) return false;
    entry.host = host;
    entry.rivals.clear();
    return true;
  }

  /**
   * True if a rival host (another host that uses the receiver's name) has sent for `PROVEN_AFTER_MS` without a gap over
   * the deadline. A message of the receiver's own host ends this time; messages of further hosts do not.
   */
  #isRivalProven(entry: SensorEntry, host: string, nowMs: number): boolean {
    const { rivals } = entry;
    if (!isSilent(entry, nowMs)) {
      rivals.clear();
      return false;
    }
    const known = rivals.get(host);
    const isSteady = known !== undefined && nowMs - known.lastMs <= entry.row.heartbeatS * 1_000;
    const firstMs = isSteady ? known.firstMs : nowMs;
    // Deleting the entry before setting it keeps the map in the order of the last messages.
    rivals.delete(host);
    const [longestSilent] = rivals.keys();
    if (rivals.size >= MOST_RIVALS && longestSilent !== undefined) rivals.delete(longestSilent);
    rivals.set(host, { firstMs, lastMs: nowMs });
    return this.#isPatient(firstMs, nowMs);
  }

  /**
   * True if a source has been received for long enough to be proven. While the link's tables are full the duration
   * proves nothing, because a flood is likely.
   */
  #isPatient(firstMs: number, nowMs: number): boolean {
    return nowMs - firstMs >= PROVEN_AFTER_MS && !isFull(this.condition, nowMs);
  }

  /**
   * Makes an unproven source proven if it is trusted or signs, or was received for long enough. A change of host
   * restarts the time, since two hosts under one name prove nothing.
   */
  #prove(entry: SensorEntry, host: string, isProven: boolean, nowMs: number): void {
    if (entry.host !== host) {
      entry.host = host;
      entry.firstMs = nowMs;
    }
    if (!isProven && !this.#isPatient(entry.firstMs, nowMs)) return;
    if (this.#proven.size >= this.#deps.limits().proven && !this.#makeRoom(this.#proven, isProven, nowMs)) return;
    this.#believe(entry);
    if (isProven) this.#last(entry);
  }

  /**
   * Removes the source with the oldest sign of life to make room; true if one was removed. Tries this at most once in
   * `DISPLACE_EVERY_MS`. Sources with an operator's settings are never removed. Proven sources are removed only after
   * their deadline. Lasting sources are removed only if `isVouchedFor` (the new source is trusted or signed).
   */
  #makeRoom(places: Map<string, SensorEntry>, isVouchedFor: boolean, nowMs: number): boolean {
    this.full++;
    this.condition.fullMs = nowMs;
    if (nowMs - this.#displacedMs < DISPLACE_EVERY_MS) return false;
    this.#displacedMs = nowMs;
    let oldest: SensorEntry | null = null;
    for (const entry of places.values()) {
      const isBound = isSet(entry.settings) || (entry.isLasting && !isVouchedFor);
      if (!isBound && lastMs(entry) < lastMs(oldest)) oldest = entry;
    }
    if (!oldest || (oldest.isProven && !isSilent(oldest, nowMs))) return false;
    this.forget(oldest);
    return true;
  }
}

/** Returns the address without its port, because a restarted sender has another port. */
export function hostOf(from: string): string {
  const colon = from.lastIndexOf(':');
  return colon < 0 ? from : from.slice(0, colon);
}

function isOutlived(entry: SensorEntry, nowMs: number): boolean {
  return !entry.isLasting && nowMs - lastMs(entry) > FORGOTTEN_AFTER_MS;
}

/** True if the sensor's deadline has passed since its last sign of life. */
function isSilent(entry: SensorEntry, nowMs: number): boolean {
  return nowMs - lastMs(entry) > entry.row.heartbeatS * 1_000;
}

function lastMs(entry: SensorEntry | null): number {
  return entry === null ? Number.POSITIVE_INFINITY : (entry.live.lifeMs ?? entry.live.bornMs);
}

/**
 * True for receivers whose silence leaves the sky unwatched: those that an operator set up, and proven ones. Other
 * unproven receivers are excluded, because anybody on an open link may have invented them. Other vehicles are excluded,
 * because the fleet reports their loss.
 */
function isReliedOn({ isProven, settings, row }: SensorEntry): boolean {
  return isSet(settings) || (isProven && row.modality !== 'telemetry');
}
