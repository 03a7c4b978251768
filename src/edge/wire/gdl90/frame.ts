/** Frames of GDL 90 (GDL 90 Data Interface Specification, 560-1058-00 rev A, section 2.2). */

const FLAG = 0x7e;
const ESCAPE = 0x7d;
const ESCAPED_BY = 0x20;
/** Polynomial of CRC-16-CCITT with the initial value 0 (section 2.2.3). */
const POLYNOMIAL = 0x1021;

const crcTable = Uint16Array.from({ length: 256 }, (_, index) => {
  let crc = index << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? POLYNOMIAL : 0);
  return crc & 0xffff;
});

/** Returns the checksum of a message with its identifier, without flags and escapes. */
export function crcOf(message: Uint8Array): number {
  let crc = 0;
  for (const byte of message) crc = ((crcTable[crc >> 8] ?? 0) ^ (crc << 8) ^ byte) & 0xffff;
  return crc;
}

/** Returns a message between flags with its checksum, low byte first. Flags and escapes inside are escaped. */
export function framed(message: Uint8Array): Uint8Array {
  const crc = crcOf(message);
  const bytes: number[] = [FLAG];
  for (const byte of [...message, crc & 0xff, crc >> 8]) {
    if (byte === FLAG || byte === ESCAPE) bytes.push(ESCAPE, byte ^ ESCAPED_BY);
    else bytes.push(byte);
  }
  bytes.push(FLAG);
  return Uint8Array.from(bytes);
}
