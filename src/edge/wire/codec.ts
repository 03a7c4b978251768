import type { Rejects } from '../../model/link.ts';
import type { RadioCondition } from './radio/condition.ts';
import type { Dialogue } from './radio/dialogue.ts';

/**
 * One link's decoder. Its only state is the framing state of each sender.
 *
 * `decode` never throws, never waits and never grows without bound, whatever the bytes are. Every frame is either given
 * to `emit` or counted under exactly one reason in `rejects`. Decoding goes on at the next good frame. A protocol that answers
 * refused frames emits a note of each besides.
 *
 * `from` names the sender: the empty text on a serial port or file, `address:port` of a datagram, a connection's id on
 * TCP. `atMs` is the arrival time in world milliseconds; codecs only use it to age half-received frames.
 */
export type Codec<Message> = {
  decode(bytes: Uint8Array, from: string, atMs: number, emit: (message: Message) => void): void;
  /** Forgets the half-received frame of a sender that went away. */
  forget(from: string): void;
  readonly rejects: Rejects;
  /** Frames decoded. */
  readonly messages: number;
  /** Number of frames lost on the way, by the senders' own sequence counters. */
  readonly sequenceGaps: number;
  /** Bytes that say by themselves what was decoded, for a recording; absent where chunks need nothing from before. */
  readonly restated?: { begin(): void; end(): Uint8Array };
  /** Number of good frames of types that are not used: signs of life, although they count as `unknown_type`. */
  readonly signsOfLife?: number;
  /** Condition of the radio behind the link, where the protocol is that of a radio. */
  readonly radio?: RadioCondition;
  /** Set-up of the receiver at every opening, where its protocol asks for one. */
  readonly dialogue?: Dialogue;
};
