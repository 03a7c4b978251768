/** Bytes to read fields from: numbers through the view, which the compiler turns into plain loads, text through the buffer. */
export type Fields = { bytes: Buffer; view: DataView };

/** Both fields of the result share the memory of `bytes`. */
export function fieldsOf(bytes: Uint8Array): Fields {
  const { buffer, byteOffset, length } = bytes;
  return { bytes: Buffer.from(buffer, byteOffset, length), view: new DataView(buffer, byteOffset, length) };
}
