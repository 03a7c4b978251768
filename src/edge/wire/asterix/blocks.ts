import { ByteQueue } from '../capture/byte_queue.ts';

/** Category and length: the length counts itself and the category. */
const HEADER = 3;
/** Longest block of an unknown category, and after rubbish: in practice blocks are shorter, and text would announce more. */
const LONGEST_OF_STRANGERS = 8_192;

export type BlockSink = {
  /** A whole block: its records lie in [from, to). False where they could not be read to the end. */
  block(category: number, bytes: Uint8Array, from: number, to: number): boolean;
  /** A run of bytes that are no block: a length that cannot be, or a block that ends before its length. */
  lost(): void;
};

/** Reads the blocks of a datagram. Nothing follows a wrong length: it is the only mark of where the next block begins. */
export function readDatagram(bytes: Uint8Array, sink: BlockSink): void {
  let at = 0;
  while (at < bytes.length) {
    const length = lengthAt(bytes, at);
    if (length < HEADER || at + length > bytes.length) return void sink.lost();
    sink.block(bytes[at] ?? 0, bytes, at + HEADER, at + length);
    at += length;
  }
}

/** Cuts the bytes of one connection into blocks. After rubbish it goes on at a block of a known category. */
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

  /** Reads all whole blocks; returns the number of bytes used. */
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
