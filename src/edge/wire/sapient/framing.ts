const HEADER = 4;
/** Longest message, bytes (Apex-SAPIENT-Middleware@0c8591a `apex_config.json`, messageMaxSizeKb). */
export const LONGEST_MESSAGE = 1_048_576;
/**
 * Initial buffer size of an incomplete message, bytes. The buffer grows by doubling, so that a length alone does not
 * reserve memory.
 */
const FIRST_BUFFER = 4_096;

export type FrameSink = {
  /** Receives a whole message without its length. The bytes are valid only until the call returns. */
  frame(bytes: Uint8Array): void;
  /** Reports a length that no message can have. The rest of the stream cannot be decoded. */
  lost(length: number): void;
};

/** Splits one stream into messages. A length of 4 bytes, least byte first, precedes each message. */
export class SapientFraming {
  readonly #header = new Uint8Array(HEADER);
  #headerBytes = 0;
  #length = 0;
  #body = new Uint8Array(0);
  #bodyBytes = 0;
  #isLost = false;

  /** True while a frame is incomplete. */
  get isPending(): boolean {
    return this.#headerBytes > 0 && !this.#isLost;
  }

  push(bytes: Uint8Array, sink: FrameSink): void {
    let at = 0;
    while (at < bytes.length && !this.#isLost) {
      if (this.#headerBytes < HEADER) {
        this.#header[this.#headerBytes++] = bytes[at++] ?? 0;
        if (this.#headerBytes === HEADER) this.#begin(sink);
      } else at += this.#take(bytes, at, sink);
    }
  }

  #begin(sink: FrameSink): void {
    this.#length = new DataView(this.#header.buffer).getUint32(0, true);
    this.#bodyBytes = 0;
    // A length of 0 is refused, because messages have mandatory fields. A stream of zeros would otherwise be an empty
    // message for every four bytes.
    if (this.#length > LONGEST_MESSAGE || this.#length === 0) {
      this.#isLost = true;
      this.#body = new Uint8Array(0);
      sink.lost(this.#length);
    }
  }

  /**
   * Takes bytes of a message from `at` on and returns their number. A message that arrives in one piece is not
   * copied.
   */
  #take(bytes: Uint8Array, at: number, sink: FrameSink): number {
    const wanted = this.#length - this.#bodyBytes;
    const piece = bytes.subarray(at, at + wanted);
    if (this.#bodyBytes === 0 && piece.length === wanted) this.#end(piece, sink);
    else this.#keep(piece, sink);
    return piece.length;
  }

  #keep(piece: Uint8Array, sink: FrameSink): void {
    const needed = this.#bodyBytes + piece.length;
    if (needed > this.#body.length) {
      const grown = new Uint8Array(Math.min(this.#length, Math.max(FIRST_BUFFER, 2 * needed)));
      grown.set(this.#body.subarray(0, this.#bodyBytes));
      this.#body = grown;
    }
    this.#body.set(piece, this.#bodyBytes);
    this.#bodyBytes = needed;
    if (needed === this.#length) this.#end(this.#body.subarray(0, needed), sink);
  }

  #end(message: Uint8Array, sink: FrameSink): void {
    this.#headerBytes = 0;
    this.#bodyBytes = 0;
    // A large buffer is released, so that it does not stay allocated for the whole connection.
    if (this.#body.length > FIRST_BUFFER) this.#body = new Uint8Array(0);
    sink.frame(message);
  }
}
