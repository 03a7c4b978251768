/** Longest captured packet, bytes: tcpdump's largest snapshot length. A longer one says that the file is damaged. */
export const MOST_PACKET_BYTES = 262_144;
/** Longest block that is held: a packet with its options. Longer blocks of other kinds are skipped unread. */
const MOST_BLOCK_BYTES = 2 * MOST_PACKET_BYTES;

/** Bytes of a file as they come, cut into pieces of a wanted length. Holds at most one piece and one chunk. */
export class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  /** Position of the next byte in the file. */
  at = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next `length` bytes; fewer where the file ends. */
  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length) {
      const next = await this.#chunks.next();
      if (next.done) break;
      this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value]);
    }
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(taken.length);
    this.at += taken.length;
    return taken;
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) {
      const { length: got } = await this.take(Math.min(left, 65_536));
      if (got === 0) return;
      left -= got;
    }
  }
}

/** A block of a pcapng file: its type, and its body without lengths; null where it is too long to be held. */
export type Block = { type: number; body: Buffer | null; isLittle: boolean };

const SECTION = 0x0a0d0d0a;
const ORDER_MAGIC = 0x1a2b3c4d;
const FRAME = 12;

/** Blocks of a pcapng file, with the byte order of their section. Ends with a sentence where the file is damaged. */
export async function* blocksOf(bytes: Bytes, problem: (sentence: string) => void): AsyncGenerator<Block> {
  let isLittle = true;
  for (;;) {
    const begin = bytes.at;
    const damaged = (why: string): void => problem(`the block at byte ${begin} ${why}; the rest was left out`);
    const head = await bytes.take(8);
    if (head.length === 0) return;
    if (head.length < 8) return damaged('is cut');
    // The type of a section reads the same in both orders.
    const isSection = head.readUInt32LE(0) === SECTION;
    const magic = isSection ? await bytes.take(4) : Buffer.alloc(0);
    if (isSection) {
      if (magic.length < 4) return damaged('is cut');
      isLittle = magic.readUInt32LE(0) === ORDER_MAGIC;
      if (!isLittle && magic.readUInt32BE(0) !== ORDER_MAGIC) return damaged('is no section header');
    }
    const type = isLittle ? head.readUInt32LE(0) : head.readUInt32BE(0);
    const total = isLittle ? head.readUInt32LE(4) : head.readUInt32BE(4);
    const rest = total - FRAME - magic.length;
    if (rest < 0 || total % 4 !== 0) return damaged(`has the impossible length ${total}`);
    if (rest > MOST_BLOCK_BYTES) {
      await bytes.skip(rest + 4);
      yield { type, body: null, isLittle };
      continue;
    }
    const body = await bytes.take(rest);
    const tail = await bytes.take(4);
    if (body.length < rest || tail.length < 4) return damaged('is cut');
    if ((isLittle ? tail.readUInt32LE(0) : tail.readUInt32BE(0)) !== total) return damaged('ends with another length');
    yield { type, body, isLittle };
  }
}
