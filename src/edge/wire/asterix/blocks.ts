import { ByteQueue } from '../capture/byte_queue.ts';

/** Length of a block's header, bytes: category (1) and length (2). The length field counts the header too. */
const HEADER = 3;
/**
 * Longest block of an unknown category that is accepted in a stream, bytes. After damage this limit holds for every
 * category. Real blocks are shorter; text that is misread as a header often states a greater length.
 */
const LONGEST_OF_STRANGERS = 8_192;

export type BlockSink = {
  /**
   * Receives a whole block; its records are the bytes in [from, to). Returns false if the records could not be read to
   * the end.
   */
  block(category: number, bytes: Uint8Array, from: number, to: number): boolean;
  /** Reports a run of bytes that are no block: an impossible length, or a block that ends too early. */
  lost(): void;
};

/** Reads the blocks of a datagram. Stops at a wrong length, since only the length shows where the next block begins. */
export function readDatagram(bytes: Uint8Array, sink: BlockSink): void {
  let at = 0;
  while (at < bytes.length) {
    const length = lengthAt(bytes, at);
    if (length < HEADER || at + length > bytes.length) return void sink.lost();
    sink.block(bytes[at] ?? 0, bytes, at + HEADER, at + length);
    at += length;
  }
}

/** Splits the bytes of one connection into blocks. After damage it continues at a block of a known category. */
export class BlockStream {
  readonly #held = new ByteQueue();
  readonly #isKnown: (category: number) => boolean;
  #isLost = false;

  constructor(isKnown: (category: number) => boolean) {
    this.#isKnown = isKnown;
  }

  get isPending(): boolean {
    return this.#held.length > 0;
  }

  push(chunk: Uint8Array, sink: BlockSink): void {
    this.#held.append(chunk);
    this.#held.drop(this.#readAll(this.#held.view(), sink));
  }

  /** Reads all whole blocks. Returns the number of bytes used. */
  #readAll(bytes: Uint8Array, sink: BlockSink): number {
    let at = 0;
    while (at + HEADER <= bytes.length) {
      const length = lengthAt(bytes, at);
      if (!this.#mayBegin(bytes[at] ?? 0, length)) {
        this.#lose(sink);
        at++;
        continue;
      }
      if (at + length > bytes.length) return at;
      const isWhole = sink.block(bytes[at] ?? 0, bytes, at + HEADER, at + length);
      this.#isLost = !isWhole;
      at += length;
    }
    return at;
  }

  #mayBegin(category: number, length: number): boolean {
    const isShort = length <= LONGEST_OF_STRANGERS;
    if (this.#isLost) return this.#isKnown(category) && length > HEADER && isShort;
    return length >= HEADER && (isShort || this.#isKnown(category));
  }

  #lose(sink: BlockSink): void {
    if (!this.#isLost) sink.lost();
    this.#isLost = true;
  }
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return at + HEADER > bytes.length ? 0 : (bytes[at + 1] ?? 0) * 256 + (bytes[at + 2] ?? 0);
}
