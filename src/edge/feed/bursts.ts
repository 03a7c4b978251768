import type { FlightStatus, Observation, ObservationUse } from '../../model/observation.ts';

/** Time within which one broadcast arrives from all its receivers, radios and repeats, ms. */
const BURST_MS = 1_000;
/** Greatest number of remembered broadcasts; the oldest is evicted. */
const MOST = 8_192;
/** Number of hash buckets, a power of two; twice the broadcasts, so that few share one. */
const BUCKETS = 2 * MOST;
/** Numbers in the content of a broadcast. */
const WIDTH = 12;

type Status = FlightStatus | null;

/**
 * Broadcasts of the last second, from all receivers. A position equal to one that was just reported, by this or another
 * receiver, is the same observation and must count only once. The status is part of the content: the same position with
 * another status is a contradiction, not a repeat. A forger thus cannot hide the emergency of an aircraft by repeating
 * its reports.
 *
 * Thousands of broadcasts arrive per second, and each is kept for a second. They are kept as rows of reused memory,
 * because objects of this age are what a generational collector collects at the highest cost.
 */
export class Bursts {
  /** Content of the remembered broadcasts, a ring in the order of their first reports. */
  readonly #contents = new Float64Array(MOST * WIDTH);
  readonly #names: string[] = [];
  readonly #firstMs = new Float64Array(MOST);
  readonly #statuses: Status[] = [];
  /** Further statuses with the same content, by slot; nearly always empty. */
  readonly #others = new Map<number, Set<Status>>();
  readonly #hashes = new Int32Array(MOST);
  /** The latest slot of each bucket, and of each slot the one before it in its bucket; −1 if there was none. */
  readonly #latest = new Int32Array(BUCKETS).fill(-1);
  readonly #before = new Int32Array(MOST);
  #oldest = 0;
  #count = 0;

  /** Classifies an observation and remembers it. An observation without a position always counts as a measurement. */
  useOf(o: Observation): ObservationUse {
    if (o.latDeg === null) return 'measure';
    const name = (o.identities.find(({ type }) => type !== 'mac') ?? o.identities[0])?.value ?? '';
    putContent(o);
    const hash = hashOf(name);
    const slot = this.#find(hash, name);
    if (slot !== null && o.receivedMs - this.#firstMsOf(slot) <= BURST_MS) return this.#repeated(slot, o.status);
    this.#forget(o.receivedMs);
    this.#remember(hash, name, o);
    return 'measure';
  }

  /** Returns the latest slot with the content that was put last; null if there is none. */
  #find(hash: number, name: string): number | null {
    let later = this.#count;
    for (let slot = this.#latest[bucketOf(hash)] ?? -1; slot >= 0; slot = this.#before[slot] ?? -1) {
      const place = (slot - this.#oldest + MOST) % MOST;
      // The slot was evicted, and perhaps used again.
      if (place >= later) return null;
      if (this.#hashes[slot] === hash && this.#isSame(slot, name)) return slot;
      later = place;
    }
    return null;
  }

  #repeated(slot: number, status: Status): ObservationUse {
    const others = this.#others.get(slot);
    if (this.#statuses[slot] === status || others?.has(status)) return 'repeat';
    if (others) others.add(status);
    else this.#others.set(slot, new Set([status]));
    return 'contradiction';
  }

  #remember(hash: number, name: string, { receivedMs, status }: Observation): void {
    const slot = (this.#oldest + this.#count) % MOST;
    this.#contents.set(content, slot * WIDTH);
    this.#names[slot] = name;
    this.#firstMs[slot] = receivedMs;
    this.#statuses[slot] = status;
    this.#hashes[slot] = hash;
    const bucket = bucketOf(hash);
    this.#before[slot] = this.#latest[bucket] ?? -1;
    this.#latest[bucket] = slot;
    this.#count++;
  }

  #forget(nowMs: number): void {
    while (this.#count > 0 && (nowMs - this.#firstMsOf(this.#oldest) > BURST_MS || this.#count >= MOST)) {
      const bucket = bucketOf(this.#hashes[this.#oldest] ?? 0);
      if (this.#latest[bucket] === this.#oldest) this.#latest[bucket] = -1;
      this.#others.delete(this.#oldest);
      this.#names[this.#oldest] = '';
      this.#oldest = (this.#oldest + 1) % MOST;
      this.#count--;
    }
  }

  #firstMsOf(slot: number): number {
    return this.#firstMs[slot] ?? Number.NaN;
  }

  /** Compares a slot with the content that was put last. Unknown values are equal. */
  #isSame(slot: number, name: string): boolean {
    const from = slot * WIDTH;
    for (let i = 0; i < WIDTH; i++) if (!Object.is(this.#contents[from + i], content[i])) return false;
    return this.#names[slot] === name;
  }
}

/** Content of one broadcast, and the same memory as words. */
const content = new Float64Array(WIDTH);
const words = new Uint32Array(content.buffer);

/** Sets a number of the content. Minus zero is zero: its bytes differ. */
function put(index: number, value: number | null): void {
  content[index] = value === null ? Number.NaN : value + 0;
}

/**
 * Puts the content of a broadcast: its location. One identity is compared besides, because different transmitters, such
 * as test transmitters, may send equal locations.
 */
function putContent(o: Observation): void {
  put(0, o.latDeg);
  put(1, o.lonDeg);
  put(2, o.altHaeM);
  put(3, o.heightTakeoffM);
  put(4, o.altAglM);
  put(5, o.sigmaHM);
  put(6, o.sigmaVM);
  put(7, o.sigmaSpeedMps);
  put(8, o.speedMps);
  put(9, o.courseDeg);
  put(10, o.climbMps);
  put(11, secondsOf(o));
}

/**
 * Returns a hash of the content and a name: FNV-1a, by words instead of bytes. A forger can choose contents with equal
 * hashes, so contents are always compared.
 */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const word of words) hash = mixed(hash, word);
  for (let i = 0; i < name.length; i++) hash = mixed(hash, name.charCodeAt(i));
  return hash;
}

function bucketOf(hash: number): number {
  return hash & (BUCKETS - 1);
}

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x01000193);
  // Multiplication moves nothing down, and the low words of most numbers of a broadcast are zero.
  return product ^ (product >>> 15);
}

/**
 * Returns the time within the hour by the source's clock, ms; null without a source time. The hour is left out because
 * each receiver has to guess it.
 */
function secondsOf({ sourceMs }: Observation): number | null {
  return sourceMs === null ? null : sourceMs % 3_600_000;
}
