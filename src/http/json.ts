import { Fault } from '../model/fault.ts';

const halfPair = 'has half of a surrogate pair in a text, which is no character';
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * JSON text as a value. Throws `invalid_input` where the text is not JSON, with the place of the first fault; where it
 * is nested deeper than `depth`; where an object has a key that could reach a prototype; and where a text has half of a
 * surrogate pair, which no file and no other program would give back as it was. `whole` names the text.
 */
export function parseJson(text: string, whole: string, depth: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault('invalid_input', `${whole} is not JSON: ${describeFault(text, findJsonFault(text))}`);
  }
  const wrong = findForbidden(value, depth);
  if (wrong !== null) throw new Fault('invalid_input', `${whole} ${wrong}`);
  return value;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Whether a list in a field of JSON text has more than `most` entries, seen without parsing it. */
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

/** The closing quote of the string that begins at `at`, or the end of a text that has none. */
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
  const found = at >= text.length ? 'the text ends too early' : 'something unexpected stands';
  return `${found} at position ${at} (line ${line}, column ${column})`;
}

/** What is wrong with the shape of a value, as the end of a sentence, or null. Never goes deeper than `depth`. */
function findForbidden(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : halfPair;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === 0) return 'is nested deeper than is allowed';
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

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /true|false|null/y;
const space = /[ \t\n\r]*/y;

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'commaOrEnd';

/**
 * The offset of the first fault of a text that is not JSON (RFC 8259), its length where the text ends too early.
 * `JSON.parse` tells it for some faults only. Walks without recursion, so that depth costs no stack.
 */
export function findJsonFault(text: string): number {
  const open: ('{' | '[')[] = [];
  let expect: Expected = 'value';
  let at = 0;
  for (;;) {
    at = skip(space, text, at);
    const next = text[at];
    if (expect === 'commaOrEnd') {
      const inside = open.at(-1);
      if (inside === undefined) return at;
      if (next === ',') expect = inside === '{' ? 'key' : 'value';
      else if (next === (inside === '{' ? '}' : ']')) open.pop();
      else return at;
      at++;
    } else if ((next === '}' && expect === 'keyOrEnd') || (next === ']' && expect === 'valueOrEnd')) {
      open.pop();
      expect = 'commaOrEnd';
      at++;
    } else if (expect === 'key' || expect === 'keyOrEnd') {
      if (next !== '"') return at;
      const key = skipString(text, at);
      if (key.fault) return key.at;
      at = skip(space, text, key.at);
      if (text[at] !== ':') return at;
      expect = 'value';
      at++;
    } else if (next === '{' || next === '[') {
      open.push(next);
      expect = next === '{' ? 'keyOrEnd' : 'valueOrEnd';
      at++;
    } else if (next === '"') {
      const read = skipString(text, at);
      if (read.fault) return read.at;
      expect = 'commaOrEnd';
      at = read.at;
    } else {
      const end = Math.max(skip(number, text, at), skip(literal, text, at));
      if (end === at) return at;
      expect = 'commaOrEnd';
      at = end;
    }
  }
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Past the string that begins at `at`, or where it goes wrong (its control characters must be escaped). */
function skipString(text: string, at: number): { at: number; fault: boolean } {
  at++;
  while (at < text.length) {
    if (text[at] === '"') return { at: at + 1, fault: false };
    if (text[at] === '\\') {
      const end = skip(escaped, text, at);
      if (end === at) return { at, fault: true };
      at = end;
    } else if (text.charCodeAt(at) < 0x20) return { at, fault: true };
    else at++;
  }
  return { at, fault: true };
}
