/** Position in degrees; both coordinates are null if it is unknown, or if a home or pilot position is impossible. */
export type WirePlace = { latDeg: number | null; lonDeg: number | null };

export const unknownPlace: WirePlace = { latDeg: null, lonDeg: null };

/** Returns a position, where 0, 0 means unknown; `implausible` beyond ±90° or ±180°. */
export function placeOf(latDeg: number, lonDeg: number): WirePlace | 'implausible' {
  if (Math.abs(latDeg) > 90 || Math.abs(lonDeg) > 180) return 'implausible';
  return latDeg === 0 && lonDeg === 0 ? unknownPlace : { latDeg, lonDeg };
}

/**
 * Returns the position of a home or a pilot. An impossible position becomes unknown, so that the report of the aircraft
 * is not refused for it.
 */
export function otherPlaceOf(latDeg: number, lonDeg: number): WirePlace {
  const place = placeOf(latDeg, lonDeg);
  return place === 'implausible' ? unknownPlace : place;
}

/**
 * Reads printable ASCII of a fixed-length field up to its first NUL; null if it is empty or has other characters.
 */
export function printableText(bytes: Buffer, begin: number, length: number): string | null {
  const field = bytes.subarray(begin, begin + length);
  const nul = field.indexOf(0);
  const text = field.toString('latin1', 0, nul === -1 ? field.length : nul).trim();
  return /^[\x20-\x7e]+$/.test(text) ? text : null;
}
