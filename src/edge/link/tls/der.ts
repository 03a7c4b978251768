/** One element of BER or DER (ITU-T X.690): tag byte, content, and all bytes with tag and length. */
export type Element = { tag: number; content: Buffer; whole: Buffer };

export const tags = { integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31, context0: 0xa0 } as const;

/** Greatest nesting depth of elements of indefinite length. */
const MOST_DEEP = 16;
const CONSTRUCTED = 0x20;

class NotDer extends Error {}

/** Splits a content into its elements, in order. Throws if a length exceeds the content. */
export function elementsOf(content: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < content.length; ) {
    const { element, end } = elementAt(content, at, 0);
    elements.push(element);
    at = end;
  }
  return elements;
}

/**
 * Returns the elements of a sequence or another constructed element. Throws if the element is missing or has
 * another tag than `tag`.
 */
export function childrenOf(element: Element | undefined, tag?: number): Element[] {
  if (element === undefined || (tag !== undefined && element.tag !== tag)) throw new NotDer('an element is missing');
  return elementsOf(element.content);
}

/** Returns the bytes of an octet string, which BER may split into pieces. */
export function octetsOf(element: Element | undefined): Buffer {
  if (element === undefined) throw new NotDer('an octet string is missing');
  if ((element.tag & CONSTRUCTED) === 0) return element.content;
  return Buffer.concat(elementsOf(element.content).map(octetsOf));
}

/** Formats an object identifier as numbers with dots. */
export function oidOf(element: Element | undefined): string {
  if (element?.tag !== tags.oid || element.content.length === 0) throw new NotDer('an identifier is missing');
  const [first = 0, ...rest] = numbersOf(element.content);
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join('.');
}

/** Returns a non-negative integer of at most 7 bytes. */
export function integerOf(element: Element | undefined): number {
  if (element?.tag !== tags.integer || element.content.length > 7) throw new NotDer('a number is missing');
  return element.content.reduce((value, byte) => value * 256 + byte, 0);
}

function numbersOf(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}

function elementAt(bytes: Buffer, at: number, depth: number): { element: Element; end: number } {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  // Tag numbers above 30 use more bytes; none of the formats here has such a tag.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || depth > MOST_DEEP)
    throw new NotDer('an element is cut off');
  if (first === 0x80) return endless(bytes, at + 2, tag, depth);
  const extra = first < 0x80 ? 0 : first & 0x7f;
  if (extra > 4) throw new NotDer('an element is too long');
  const length =
    extra === 0 ? first : bytes.subarray(at + 2, at + 2 + extra).reduce((sum, byte) => sum * 256 + byte, 0);
  const [begin, end] = [at + 2 + extra, at + 2 + extra + length];
  if (end > bytes.length) throw new NotDer('an element is cut off');
  return { element: { tag, content: bytes.subarray(begin, end), whole: bytes.subarray(at, end) }, end };
}

/** Reads an element of indefinite length, whose content ends at two zero bytes. */
function endless(bytes: Buffer, begin: number, tag: number, depth: number): { element: Element; end: number } {
  let at = begin;
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) at = elementAt(bytes, at, depth + 1).end;
  const [content, whole] = [bytes.subarray(begin, at), bytes.subarray(begin - 2, at + 2)];
  return { element: { tag, content, whole }, end: at + 2 };
}
