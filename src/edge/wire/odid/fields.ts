/**
 * Bytes in the two forms from which fields are read. Numbers are read through `view`, which the compiler turns into
 * plain loads. Texts are read through `bytes`.
 */
export type Fields = { bytes: Buffer; view: DataView };

/** Creates the fields of some bytes. Both views share the memory of `bytes`. */
export function fieldsOf(bytes: Uint8Array): Fields {
  const { buffer, byteOffset, length } = bytes;
  return { bytes: Buffer.from(buffer, byteOffset, length), view: new DataView(buffer, byteOffset, length) };
}
