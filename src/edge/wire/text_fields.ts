/** Why a field is refused: it is not written as the protocol writes it, or its value is impossible. */
export type FieldFault = 'malformed' | 'implausible';

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * Reads the text fields of one line and remembers the first fault, so that a decoder checks for a fault only once, at
 * the end.
 */
export class FieldReader {
  fault: FieldFault | null = null;

  refuse(fault: FieldFault): null {
    this.fault ??= fault;
    return null;
  }

  /** A decimal number within the limits, inclusive; null where the field is empty or missing. */
  number(text: string | undefined, min: number, max: number): number | null {
    if (text === undefined || text === '') return null;
    if (!decimal.test(text)) return this.refuse('malformed');
    const value = Number(text);
    return value < min || value > max ? this.refuse('implausible') : value;
  }

  /** Like `number`, multiplied by `unit`. */
  scaled(text: string | undefined, min: number, max: number, unit: number): number | null {
    const value = this.number(text, min, max);
    return value === null ? null : value * unit;
  }

  /** A course in degrees, 0 ≤ x < 360; feeds also write 360 for north. */
  course(text: string | undefined): number | null {
    const value = this.number(text, 0, 360);
    return value === 360 ? 0 : value;
  }
}
