/** Option of a block: its code, and the offset and length of its value in the body. */
type BlockOption = { code: number; at: number; length: number };

const END_OF_OPTIONS = 0;

/** Body of a pcapng block. Numbers beyond its end read as zero. */
export class Block {
  readonly body: Buffer;
  readonly #isLittle: boolean;

  constructor(body: Buffer, isLittle: boolean) {
    this.body = body;
    this.#isLittle = isLittle;
  }

  u16(at: number): number {
    if (at + 2 > this.body.length) return 0;
    return this.#isLittle ? this.body.readUInt16LE(at) : this.body.readUInt16BE(at);
  }

  u32(at: number): number {
    if (at + 4 > this.body.length) return 0;
    return this.#isLittle ? this.body.readUInt32LE(at) : this.body.readUInt32BE(at);
  }

  /** Reads a number of 8 bytes in the byte order of the section. */
  u64(at: number): bigint {
    if (at + 8 > this.body.length) return 0n;
    return this.#isLittle ? this.body.readBigUInt64LE(at) : this.body.readBigUInt64BE(at);
  }

  /** Yields the options from `begin` on. Stops at an option that is cut off. */
  *options(begin: number): Generator<BlockOption> {
    for (let at = begin; at + 4 <= this.body.length; ) {
      const code = this.u16(at);
      const length = this.u16(at + 2);
      if (code === END_OF_OPTIONS || at + 4 + length > this.body.length) return;
      yield { code, at: at + 4, length };
      at += 4 + Math.ceil(length / 4) * 4;
    }
  }
}
