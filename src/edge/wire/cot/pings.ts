/**
 * Silence of a peer after which a ping is sent, and interval of further pings, ms (ATAK, streamingsocketmanagement).
 */
const ASK_AFTER_MS = 15_000;
const ASK_AGAIN_MS = 4_500;
/** Least interval between two answers, ms, so that a peer that floods pings gets no flood of answers. */
const ANSWER_EVERY_MS = 1_000;
/** Number of bytes kept from the end of a chunk, because the next chunk may complete a ping that began there. */
const TAIL = 64;
const pingType = /\btype\s*=\s*["']t-x-c-t(-r)?["']/g;

/**
 * Decides when to send a ping, or an answer to the peer's ping, on one connection. Pings show whether the peer is
 * alive. They are found by a text search; events are not parsed for this.
 */
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

  /**
   * True once the peer has answered a ping. A peer that never answered a ping may be built to send only, or to receive
   * only, so its silence is no fault.
   */
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

  /** Returns whether a ping or an answer to a ping is due now, and records it as sent; null if neither is due. */
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
