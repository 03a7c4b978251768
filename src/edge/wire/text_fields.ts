/**
 * Reason to refuse a field: its form violates the protocol (`malformed`), or its value is impossible (`implausible`).
 */
export type FieldFault = 'malformed' | 'implausible';

/**
 * Returns a text of 1 to `longest` printable ASCII characters, without surrounding blanks; null for any other value.
 * People see such texts, and the transmitter that chooses them may be hostile.
 */
export function printableOf(value: unknown, longest: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text.length <= longest && /^[\x20-\x7e]+$/.test(text) ? text : null;
}

const isEmpty = (text: string | undefined): text is undefined | '' => text === undefined || text === '';
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * Reads the text fields of one line and keeps the first fault, so that a decoder has to check for a fault only once.
 */
export class FieldReader {
  fault: FieldFault | null = null;

  refuse(fault: FieldFault): null {
    this.fault ??= fault;
    return null;
  }

  /** Reads a decimal number within the limits, inclusive; null if the field is empty, missing or refused. */
  number(text: string | undefined, min: number, max: number): number | null {
    if (isEmpty(text)) return null;
    if (!decimal.test(text)) return this.refuse('malformed');
    const value = Number(text);
    return value < min || value > max ? this.refuse('implausible') : value;
  }

  /** Reads a number as `number` does, and multiplies it by `unit`. */
  scaled(text: string | undefined, min: number, max: number, unit: number): number | null {
    const value = this.number(text, min, max);
    return value === null ? null : value * unit;
  }

  /** Reads a course in degrees, 0 ≤ x < 360, as `number` does; a received 360 becomes 0. */
  course(text: string | undefined): number | null {
    const value = this.number(text, 0, 360);
    return value === 360 ? 0 : value;
  }

  /**
   * Reads a position in degrees. Exactly 0, 0 means an unknown position and gives nulls, as two empty fields do. One
   * coordinate without the other is `malformed`.
   */
  position(lat: string | undefined, lon: string | undefined): { latDeg: number | null; lonDeg: number | null } {
    const latDeg = this.number(lat, -90, 90);
    const lonDeg = this.number(lon, -180, 180);
    if (isEmpty(lat) !== isEmpty(lon)) this.refuse('malformed');
    if (latDeg === 0 && lonDeg === 0) return { latDeg: null, lonDeg: null };
    return { latDeg, lonDeg };
  }
}
