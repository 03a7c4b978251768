const hexByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Formats 16 bytes as a UUID of version 8 (RFC 9562 section 5.8), in lower case. The function sets the version and
 * variant bits.
 */
export function formatUuidV8(bytes: Uint8Array): string {
  const part = (from: number, to: number): string => {
    let text = '';
    for (let i = from; i < to; i++) text += hexByte[bytes[i] ?? 0];
    return text;
  };
  const stamped = Uint8Array.from(bytes.subarray(0, 16));
  stamped[6] = ((stamped[6] ?? 0) & 0x0f) | 0x80;
  stamped[8] = ((stamped[8] ?? 0) & 0x3f) | 0x80;
  bytes = stamped;
  return `${part(0, 4)}-${part(4, 6)}-${part(6, 8)}-${part(8, 10)}-${part(10, 16)}`;
}

/**
 * Derives the id of the `counter`-th object of a world: a UUID of version 8. `seed` fills bytes 0 to 7, the counter
 * bytes 8 to 15, big-endian. Equal inputs give equal ids.
 */
export function idOf(seed: Uint8Array, counter: number): string {
  const bytes = new Uint8Array(16);
  bytes.set(seed.subarray(0, 8));
  new DataView(bytes.buffer).setBigUint64(8, BigInt(counter));
  return formatUuidV8(bytes);
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

/** Short label of a track for voice radio, for example T-0042. */
export function trackLabel(number: number): string {
  return `T-${String(number).padStart(4, '0')}`;
}
