import type { Rejects } from '../../model/link.ts';
import type { RadioCondition } from './radio/condition.ts';
import type { Dialogue } from './radio/dialogue.ts';

/**
 * Decoder of one link. Its state is the framing state of each sender, counts, the condition of a radio, and copies for
 * a recording.
 *
 * `decode` never throws, never waits and never grows without limit, whatever the bytes are. It passes every frame to
 * `emit` or counts it under exactly one reason in `rejects`. A frame that is only a sign of life may count in
 * `messages` without an `emit`. After a bad frame `decode` continues at the next good one. Protocols that answer
 * refused frames also emit a note for each refusal.
 *
 * `from` names the sender: `address:port` for datagrams and TCP connections, empty on serial ports, files and Unix
 * sockets. `atMs` is the time of arrival in world ms; codecs use it only for time limits and intervals, never as the
 * time of a message.
 */
export type Codec<Message> = {
  decode(bytes: Uint8Array, from: string, atMs: number, emit: (message: Message) => void): void;
  /** Discards the incomplete frame of a sender whose connection ended. */
  forget(from: string): void;
  readonly rejects: Rejects;
  /** Number of decoded frames. */
  readonly messages: number;
  /** Number of frames lost in transit, by the sequence numbers of the senders. */
  readonly sequenceGaps: number;
  /**
   * Copies for a recording. `begin` starts to collect; `end` returns the bytes decoded since then, in a form that can
   * be read without earlier bytes. Absent if every chunk can be read by itself.
   */
  readonly restated?: { begin(): void; end(): Uint8Array };
  /** Number of good frames of unused types. They are signs of life, although they are counted as `unknown_type`. */
  readonly signsOfLife?: number;
  /** Condition of the radio behind the link, for protocols of radios. */
  readonly radio?: RadioCondition;
  /** Dialogue that sets the receiver up each time the link opens; absent if the protocol needs none. */
  readonly dialogue?: Dialogue;
};
