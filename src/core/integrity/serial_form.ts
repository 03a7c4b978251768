/** ANSI/CTA-2063-A: digits and capital letters but O and I, which look like digits. */
const letters = /^[0-9A-HJ-NP-Z]+$/;
const MANUFACTURER_LENGTH = 4;
const lengths = '123456789ABCDEF';

/**
 * `serial_malformed`: what is wrong with a serial number by ANSI/CTA-2063-A (four characters for the manufacturer, one that
 * tells how long the rest is, 1 to F for 15, the rest), as the end of a sentence; null where it is well formed.
 */
export function serialFault(serial: string): string | null {
  if (serial.length <= MANUFACTURER_LENGTH + 1) return `it has ${serial.length} characters`;
  if (!letters.test(serial)) return 'it has characters that serials do not have';
  const announced = lengths.indexOf(serial[MANUFACTURER_LENGTH] ?? '') + 1;
  if (announced === 0) return `its fifth character, ${serial[MANUFACTURER_LENGTH]}, is no length`;
  const length = serial.length - MANUFACTURER_LENGTH - 1;
  return length === announced ? null : `its fifth character tells ${announced} more, and there are ${length}`;
}
