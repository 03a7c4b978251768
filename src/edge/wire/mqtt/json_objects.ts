const [OPEN, CLOSE, QUOTE, ESCAPE] = [0x7b, 0x7d, 0x22, 0x5c];
/** Bytes allowed between objects: blanks, line ends, and the NUL that ends a C string. */
const between = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/**
 * Splits a payload into its consecutive JSON objects. Counts braces outside strings, because a string may also contain
 * `}{`. Null stands for a part that is no object. Returns at most `most` + 1 objects, so that the caller detects an
 * excess.
 */
export function jsonObjects(payload: Buffer, most: number): (object | null)[] {
  const objects: (object | null)[] = [];
  let at = 0;
  while (at < payload.length && objects.length <= most) {
    if (between.has(payload[at] ?? 0)) {
      at++;
      continue;
    }
    const end = payload[at] === OPEN ? endOfObject(payload, at) : null;
    if (end === null) {
      objects.push(null);
      return objects;
    }
    objects.push(parsed(payload.subarray(at, end)));
    at = end;
  }
  return objects;
}

function endOfObject(payload: Buffer, begin: number): number | null {
  let depth = 0;
  let isText = false;
  for (let at = begin; at < payload.length; at++) {
    const byte = payload[at];
    if (isText) {
      if (byte === ESCAPE) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return null;
}

function parsed(part: Buffer): object | null {
  try {
    return JSON.parse(part.toString('utf8')) as object;
  } catch {
    return null;
  }
}
