import type { Category, Group, Layout, Part, TextKind, Value } from './notation.ts';
import type { Decoded, DecodedParts, DecodedRecord } from './read_item.ts';

/**
 * Greatest number of bits of a value that is written; `readRecord` has the same limit. A double holds 53 bits exactly.
 */
const MOST_BITS = 48;
/** Bit that announces one more octet or part. */
const FX = 1;
/** Number of items that one octet of a field specification announces; its eighth bit is FX. */
const ITEMS_PER_OCTET = 7;
/** Greatest number of repetitions of an item with a count: the count has one octet. */
const MOST_REPEATED = 255;

/**
 * Writes one record, whose items are given in the form that `readRecord` returns. Numbers are rounded to the item's
 * step and clamped to its range. Throws an Error if the record does not fit the category: a program error.
 */
export function writeRecord({ items }: Category, record: DecodedRecord): Uint8Array {
  refuseUnknown(
    record,
    items.map((item) => item?.id),
  );
  const bytes: number[] = [];
  writePresent(items, (item) => [item.id, item.layout], record, bytes);
  return Uint8Array.from(bytes);
}

/** Writes a field specification, followed by each field that `values` has. */
function writePresent<T>(
  fields: readonly (T | null)[],
  of: (field: T) => readonly [name: string, layout: Layout],
  values: DecodedParts,
  into: number[],
): void {
  const named = fields.map((field) => (field === null ? null : of(field)));
  const present = named.flatMap((field, bit) => (field && values[field[0]] !== undefined ? [bit] : []));
  fieldSpec(present, into);
  for (const bit of present) {
    const [name = '', layout] = named[bit] ?? [];
    if (layout) write(layout, values[name] as Decoded, into);
  }
}

function fieldSpec(present: readonly number[], into: number[]): void {
  const octets = Math.floor((present.at(-1) ?? 0) / ITEMS_PER_OCTET) + 1;
  for (let octet = 0; octet < octets; octet++) {
    const own = present.filter((bit) => Math.floor(bit / ITEMS_PER_OCTET) === octet);
    const bits = own.reduce((sum, bit) => sum | (0x80 >> (bit % ITEMS_PER_OCTET)), 0);
    into.push(bits | (octet < octets - 1 ? FX : 0));
  }
}

function write(layout: Layout, value: Decoded, into: number[]): void {
  switch (layout.kind) {
    case 'value':
      into.push(...octetsOf([{ name: '', bits: layout.bits, value: layout, parts: null }], { '': value }));
      return;
    case 'group':
      into.push(...octetsOf(layout.parts, partsIn(value, layout.parts)));
      return;
    case 'extended':
      writeExtended(
        layout.parts,
        partsIn(
          value,
          layout.parts.flatMap(({ parts }) => parts),
        ),
        into,
      );
      return;
    case 'repeated':
      writeRepeated(layout, value, into);
      return;
    case 'compound':
      writePresent(layout.parts, ({ name, layout: part }) => [name, part], partsIn(value, layout.parts), into);
      return;
    default:
      throw new Error('an item of the kind explicit cannot be written');
  }
}

/** Writes the parts of an extended item up to the last part with a value. */
function writeExtended(parts: readonly Pick<Group, 'parts'>[], values: DecodedParts, into: number[]): void {
  const last = parts.findLastIndex((part) => part.parts.some(({ name }) => values[name] !== undefined));
  for (const [n, part] of parts.slice(0, Math.max(0, last) + 1).entries()) {
    const octets = octetsOf(part.parts, values);
    if (n < last) octets[octets.length - 1] = (octets.at(-1) ?? 0) | FX;
    into.push(...octets);
  }
}

function writeRepeated(layout: Layout & { kind: 'repeated' }, value: Decoded, into: number[]): void {
  if (!Array.isArray(value)) throw new Error('the value of a repeated item must be a list');
  if (layout.by === 'fx') writeChained(layout.each, value, into);
  else {
    if (value.length > MOST_REPEATED) throw new Error(`an item can be repeated at most ${MOST_REPEATED} times`);
    into.push(value.length);
    for (const one of value) write(layout.each, one, into);
  }
}

/**
 * Writes values, each followed by a bit that announces the next. A value that is no group is treated as a group with
 * one member, whose name is empty.
 */
function writeChained({ parts }: Group, values: readonly Decoded[], into: number[]): void {
  for (const [n, one] of values.entries()) {
    const octets = octetsOf(parts, typeof one === 'object' ? partsIn(one, parts) : { '': one });
    if (n < values.length - 1) octets[octets.length - 1] = (octets.at(-1) ?? 0) | FX;
    into.push(...octets);
  }
}

/**
 * Returns the values of an item with several parts. Throws if it is no object, or has a value for an unknown part.
 */
function partsIn(value: Decoded, parts: readonly ({ name: string } | null)[]): DecodedParts {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('the value of an item with several parts must be an object');
  const values = value as DecodedParts;
  refuseUnknown(
    values,
    parts.map((part) => part?.name),
  );
  return values;
}

function refuseUnknown(values: DecodedParts, names: readonly (string | undefined)[]): void {
  for (const name of Object.keys(values)) if (!names.includes(name)) throw new Error(`there is no item ${name}`);
}

/** Writes consecutive parts; absent ones become zeros. */
function octetsOf(parts: readonly Part[], values: DecodedParts): number[] {
  const octets = new Array<number>(parts.reduce((sum, { bits }) => sum + bits, 0) / 8).fill(0);
  putParts(octets, 0, parts, values);
  return octets;
}

function putParts(octets: number[], from: number, parts: readonly Part[], values: DecodedParts): void {
  let at = from;
  for (const { name, bits, value, parts: inner } of parts) {
    const given = values[name];
    if (given !== undefined && value) putValue(octets, at, value, given);
    else if (given !== undefined && inner) putParts(octets, at, inner, partsIn(given, inner));
    at += bits;
  }
}

function putValue(octets: number[], at: number, { bits, scale, isSigned, text }: Value, given: Decoded): void {
  if (text !== null) {
    putText(octets, at, bits, text, String(given));
    return;
  }
  if (typeof given !== 'number' || bits > MOST_BITS)
    throw new Error(`the value must be a number of at most ${MOST_BITS} bits, but its item has ${bits} bits`);
  const [least, most] = isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  const steps = Math.min(most, Math.max(least, Math.round(given / scale)));
  putBits(octets, at, bits, steps < 0 ? steps + 2 ** bits : steps);
}

function putBits(octets: number[], from: number, bits: number, value: number): void {
  for (let at = from, left = bits; left > 0; ) {
    const room = 8 - (at % 8);
    const taken = Math.min(room, left);
    const part = Math.floor(value / 2 ** (left - taken)) % 2 ** taken;
    octets[at >> 3] = (octets[at >> 3] ?? 0) | (part << (room - taken));
    at += taken;
    left -= taken;
  }
}

const widths = { six_bit: 6, ascii: 8, octal: 3 } as const;

/**
 * Writes a text of fixed length. A longer text is cut. A shorter octal number gets leading zeros, other texts get
 * trailing blanks.
 */
function putText(octets: number[], from: number, bits: number, kind: TextKind, text: string): void {
  const width = widths[kind];
  const length = bits / width;
  const whole = kind === 'octal' ? text.padStart(length, '0') : text.padEnd(length);
  for (let n = 0; n < length; n++) putBits(octets, from + n * width, width, codeOf(whole[n] ?? ' ', kind));
}

const BLANK = 0x20;

/**
 * Encodes a character. Six-bit codes (ICAO Annex 10, volume IV, table 3-8): letters from 1, digits from 48. Other
 * characters become blanks.
 */
function codeOf(character: string, kind: TextKind): number {
  const code = character.charCodeAt(0);
  if (kind === 'octal') return code & 7;
  if (kind === 'ascii') return code > BLANK && code < 0x7f ? code : BLANK;
  if (character >= 'A' && character <= 'Z') return code - 0x40;
  return character >= '0' && character <= '9' ? code : BLANK;
}
