/** Length of the longest frame, bytes: MAVLink 2 with 255 bytes of payload and a signature. */
export const MAX_FRAME_BYTES = 280;

const MAGIC_V2 = 0xfd;
const MAGIC_V1 = 0xfe;

export function isMagic(byte: number | undefined): boolean {
  return byte === MAGIC_V2 || byte === MAGIC_V1;
}

/**
 * Returns the length of the MAVLink frame that begins at `at`, from its header; the frame may end beyond `bytes`.
 * Returns 0 if no frame begins there, or if `bytes` ends before the length is known.
 */
export function frameLength(bytes: Uint8Array, at: number): number {
  const payload = bytes[at + 1];
  if (payload === undefined) return 0;
  if (bytes[at] === MAGIC_V1) return payload + 8;
  const flags = bytes[at + 2];
  if (bytes[at] !== MAGIC_V2 || flags === undefined) return 0;
  return payload + 12 + ((flags & 1) === 0 ? 0 : 13);
}
