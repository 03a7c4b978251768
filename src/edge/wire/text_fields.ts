/**
 * Reason to refuse a field: its form violates the protocol (`malformed`), or its value is impossible (`implausible`).
 */
export type FieldFault = 'malformed' | 'implausible';

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

  /** Reads a decimal number within the limits, inclusive; null if the field is empty or missing. */
  number(text: string | undefined, min: number, max: number): number | null {
    if (text === undefined || text === '') return null;
    if (!decimal.test(text)) return this.refuse('malformed');
    const value = Number(text);
    return value < min || value > max ? this.refuse('implausible') : value;
  }

  /** Reads a number as `number` does, and multiplies it by `unit`. */
  scaled(text: string | undefined, min: number, max: number, unit: number): number | null {
    const value = this.number(text, min, max);
    return value === null ? null : value * unit;
  }

  /** Reads a course in degrees, 0 ≤ x < 360; a received 360 becomes 0. */
  course(text: string | undefined): number | null {
    const value = this.number(text, 0, 360);
    return value === 360 ? 0 : value;
  }
}
