/** Unchecked members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns a value as an object; null if it is none. */
export function membersOf(value: unknown): Members | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
}

/** Returns a number within the limits, inclusive; null for any other value. */
export function numberOf(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && value >= min && value <= max ? value : null;
}

/** Returns a MAC address in capitals; null for any other value. */
export function macOf(value: unknown): string | null {
  return typeof value === 'string' && /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value) ? value.toUpperCase() : null;
}

/**
 * Returns a position. Two zeros mean unknown and give nulls; coordinates out of range give nulls, with `isPossible`
 * false.
 */
export function placeOf(lat: unknown, lon: unknown) {
  const isUnknown = lat == null || lon == null || (lat === 0 && lon === 0);
  const [latDeg, lonDeg] = [numberOf(lat, -90, 90), numberOf(lon, -180, 180)];
  const isPossible = isUnknown || (latDeg !== null && lonDeg !== null);
  const isPlaced = isPossible && !isUnknown;
  return { latDeg: isPlaced ? latDeg : null, lonDeg: isPlaced ? lonDeg : null, isPossible };
}
