import type { RejectReason } from '../../../model/link.ts';
import { decodeMessage25, MESSAGE_SIZE } from './decode25.ts';
import type { Fields } from './fields.ts';
import type { OdidMessage } from './message.ts';

/** Greatest number of messages in a pack. */
export const MAX_PACK_MESSAGES = 9;

/**
 * Decodes the messages of a pack. `at` is the offset of the first message; `size` and `count` come from the pack's
 * header. The caller must ensure that the bytes of `count` messages exist.
 *
 * A wrong size or count (`length`) refuses the whole pack. A nested pack or a second location refuses it too
 * (`malformed`), because it is unclear which part is about the aircraft. A message of a reserved type is skipped, so
 * that packs of a later edition still give a position. An implausible authentication message is skipped too. A pack of
 * only skipped messages is refused for the reason of its last one.
 */
export function decodePack(fields: Fields, at: number, size: number, count: number): OdidMessage[] | RejectReason {
  if (size !== MESSAGE_SIZE || count === 0 || count > MAX_PACK_MESSAGES) return 'length';
  const messages: OdidMessage[] = [];
  let skipped: RejectReason = 'unknown_type';
  let locations = 0;
  for (let i = 0; i < count; i++) {
    const message = decodeMessage25(fields, at + i * MESSAGE_SIZE);
    if (message === 'malformed') return 'malformed';
    if (typeof message === 'string') {
      skipped = message;
      continue;
    }
    if (message.type === 'location' && ++locations > 1) return 'malformed';
    messages.push(message);
  }
  return messages.length > 0 ? messages : skipped;
}
