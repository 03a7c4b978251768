import type { OutletMessage } from '../model/outlet_view.ts';

/** A stream is written in parts of about this size, bytes: what a peer that stops reading costs is bounded by it. */
const PART_BYTES = 16 * 1024;

/** Messages in parts of about `PART_BYTES`; a message is never cut. */
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
