import type { Modality } from '../../model/sensor.ts';
import type { SensorEntry } from './sensor_entry.ts';
import { isSet } from './sensor_row.ts';
import { isFull, type LinkCondition } from './sensor_state.ts';

/** A link as its sensors depend on it. */
export type SensorLink = {
  id: string;
  name: string;
  /** Deadline of its sensors that have none of their own. */
  silenceS: number;
  /** Its own row: the receiver that speaks without a name there. Null in a world whose sensors others declare. */
  own: { receiver: string; modality: Modality } | null;
  /** Only sources that the owner named can be received on it. */
  isTrusted: boolean;
  isSerial: boolean;
};

/** Sources of one link that have a row of their own at once. */
export type PlaceLimits = { proven: number; unproven: number };

/** Time of reception from one host, never beyond the deadline, after which a source of an open link is proven, ms. */
const PROVEN_AFTER_MS = 30_000;
/** Time of reception, never beyond the deadline, after which a source is expected permanently, ms. */
const LASTING_AFTER_MS = 600_000;
/** Silence after which another source is removed, ms: anybody may have invented it. */
const FORGOTTEN_AFTER_MS = 600_000;
/**
 * Least interval between two replacements of a source, ms: each change is a message to the core and to every client.
 */
const DISPLACE_EVERY_MS = 1_000;
/**
 * Greatest number of hosts that may prove themselves under the name of one silent receiver. The host silent for longest
 * makes room.
 */
const MOST_RIVALS = 16;
/** Messages a second that sources without a place are received by: invented aircraft cost the core most. */
const UNPLACED_PER_S = 500;

/** Sender of a message, `address:port`, and whether the message is signed with the link's key. */
export type Origin = { from: string; isSigned: boolean };

export type PlacesDeps = {
  limits(): PlaceLimits;
  /** Makes and lists the row of a source. */
  add(places: LinkPlaces, receiver: string, modality: Modality): SensorEntry;
  remove(entry: SensorEntry): void;
  /** A source is expected for good from now on. */
  lasting(entry: SensorEntry): void;
};

/**
 * The sensors of one link: its own row, the receivers that are proven, and those that are not yet. Unproven sources can
 * displace each other only. Sources without a place are received as the link itself, as far as their common rate goes.
 */
export class LinkPlaces {
  readonly #deps: PlacesDeps;
  readonly #proven = new Map<string, SensorEntry>();
  readonly #unproven = new Map<string, SensorEntry>();
  link: SensorLink;
  own: SensorEntry | null = null;
  readonly condition: LinkCondition;
  /** Messages of sources that found all places taken. */
  full = 0;
  /** Messages by the name of a proven receiver that came from another host than that receiver's. */
  contested = 0;
  /** The last of them; null where none came. */
  lastContest: { receiver: string; host: string } | null = null;
  #displacedMs = Number.NEGATIVE_INFINITY;
  /** The second that is counted, and the messages of sources without a place in it. */
  #unplaced = { second: 0, count: 0 };

  constructor(link: SensorLink, nowMs: number, deps: PlacesDeps) {
    this.link = link;
    this.#deps = deps;
    this.condition = {
      ...{ trouble: null, wasOpen: false, enabledMs: nowMs, hasCarrier: false, noiseMs: null, fullMs: null },
      isSerial: link.isSerial,
    };
  }

  get receivers(): SensorEntry[] {
    return [...this.#proven.values(), ...this.#unproven.values()];
  }

  find(receiver: string): SensorEntry | undefined {
    return this.#proven.get(receiver) ?? this.#unproven.get(receiver);
  }

  /** The row of a source that is received now; null where it has none and the link has no row of its own. */
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

  /** A receiver that has a row already gave a sign of life. */
  alive(receiver: string, origin: Origin, nowMs: number): void {
    const entry = this.find(receiver);
    if (entry && (!entry.isProven || this.#isFromItsHost(entry, origin, nowMs))) entry.live.lifeMs = nowMs;
  }

  /** True where a message that names a proven receiver comes from where that one speaks. */
  isFromProven(receiver: string, from: string): boolean {
    const proven = this.#proven.get(receiver);
    return proven !== undefined && proven.host === hostOf(from);
  }

  /** A receiver is believed from now on, and for good: it is known from an earlier run, or an operator says so. */
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

  /** Removes sources that are silent beyond their deadline and that nobody relies on, or nobody any more. */
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
   * Whether the silence of a row is reported: the silence of proven receivers, and of the link's own row where there
   * are none. It is reported also while the row is hidden behind sources that anybody may have invented.
   */
  isWatched(entry: SensorEntry, nowMs: number): boolean {
    if (entry !== this.own) return isReliedOn(entry);
    return this.#speaksForItself(entry, nowMs) || !this.receivers.some(isReliedOn);
  }

  /** The link's own row stands for sources without one. It is hidden while others have theirs and the link is well. */
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

  /** The row of messages that count for no receiver: the link's own, up to their common rate. */
  #unplacedRow(nowMs: number): SensorEntry | null {
    const second = Math.floor(nowMs / 1_000);
    if (this.#unplaced.second !== second) this.#unplaced = { second, count: 0 };
    return ++this.#unplaced.count <= UNPLACED_PER_S ? this.own : null;
  }

  /**
   * True where a message by the name of a proven receiver is that receiver's. The fleet decides which host speaks for a
   * vehicle. Messages of another host are counted, and prove it as a newcomer once the receiver is past its deadline.
   */
  #isFromItsHost(entry: SensorEntry, { from, isSigned }: Origin, nowMs: number): boolean {
    if (this.link.isTrusted || entry.row.modality === 'telemetry') return true;
    const host = hostOf(from);
    if (isSigned) entry.host = host;
    entry.host ??= host;
    if (entry.host === host) {
      entry.rivals.clear();
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
   * Whether a host is proven, by its own messages, never beyond the deadline. Messages of other hosts take nothing from
   * its proof.
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
    // The map is in the order of the last messages.
    rivals.delete(host);
    const [longestSilent] = rivals.keys();
    if (rivals.size >= MOST_RIVALS && longestSilent !== undefined) rivals.delete(longestSilent);
    rivals.set(host, { firstMs, lastMs: nowMs });
    return this.#isPatient(firstMs, nowMs);
  }

  /** While places are short nobody proves anything by mere patience. */
  #isPatient(firstMs: number, nowMs: number): boolean {
    return nowMs - firstMs >= PROVEN_AFTER_MS && !isFull(this.condition, nowMs);
  }

  /** A name that is used from another host begins anew: two who use it prove nothing. */
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
   * True where a source gave up its place: the one longest silent, a proven one only beyond its deadline. One that is expected
   * for good gives way to none that is proven by patience.
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

/** The address without its port: a sender that starts anew has another port. */
export function hostOf(from: string): string {
  const colon = from.lastIndexOf(':');
  return colon < 0 ? from : from.slice(0, colon);
}

/** True where a receiver that was proven by patience alone is silent for too long to be expected. */
function isOutlived(entry: SensorEntry, nowMs: number): boolean {
  return !entry.isLasting && nowMs - lastMs(entry) > FORGOTTEN_AFTER_MS;
}

/** True where its deadline passed since its last sign of life. */
function isSilent(entry: SensorEntry, nowMs: number): boolean {
  return nowMs - lastMs(entry) > entry.row.heartbeatS * 1_000;
}

function lastMs(entry: SensorEntry | null): number {
  return entry === null ? Number.POSITIVE_INFINITY : (entry.live.lifeMs ?? entry.live.bornMs);
}

/**
 * A receiver whose silence means that the sky is not watched: not one that anybody on an open link may have made up, nor
 * a vehicle, which says in the fleet that it is gone.
 */
function isReliedOn({ isProven, settings, row }: SensorEntry): boolean {
  return isSet(settings) || (isProven && row.modality !== 'telemetry');
}
