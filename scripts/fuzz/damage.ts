import type { Random } from './lines/random.ts';

/** Bytes of no meaning. */
export function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}

type Damages = {
  /** What is put in between; noise of up to 12 bytes where absent. */
  inserted?(random: Random): Buffer;
  /** Value that a byte gets; one of its bits is turned over where absent. */
  changed?(byte: number, random: Random): number;
};

/** One damage of bytes: the end cut off, a piece taken out, put in or said twice, or a byte changed. */
export function damage(bytes: Buffer, random: Random, damages: Damages = {}): Buffer {
  const { inserted = randomNoise, changed = flipped } = damages;
  const at = random.below(bytes.length + 1);
  const before = bytes.subarray(0, at);
  switch (random.below(5)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, bytes.subarray(at + 1 + random.below(8))]);
    case 2:
      return Buffer.concat([before, inserted(random), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([before, bytes.subarray(random.below(bytes.length + 1))]);
    default: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at % copy.length] = changed(copy[at % copy.length] ?? 0, random);
      return copy;
    }
  }
}

const randomNoise = (random: Random): Buffer => noise(random, random.below(12));
const flipped = (byte: number, random: Random): number => byte ^ (1 << random.below(8));

/** Several damages, one after the other. */
export function damaged(bytes: Buffer, random: Random, times: number, damages: Damages = {}): Buffer {
  let result = bytes;
  for (let count = times; count > 0; count--) result = damage(result, random, damages);
  return result;
}
