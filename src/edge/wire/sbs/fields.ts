import type { FieldReader } from '../text_fields.ts';

const address = /^(~?)([0-9A-F]{6})$/i;

/** Reads a 24-bit address. A leading ~ marks an address that ICAO did not allocate (TIS-B, ADS-R, anonymous). */
export function readAddress(read: FieldReader, text: string): { icao24: string; nonIcao: boolean } {
  const match = address.exec(text);
  if (match === null) read.refuse('malformed');
  const icao24 = match?.[2]?.toUpperCase() ?? '';
  if (icao24 === '000000') read.refuse('implausible');
  return { icao24, nonIcao: match?.[1] === '~' };
}

/**
 * Reads a call sign of letters, digits and a few other characters, as exporters write it. Null for any other text (@
 * or ? stand for undecodable characters).
 */
export function readCallsign(text: string): string | null {
  return /^[A-Z0-9][A-Z0-9 _-]{0,19}$/i.test(text) ? text : null;
}

/** Reads a squawk of four octal digits, and adds leading zeros that some receivers drop; null if empty or refused. */
export function readSquawk(read: FieldReader, text: string): string | null {
  if (text === '') return null;
  if (!/^\d{1,4}$/.test(text)) return read.refuse('malformed');
  if (!/^[0-7]+$/.test(text)) return read.refuse('implausible');
  return text.padStart(4, '0');
}

/** Reads a flag: BaseStation writes -1 for true, most others 1. Null if the field is empty or refused. */
export function readFlag(read: FieldReader, text: string): boolean | null {
  switch (text) {
    case '':
      return null;
    case '0':
      return false;
    case '1':
    case '-1':
      return true;
    default:
      return read.refuse('malformed');
  }
}
