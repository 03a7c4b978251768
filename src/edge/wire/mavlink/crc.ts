const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  return crc;
});

/**
 * The checksum of a frame: CRC-16/MCRF4XX (polynomial 0x1021 reflected, start 0xffff) over the bytes `from` (the one after
 * the start byte) up to `to` (the first after the payload), and then over the message's CRC_EXTRA.
 */
export function checksum(bytes: Uint8Array, from: number, to: number, crcExtra: number): number {
  let crc = 0xffff;
  for (let i = from; i < to; i++) crc = (crc >> 8) ^ (table[(crc ^ (bytes[i] as number)) & 0xff] as number);
  return (crc >> 8) ^ (table[(crc ^ crcExtra) & 0xff] as number);
}
