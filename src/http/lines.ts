/** One line of a body and its number among those that are not blank; `bytes` is null where it is too long. */
type BodyLine = { index: number; bytes: Buffer | null };

/**
 * Cuts chunks into lines as they arrive, so that no more than one line is held. A line longer than `limit` bytes is
 * skipped to its end and reported with `bytes: null`; blank lines are neither reported nor counted.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<BodyLine> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let index = 0;

  const take = (piece: Buffer): BodyLine | null => {
    const long = heldBytes + piece.length > limit;
    const bytes = long ? null : Buffer.concat([...held, piece]);
    held = [];
    heldBytes = 0;
    if (bytes !== null && isBlank(bytes)) return null;
    return { index: index++, bytes };
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = take(chunk.subarray(from, end));
      from = end + 1;
      if (line !== null) yield line;
    }
    const rest = chunk.subarray(from);
    heldBytes += rest.length;
    if (heldBytes > limit) held = [];
    else if (rest.length > 0) held.push(rest);
  }
  const last = heldBytes > 0 ? take(Buffer.alloc(0)) : null;
  if (last !== null) yield last;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
