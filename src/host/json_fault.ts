const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /true|false|null/y;
const space = /[ \t\n\r]*/y;

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'commaOrEnd';

/**
 * Returns the offset of the first fault in a text that is not JSON (RFC 8259); the text's length if the text ends too
 * early. `JSON.parse` reports the offset of some faults only. The function does not recurse, so deep nesting is safe.
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

/**
 * Skips the string that begins at `at`. Returns the offset after the string, or the offset of its first fault. Control
 * characters must be escaped.
 */
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
