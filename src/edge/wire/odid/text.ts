/** Reads the text of a fixed-length field: Latin-1 up to the first NUL. A full field has no NUL. */
export function readText(bytes: Buffer, at: number, length: number): string {
  let end = at;
  while (end < at + length && bytes[end] !== 0) end++;
  return bytes.toString('latin1', at, end);
}

/** Writes a text into a zeroed fixed-length field. A longer text is cut, and characters outside Latin-1 become `?`. */
export function writeText(bytes: Buffer, at: number, length: number, text: string): void {
  for (let i = 0; i < Math.min(length, text.length); i++) {
    const code = text.charCodeAt(i);
    bytes[at + i] = code < 256 ? code : 0x3f;
  }
}

/** Length of a UAS id field, bytes. */
export const UAS_ID_LENGTH = 20;

const isTextIdType = (idType: number): boolean => idType <= 2;

/**
 * Reads a UAS id: as text for the types none, serial and CAA registration, else as hex digits, because session ids
 * are binary and contain NULs. Null if the id is empty.
 */
export function readUasId(bytes: Buffer, at: number, idType: number): string | null {
  if (isTextIdType(idType)) return readText(bytes, at, UAS_ID_LENGTH) || null;
  const hex = bytes.toString('hex', at, at + UAS_ID_LENGTH);
  return /^0*$/.test(hex) ? null : hex;
}

export function writeUasId(bytes: Buffer, at: number, idType: number, uasId: string | null): void {
  if (uasId === null) return;
  if (isTextIdType(idType)) writeText(bytes, at, UAS_ID_LENGTH, uasId);
  else bytes.write(uasId.slice(0, 2 * UAS_ID_LENGTH), at, 'hex');
}
