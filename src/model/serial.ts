/** Characters of ANSI/CTA-2063-A: digits and capital letters except O and I, which look like digits. */
const letters = /^[0-9A-HJ-NP-Z]+$/;
const MANUFACTURER_LENGTH = 4;
const lengths = '123456789ABCDEF';

/**
 * Returns the fault of a serial number by ANSI/CTA-2063-A, as the end of a sentence; null for a valid serial. The
 * reason `serial_malformed` shows this text. A serial consists of four characters for the manufacturer, one for the
 * length of the rest (1 to 9, A to F for 10 to 15), and the rest.
 */
export function serialFault(serial: string): string | null {
  if (serial.length <= MANUFACTURER_LENGTH + 1) return `it has only ${serial.length} characters`;
  if (!letters.test(serial)) return 'it has characters that are not allowed in serials';
  const announced = lengths.indexOf(serial[MANUFACTURER_LENGTH] ?? '') + 1;
  if (announced === 0) return `its fifth character, ${serial[MANUFACTURER_LENGTH]}, does not state a length`;
  const length = serial.length - MANUFACTURER_LENGTH - 1;
  return length === announced ? null : `its fifth character announces ${announced} more, and ${length} follow`;
}
