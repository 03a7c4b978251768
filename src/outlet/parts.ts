import type { OutletMessage } from '../model/outlet_view.ts';

/**
 * Approximate size of the parts in which a stream is written, bytes. It bounds the memory that a peer costs when it
 * stops reading.
 */
const PART_BYTES = 16 * 1024;

/** Splits messages into parts of about `PART_BYTES`. A single message is never split. */
export function parts(messages: readonly OutletMessage[]): Uint8Array[][] {
  const all: Uint8Array[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    if (bytes + message.bytes.length > PART_BYTES) {
      all.push([]);
      bytes = 0;
    }
    all.at(-1)?.push(message.bytes);
    bytes += message.bytes.length;
  }
  return all;
}
