import { findJsonFault } from '../host/json_fault.ts';
import { invalidInput } from '../model/fault.ts';

const halfPair = 'has a text with half of a surrogate pair, which is not a valid character';
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses JSON text. Throws `invalid_input` with the position of the first fault if the text is not JSON. Also throws if
 * the value is nested deeper than `depth`, or has a key that could reach a prototype. A string with an unpaired
 * surrogate is refused too, because files and other programs would return it changed. `whole` names the text at the
 * beginning of the fault's sentence, for example `the body`.
 */
export function parseJson(text: string, whole: string, depth: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidInput(`${whole} is not JSON: ${describeFault(text, findJsonFault(text))}`);
  }
  const wrong = findForbidden(value, depth);
  if (wrong !== null) throw invalidInput(`${whole} ${wrong}`);
  return value;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Returns true if a list or object in a top-level field of JSON text has more than `most` entries, without parsing. */
export function listsMore(text: string, most: number): boolean {
  let depth = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === 0x7b || char === 0x5b) {
      if (++depth === 2) commas = 0;
    } else if (char === 0x7d || char === 0x5d) depth--;
    else if (char === COMMA && depth === 2 && ++commas >= most) return true;
  }
  return false;
}

/**
 * Returns the index of the quote that closes the string beginning at `at`; the length of the text if the string is not
 * closed.
 */
function endOfString(text: string, at: number): number {
  for (at++; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char === BACKSLASH) at++;
  }
  return at;
}

function describeFault(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - (before.lastIndexOf('\n') + 1) + 1;
  const found = at >= text.length ? 'the text ends too early' : 'there is an unexpected character';
  return `${found} at position ${at} (line ${line}, column ${column})`;
}

/**
 * Returns the first forbidden content of a value, as the end of a sentence; null if there is none. The search never
 * goes deeper than `depth`.
 */
function findForbidden(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : halfPair;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === 0) return 'is nested deeper than allowed';
  if (Array.isArray(value)) {
    for (const entry of value) {
      const wrong = findForbidden(entry, depth - 1);
      if (wrong !== null) return wrong;
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    if (refusedKeys.has(key)) return `has the key '${key}', which is not allowed anywhere`;
    if (!key.isWellFormed()) return halfPair;
    const wrong = findForbidden((value as Record<string, unknown>)[key], depth - 1);
    if (wrong !== null) return wrong;
  }
  return null;
}
