/** Effect of a byte on the checksum if 0, 1, 2 or 3 bytes follow it, in four blocks of 256 entries. */
const table = new Uint16Array(1024);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  table[byte] = crc;
}
for (let i = 256; i < 1024; i++) {
  const before = table[i - 256] as number;
  table[i] = (before >> 8) ^ (table[before & 0xff] as number);
}

/**
 * Computes the checksum of a frame: CRC-16/MCRF4XX (polynomial 0x1021 reflected, start 0xffff) over the bytes `from`
 * up to `to`, and then over the message's CRC_EXTRA. `from` is the byte after the start byte, `to` the first byte
 * after the payload. Each step processes four bytes, since decoding spends most of its time here.
 */
export function checksum(bytes: Uint8Array, from: number, to: number, crcExtra: number): number {
  let crc = 0xffff;
  let i = from;
  for (; i < to - 3; i += 4) {
    crc =
      (table[768 | ((crc ^ (bytes[i] as number)) & 0xff)] as number) ^
      (table[512 | ((crc >> 8) ^ (bytes[i + 1] as number))] as number) ^
      (table[256 | (bytes[i + 2] as number)] as number) ^
      (table[bytes[i + 3] as number] as number);
  }
  for (; i < to; i++) crc = step(crc, bytes[i] as number);
  return step(crc, crcExtra);
}

function step(crc: number, byte: number): number {
  return (crc >> 8) ^ (table[(crc ^ byte) & 0xff] as number);
}
