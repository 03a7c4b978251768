import type { RejectReason } from '../../../model/link.ts';

const LF = 0x0a;
const CR = 0x0d;

type TakeLine = (line: Uint8Array | RejectReason) => void;

/**
 * Assembles a stream of hex text into lines. Blanks and empty lines are ignored. A line with any other character is
 * `malformed`. A line longer than `maxDigits`, or with an odd number of digits, is `length`. Keeps at most one line.
 */
export class HexLines {
  readonly #digits: Buffer;
  #length = 0;
  #fault: RejectReason | null = null;

  constructor(maxDigits: number) {
    this.#digits = Buffer.alloc(maxDigits);
  }

  /** True while a line is incomplete. */
  get pending(): boolean {
    return this.#length > 0 || this.#fault !== null;
  }

  add(bytes: Uint8Array, take: TakeLine): void {
    for (const byte of bytes) {
      if (byte === LF || byte === CR) this.end(take);
      else if (byte !== 0x20 && byte !== 0x09) this.#append(byte);
    }
  }

  /** Ends the current line, as a line end does. */
  end(take: TakeLine): void {
    if (!this.pending) return;
    const fault = this.#fault ?? (this.#length % 2 === 1 ? 'length' : null);
    const line = fault ?? Buffer.from(this.#digits.toString('latin1', 0, this.#length), 'hex');
    this.#length = 0;
    this.#fault = null;
    take(line);
  }

  #append(byte: number): void {
    if (this.#fault !== null) return;
    if (!isHexDigit(byte)) this.#fault = 'malformed';
    else if (this.#length === this.#digits.length) this.#fault = 'length';
    else this.#digits[this.#length++] = byte;
  }
}

export function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
