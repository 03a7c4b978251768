/** Silence of a peer after which it is asked, and the interval of the next questions, ms (ATAK, streamingsocketmanagement). */
const ASK_AFTER_MS = 15_000;
const ASK_AGAIN_MS = 4_500;
/** Least interval of answers: a peer that floods questions gets no flood back, ms. */
const ANSWER_EVERY_MS = 1_000;
/** Bytes kept of a chunk, because the next one may end what began in it. */
const TAIL = 64;
const pingType = /\btype\s*=\s*["']t-x-c-t(-r)?["']/g;

/** Questions and answers of one connection: finds out whether the peer is there, without reading its events. */
export class Pings {
  #tail = '';
  #receivedMs: number;
  #askedMs = Number.NEGATIVE_INFINITY;
  #answeredMs = Number.NEGATIVE_INFINITY;
  #isAsked = false;
  #answers = false;

  constructor(nowMs: number) {
    this.#receivedMs = nowMs;
  }

  /** Whether the peer answered a question once. A peer that never did is one-way, and its silence is no fault. */
  get answers(): boolean {
    return this.#answers;
  }

  received(bytes: Uint8Array, nowMs: number): void {
    this.#receivedMs = nowMs;
    const text = this.#tail + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    let end = 0;
    for (const found of text.matchAll(pingType)) {
      end = found.index + found[0].length;
      if (found[1] === undefined) this.#isAsked = true;
      else this.#answers = true;
    }
    this.#tail = text.slice(Math.max(end, text.length - TAIL));
  }

  /** Returns the message that is due now. */
  due(nowMs: number): 'question' | 'answer' | null {
    if (this.#isAsked && nowMs - this.#answeredMs >= ANSWER_EVERY_MS) {
      this.#isAsked = false;
      this.#answeredMs = nowMs;
      return 'answer';
    }
    if (nowMs - this.#receivedMs < ASK_AFTER_MS || nowMs - this.#askedMs < ASK_AGAIN_MS) return null;
    this.#askedMs = nowMs;
    return 'question';
  }
}
