import { randomFillSync } from 'node:crypto';

const DASH = 0x2d;
/** Offsets of the bytes in the text. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const digits = Buffer.from('0123456789abcdef');
const text = Buffer.alloc(36, DASH);
const random = Buffer.alloc(16 * 256);
let used = random.length;

/**
 * Returns a random UUID of version 4 (RFC 9562 section 5.4) as one piece of text. `crypto.randomUUID` joins twenty
 * pieces, which take ten times the memory until they are read; thousands of detections a second get an id.
 */
export function flatUuid(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  random[used + 6] = ((random[used + 6] ?? 0) & 0x0f) | 0x40;
  random[used + 8] = ((random[used + 8] ?? 0) & 0x3f) | 0x80;
  for (let i = 0; i < 16; i++) {
    const [byte, at] = [random[used + i] ?? 0, places[i] ?? 0];
    text[at] = digits[byte >> 4] ?? 0;
    text[at + 1] = digits[byte & 0x0f] ?? 0;
  }
  used += 16;
  return text.toString('latin1');
}
