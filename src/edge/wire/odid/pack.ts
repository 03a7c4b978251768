import type { RejectReason } from '../../../model/link.ts';
import { decodeMessage25, MESSAGE_SIZE } from './decode25.ts';
import type { Fields } from './fields.ts';
import type { OdidMessage } from './message.ts';

/** A pack holds at most this many messages. */
export const MAX_PACK_MESSAGES = 9;

/**
 * The messages of a pack whose first message stands at `at`, with the sizes that its header states. A wrong size or
 * count (`length`) and a nested pack or a second location (`malformed`) refuse the whole pack. In these cases nothing
 * says which half of the pack is about the aircraft. A message of a reserved type is skipped, so that a pack of a later
 * edition of the standard still places its aircraft. A pack of such messages only is refused as `unknown_type`. The
 * caller must ensure that the bytes of `count` messages are there.
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
