/** Length of a block's header, bytes: category (1) and length (2). The length field counts the header too. */
const HEADER = 3;

/** Writes one block: the header, then the records of one category. */
export function writeBlock(category: number, ...records: readonly Uint8Array[]): Uint8Array {
  const length = HEADER + records.reduce((sum, record) => sum + record.length, 0);
  return Buffer.concat([Uint8Array.of(category, length >> 8, length & 0xff), ...records], length);
}

/**
 * Merges neighbouring blocks of one category, in order, into blocks of at most `mostBytes`. Records are never split,
 * so a longer block stays unchanged.
 */
export function joinedBlocks(blocks: readonly Uint8Array[], mostBytes: number): Uint8Array[] {
  const joined: { category: number; records: Uint8Array[]; bytes: number }[] = [];
  for (const block of blocks) {
    const [category = 0, records] = [block[0], block.subarray(HEADER)];
    const last = joined.at(-1);
    if (last?.category === category && last.bytes + records.length <= mostBytes) {
      last.records.push(records);
      last.bytes += records.length;
    } else joined.push({ category, records: [records], bytes: block.length });
  }
  return joined.map(({ category, records }) => writeBlock(category, ...records));
}
