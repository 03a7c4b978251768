import type { RejectReason } from '../../../model/link.ts';

/** Message, or the reason why a record is refused. */
export type Verdict<Message> = Message | RejectReason;
