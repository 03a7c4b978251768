import type { Category, Group, Layout, Part, Value } from './notation.ts';

/** Decoded item: scaled numbers and texts by their names. An explicit item is null, because its content is skipped. */
export type Decoded = number | string | null | readonly Decoded[] | DecodedParts;
export type DecodedParts = { readonly [name: string]: Decoded };
/** Items of one record by their numbers, such as `040`. */
export type DecodedRecord = { readonly [id: string]: Decoded };

/**
 * Greatest number of bits of a value that is decoded. A double holds up to 53 bits exactly; longer values (message
 * blocks) are not used and become null.
 */
const MOST_BITS = 48;
/** Bit that announces one more octet or part. */
const FX = 1;

/**
 * Reads one record. Returns the record and where the next one begins; null if the record does not fit its block or
 * category.
 */
export function readRecord(
  category: Category,
  bytes: Uint8Array,
  at: number,
  end: number,
): { record: DecodedRecord; next: number } | null {
  const reader = new ItemReader(bytes, at, end);
  const record = reader.record(category.items);
  return record === null ? null : { record, next: reader.at };
}

/** Reads consecutive items. Methods return null or undefined if the bytes end too early or do not fit the category. */
class ItemReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  at: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  record(items: Category['items']): DecodedRecord | null {
    const present = this.#fieldSpec(items.length);
    if (present === null || present.length === 0) return null;
    const record: Record<string, Decoded> = {};
    for (const bit of present) {
      const item = items[bit];
      if (!item) return null;
      const value = this.#read(item.layout);
      if (value === undefined) return null;
      record[item.id] = value;
    }
    return record;
  }

  /**
   * Reads a field specification and returns the numbers of its set bits. Null if it has more octets than `most` bits
   * need, or if the block ends too early.
   */
  #fieldSpec(most: number): number[] | null {
    const present: number[] = [];
    for (let from = 0; from < most; from += 7) {
      const octet = this.#octet();
      if (octet === undefined) return null;
      for (let bit = 0; bit < 7; bit++) if (octet & (0x80 >> bit)) present.push(from + bit);
      if ((octet & FX) === 0) return present;
    }
    return null;
  }

  #octet(): number | undefined {
    return this.at < this.#end ? this.#bytes[this.at++] : undefined;
  }

  /** Skips a number of octets and returns their offset; −1 if fewer octets are left in the block. */
  #take(octets: number): number {
    const from = this.at;
    if (from + octets > this.#end) return -1;
    this.at += octets;
    return from;
  }

  #read(layout: Layout): Decoded | undefined {
    switch (layout.kind) {
      case 'value': {
        const from = this.#take(layout.bits / 8);
        return from < 0 ? undefined : valueAt(this.#bytes, from * 8, layout);
      }
      case 'group': {
        const from = this.#take(layout.octets);
        if (from < 0) return undefined;
        const into: Record<string, Decoded> = {};
        partsAt(this.#bytes, from * 8, layout.parts, into);
        return into;
      }
      case 'extended':
        return this.#extended(layout.parts);
      case 'repeated':
        return layout.by === 'count' ? this.#counted(layout.each) : this.#chained(layout.each);
      case 'compound':
        return this.#compound(layout.parts);
      default:
        return this.#explicit();
    }
  }

  /** Reads an extended item. Parts that a later edition added are skipped as one octet each. */
  #extended(parts: readonly { parts: readonly Part[]; octets: number }[]): Decoded | undefined {
    const into: Record<string, Decoded> = {};
    for (let n = 0; ; n++) {
      const part = parts[n];
      const octets = part?.octets ?? 1;
      const from = this.#take(octets);
      if (from < 0) return undefined;
      if (part) partsAt(this.#bytes, from * 8, part.parts, into);
      if (((this.#bytes[from + octets - 1] ?? 0) & FX) === 0) return into;
    }
  }

  #counted(each: Layout): Decoded | undefined {
    const count = this.#octet();
    if (count === undefined) return undefined;
    const values: Decoded[] = [];
    for (let n = 0; n < count; n++) {
      const value = this.#read(each);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }

  #chained({ parts, octets }: Group): Decoded | undefined {
    const values: Decoded[] = [];
    for (;;) {
      const from = this.#take(octets);
      if (from < 0) return undefined;
      const into: Record<string, Decoded> = {};
      partsAt(this.#bytes, from * 8, parts, into);
      values.push(into[''] ?? into);
      if (((this.#bytes[from + octets - 1] ?? 0) & FX) === 0) return values;
    }
  }

  #compound(parts: readonly ({ name: string; layout: Layout } | null)[]): Decoded | undefined {
    const present = this.#fieldSpec(parts.length);
    if (present === null) return undefined;
    const into: Record<string, Decoded> = {};
    for (const bit of present) {
      const part = parts[bit];
      if (!part) return undefined;
      const value = this.#read(part.layout);
      if (value === undefined) return undefined;
      into[part.name] = value;
    }
    return into;
  }

  #explicit(): null | undefined {
    const length = this.#octet();
    return length === undefined || length === 0 || this.#take(length - 1) < 0 ? undefined : null;
  }
}

/** Reads the parts of a group; `from` is its first bit. */
function partsAt(bytes: Uint8Array, from: number, parts: readonly Part[], into: Record<string, Decoded>): void {
  let at = from;
  for (const part of parts) {
    if (part.value) into[part.name] = valueAt(bytes, at, part.value);
    else if (part.parts) {
      const inner: Record<string, Decoded> = {};
      partsAt(bytes, at, part.parts, inner);
      into[part.name] = inner;
    }
    at += part.bits;
  }
}

function valueAt(bytes: Uint8Array, at: number, { bits, scale, isSigned, text }: Value): Decoded {
  if (text !== null) return textAt(bytes, at, bits, text);
  if (bits > MOST_BITS) return null;
  const raw = bitsAt(bytes, at, bits);
  return (isSigned && raw >= 2 ** (bits - 1) ? raw - 2 ** bits : raw) * scale;
}

function bitsAt(bytes: Uint8Array, from: number, bits: number): number {
  let value = 0;
  for (let at = from, left = bits; left > 0; ) {
    const room = 8 - (at % 8);
    const taken = Math.min(room, left);
    const part = ((bytes[at >> 3] ?? 0) >> (room - taken)) & ((1 << taken) - 1);
    value = value * 2 ** taken + part;
    at += taken;
    left -= taken;
  }
  return value;
}

const widths = { six_bit: 6, ascii: 8, octal: 3 } as const;

function textAt(bytes: Uint8Array, from: number, bits: number, kind: keyof typeof widths): string {
  let text = '';
  const width = widths[kind];
  for (let at = from; at < from + bits; at += width) text += characterOf(bitsAt(bytes, at, width), kind);
  return text;
}

/**
 * Decodes a character. Six-bit codes (ICAO Annex 10, volume IV, table 3-8): letters from 1, digits from 48. Other
 * codes become blanks.
 */
function characterOf(code: number, kind: keyof typeof widths): string {
  if (kind === 'octal') return String(code);
  if (kind === 'ascii') return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ' ';
  if (code >= 1 && code <= 26) return String.fromCharCode(0x40 + code);
  return code >= 48 && code <= 57 ? String.fromCharCode(code) : ' ';
}
