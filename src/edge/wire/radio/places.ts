/** A place of a wire format, degrees; both null where the sender does not know it. */
export type WirePlace = { latDeg: number | null; lonDeg: number | null };

export const unknownPlace: WirePlace = { latDeg: null, lonDeg: null };

/** A place where 0, 0 stands for unknown; `implausible` beyond ±90° or ±180°. */
export function placeOf(latDeg: number, lonDeg: number): WirePlace | 'implausible' {
  if (Math.abs(latDeg) > 90 || Math.abs(lonDeg) > 180) return 'implausible';
  return latDeg === 0 && lonDeg === 0 ? unknownPlace : { latDeg, lonDeg };
}

/** A place beside the aircraft's own: an impossible one is unknown, so that it does not hide the aircraft. */
export function otherPlaceOf(latDeg: number, lonDeg: number): WirePlace {
  const place = placeOf(latDeg, lonDeg);
  return place === 'implausible' ? unknownPlace : place;
}

/** Printable ASCII of a fixed field up to its first NUL; null where it is empty or holds anything else. */
export function printableText(bytes: Buffer, begin: number, length: number): string | null {
  const field = bytes.subarray(begin, begin + length);
  const nul = field.indexOf(0);
  const text = field.toString('latin1', 0, nul === -1 ? field.length : nul).trim();
  return /^[\x20-\x7e]+$/.test(text) ? text : null;
}
