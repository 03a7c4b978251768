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

/** A source of an open link that was received from one host for so long, never beyond its deadline, is proven. */
const PROVEN_AFTER_MS = 30_000;
/** One source takes the place of another so often at most: each change is a message to the core and to every client. */
const DISPLACE_EVERY_MS = 1_000;
/** Messages a second that sources without a place are received by: invented aircraft cost the core most. */
const UNPLACED_PER_S = 500;

/** Where a message comes from, `address:port`, and whether it is signed with the key of the link. */
export type Origin = { from: string; isSigned: boolean };

export type PlacesRim = {
  limits(): PlaceLimits;
  /** Makes and lists the row of a source. */
  add(places: LinkPlaces, receiver: string, modality: Modality): SensorEntry;
  remove(entry: SensorEntry): void;
  /** A source is believed from now on. */
  proven(entry: SensorEntry): void;
};

/**
 * The sensors of one link: its own row, the receivers that are proven, and those that are not yet. Unproven sources can
 * displace each other only. Sources without a place are received as the link itself, as far as their common rate goes.
 */
export class LinkPlaces {
  readonly #rim: PlacesRim;
  readonly #proven = new Map<string, SensorEntry>();
  readonly #unproven = new Map<string, SensorEntry>();
  link: SensorLink;
  own: SensorEntry | null = null;
  readonly condition: LinkCondition;
  /** Messages of sources that found all places taken. */
  full = 0;
  #displacedMs = Number.NEGATIVE_INFINITY;
  /** The second that is counted, and the messages of sources without a place in it. */
  #unplaced = { second: 0, count: 0 };

  constructor(link: SensorLink, nowMs: number, rim: PlacesRim) {
    this.link = link;
    this.#rim = rim;
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
    if (known) {
      known.host ??= hostOf(from);
      return known;
    }
    const isProven = this.link.isTrusted || isSigned;
    const unproven = this.#unproven.get(receiver);
    if (unproven) {
      this.#prove(unproven, hostOf(from), isProven, nowMs);
      return unproven;
    }
    const entry = this.#admit(receiver, modality, isProven, nowMs);
    if (entry && entry !== this.own) entry.host = hostOf(from);
    return entry;
  }

  /** Whether a message that names a proven receiver comes from where that one speaks. */
  isFromProven(receiver: string, from: string): boolean {
    const proven = this.#proven.get(receiver);
    return proven !== undefined && proven.host === hostOf(from);
  }

  /** A receiver is believed from now on: it is known from an earlier run, was received for long, or an operator says so. */
  believe(entry: SensorEntry): void {
    this.#unproven.delete(entry.receiver);
    this.#proven.set(entry.receiver, entry);
    entry.isProven = true;
  }

  /** Removes sources that are silent beyond their deadline and that nobody relies on. */
  sweep(nowMs: number): void {
    for (const entry of this.receivers) {
      const sinceMs = entry.live.lifeMs ?? entry.live.bornMs;
      if (!isReliedOn(entry) && nowMs - sinceMs > entry.row.heartbeatS * 1_000) this.forget(entry);
    }
  }

  forget(entry: SensorEntry): void {
    this.#proven.delete(entry.receiver);
    this.#unproven.delete(entry.receiver);
    this.#rim.remove(entry);
  }

  /**
   * Whether the silence of a row is told: of receivers that are relied on, and of the link's own row where there are none.
   * It is told also while the row is hidden behind sources that anybody may have made up.
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
    const { proven, unproven } = this.#rim.limits();
    if (places.size >= (isProven ? proven : unproven) && !this.#makeRoom(places, isProven, nowMs)) {
      return this.#isUnplacedDue(nowMs) ? this.own : null;
    }
    const entry = this.#rim.add(this, receiver, modality);
    entry.isProven = isProven;
    places.set(receiver, entry);
    if (isProven) this.#rim.proven(entry);
    return entry;
  }

  #isUnplacedDue(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1_000);
    if (this.#unplaced.second !== second) this.#unplaced = { second, count: 0 };
    return ++this.#unplaced.count <= UNPLACED_PER_S;
  }

  /** A name that is used from another host begins anew: two who use it prove nothing. */
  #prove(entry: SensorEntry, host: string, isProven: boolean, nowMs: number): void {
    if (entry.host !== host) {
      entry.host = host;
      entry.firstMs = nowMs;
    }
    // While places are short nobody proves anything by mere patience.
    if (!isProven && (nowMs - entry.firstMs < PROVEN_AFTER_MS || isFull(this.condition, nowMs))) return;
    if (this.#proven.size >= this.#rim.limits().proven && !this.#makeRoom(this.#proven, true, nowMs)) return;
    this.believe(entry);
    this.#rim.proven(entry);
  }

  /** Whether a source gave up its place: the one longest silent, a proven one only beyond its deadline. */
  #makeRoom(places: Map<string, SensorEntry>, isProven: boolean, nowMs: number): boolean {
    this.full++;
    this.condition.fullMs = nowMs;
    if (nowMs - this.#displacedMs < DISPLACE_EVERY_MS) return false;
    this.#displacedMs = nowMs;
    let oldest: SensorEntry | null = null;
    for (const entry of places.values()) if (!isSet(entry.settings) && lastMs(entry) < lastMs(oldest)) oldest = entry;
    if (!oldest || (isProven && nowMs - lastMs(oldest) <= oldest.row.heartbeatS * 1_000)) return false;
    this.forget(oldest);
    return true;
  }
}

/** The address without its port: a receiver that starts anew has another port. */
function hostOf(from: string): string {
  const colon = from.lastIndexOf(':');
  return colon < 0 ? from : from.slice(0, colon);
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
