import type { Finding, Path } from './fault.ts';

export const MOST_BYTES = 1_048_576;
/** Greatest depth of nesting. Each mapping or list inside another is one level deeper. */
export const DEEPEST = 16;
/** Limit of the values of a document: several times as many as a usual scenario with 500 actors has. */
const MOST_VALUES = 40_000;
/** Limit of the keys of a mapping: more than any mapping of a valid scenario has. */
const MOST_KEYS = 200;
/**
 * Limit of the punctuation marks and line breaks of a YAML text. The parser takes about 10 µs for each. JSON needs no
 * such limit.
 */
const MOST_MARKS = 10_000;

const opening = new Set([...'\n,[{&!"\'*%|:#-\\?'].map((mark) => mark.charCodeAt(0)));
const [CLOSES_LIST, CLOSES_MAP, OPENS_LIST, OPENS_MAP] = [0x5d, 0x7d, 0x5b, 0x7b];

/**
 * True if a YAML text has more marks than its parser can read quickly. An unmatched closing bracket costs as much as
 * an opening one.
 */
export function isTooDense(text: string): boolean {
  let [marks, open] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (opening.has(char)) marks++;
    if (char === OPENS_LIST || char === OPENS_MAP) open++;
    else if (char === CLOSES_LIST || char === CLOSES_MAP) {
      if (open === 0) marks++;
      else open--;
    }
    if (marks > MOST_MARKS) return true;
  }
  return false;
}

/** True if JSON text is nested deeper than the limit. The text is not parsed for this check. */
export function isDeepJson(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') {
      if (++depth > DEEPEST) return true;
    } else if (char === '}' || char === ']') depth--;
  }
  return false;
}

const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Checks a document against the limits before the schema is applied. Returns the first finding: too many values or
 * keys, too deep nesting, an invalid character, or a key that could change a prototype. Returns null if there is none.
 */
export function outOfBounds(value: unknown): Finding | null {
  let values = 0;
  const check = (here: unknown, path: Path): Finding | null => {
    if (++values > MOST_VALUES) return { path: [], text: `holds more than ${MOST_VALUES} values` };
    if (typeof here === 'string')
      return here.isWellFormed()
        ? null
        : { path, text: 'contains an invalid Unicode character (half of a surrogate pair)' };
    if (typeof here !== 'object' || here === null) return null;
    if (path.length >= DEEPEST) return { path, text: `is nested more than ${DEEPEST} deep` };
    const entries = Array.isArray(here) ? here.entries() : Object.entries(here);
    if (Array.isArray(entries) && entries.length > MOST_KEYS) return { path, text: `has more than ${MOST_KEYS} keys` };
    for (const [key, inner] of entries) {
      if (refusedKeys.has(String(key))) return { path: [...path, key], text: 'is not allowed as a key anywhere' };
      const found = check(inner, [...path, key]);
      if (found) return found;
    }
    return null;
  };
  return check(value, []);
}
