import { FORGET_SILENT_MS, SenderMap } from './sender_map.ts';

/**
 * Time since a sender's first message after which the sender is known, ms. A known sender may use all of the link's
 * rate; unknown senders share a part of it (`STRANGERS_SHARE`). A sender that was silent for `FORGET_SILENT_MS` is unknown
 * again: each aircraft is a sender on some links, and thousands that left would be kept.
 */
const KNOWN_AFTER_MS = 10_000;
/**
 * Share of a link's rate for senders that are not yet known. A flood of invented senders leaves the rest to known
 * ones.
 */
const STRANGERS_SHARE = 0.5;
/**
 * Size of the map of senders received once, as a multiple of the sender limit. It must be large enough to keep a real
 * sender until its next report.
 */
const ONCE_FACTOR = 4;

/** Token bucket. Its tokens refill with time, up to the number for one second. */
export class Bucket {
  #tokens: number;
  #atMs: number;
  readonly #perS: number;

  constructor(perS: number, nowMs: number) {
    this.#perS = perS;
    this.#tokens = perS;
    this.#atMs = nowMs;
  }

  take(nowMs: number): boolean {
    const elapsedS = Math.max(0, nowMs - this.#atMs) / 1000;
    this.#tokens = Math.min(this.#perS, this.#tokens + elapsedS * this.#perS);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}

type Sender = { bucket: Bucket; firstMs: number };

/**
 * Rate limits of a link's messages, for each sender and for all senders together. The limit of a sender stops a single
 * fast sender. New senders together get at most half of the link's rate, so that known senders are still received.
 * New senders have a map of their own, so that they cannot evict known senders.
 */
export class SenderLimits {
  readonly #senderPerS: number;
  readonly #known: SenderMap<Sender>;
  /** Senders received once. A flood of names that are each used once fills only this map. */
  readonly #once: SenderMap<Sender>;
  readonly #strangers: SenderMap<Sender>;
  readonly #all: Bucket;
  readonly #ofStrangers: Bucket;
  refused = 0;

  constructor(senderPerS: number, linkPerS: number, maxSenders: number, nowMs: number) {
    this.#senderPerS = senderPerS;
    this.#known = new SenderMap(maxSenders, FORGET_SILENT_MS);
    this.#once = new SenderMap(maxSenders * ONCE_FACTOR, FORGET_SILENT_MS);
    this.#strangers = new SenderMap(maxSenders, FORGET_SILENT_MS);
    this.#all = new Bucket(linkPerS, nowMs);
    this.#ofStrangers = new Bucket(Math.max(1, linkPerS * STRANGERS_SHARE), nowMs);
  }

  admit(name: string, nowMs: number): boolean {
    const known = this.#known.again(name, nowMs);
    const admitted = known ? known.bucket.take(nowMs) && this.#all.take(nowMs) : this.#admitStranger(name, nowMs);
    if (!admitted) this.refused++;
    return admitted;
  }

  #admitStranger(name: string, nowMs: number): boolean {
    const sender = this.#stranger(name, nowMs);
    if (nowMs - sender.firstMs >= KNOWN_AFTER_MS) {
      this.#strangers.delete(name);
      this.#known.of(name, () => sender, nowMs);
    }
    return sender.bucket.take(nowMs) && this.#ofStrangers.take(nowMs) && this.#all.take(nowMs);
  }

  #stranger(name: string, nowMs: number): Sender {
    const met = this.#strangers.again(name, nowMs);
    if (met) return met;
    const sender = this.#once.again(name, nowMs);
    if (!sender) return this.#once.of(name, () => this.#meet(nowMs), nowMs);
    this.#once.delete(name);
    return this.#strangers.of(name, () => sender, nowMs);
  }

  #meet(nowMs: number): Sender {
    return { bucket: new Bucket(this.#senderPerS, nowMs), firstMs: nowMs };
  }
}
