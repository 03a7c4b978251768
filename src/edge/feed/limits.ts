/** A sender that has been heard for so long is known; known senders are served first when a link is flooded. */
const KNOWN_AFTER_MS = 10_000;
/** Of a link's budget, the part that senders not yet known may use: a flood of invented ones leaves the rest alone. */
const STRANGERS_SHARE = 0.5;

/** Tokens that refill with time, up to one second's worth. */
class Bucket {
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
 * Which messages of a link are taken: each sender has its own rate, and all together the link's. One loud sender is
 * held by its own rate; a crowd of new ones shares half of the link's, so that those already known are still heard.
 */
export class SenderLimits {
  readonly #senderPerS: number;
  readonly #maxSenders: number;
  readonly #senders = new Map<string, Sender>();
  readonly #all: Bucket;
  readonly #strangers: Bucket;
  refused = 0;

  constructor(senderPerS: number, linkPerS: number, maxSenders: number, nowMs: number) {
    this.#senderPerS = senderPerS;
    this.#maxSenders = maxSenders;
    this.#all = new Bucket(linkPerS, nowMs);
    this.#strangers = new Bucket(Math.max(1, linkPerS * STRANGERS_SHARE), nowMs);
  }

  admit(sender: string, nowMs: number): boolean {
    const known = this.#senders.get(sender);
    const entry = known ?? { bucket: new Bucket(this.#senderPerS, nowMs), firstMs: nowMs };
    if (known) this.#senders.delete(sender);
    else if (this.#senders.size >= this.#maxSenders) this.#forgetOldest();
    this.#senders.set(sender, entry);
    const stranger = nowMs - entry.firstMs < KNOWN_AFTER_MS;
    const admitted = entry.bucket.take(nowMs) && (!stranger || this.#strangers.take(nowMs)) && this.#all.take(nowMs);
    if (!admitted) this.refused++;
    return admitted;
  }

  /** The map keeps its order of last hearing, so the first entry is the longest unheard. */
  #forgetOldest(): void {
    const oldest = this.#senders.keys().next();
    if (!oldest.done) this.#senders.delete(oldest.value);
  }
}
