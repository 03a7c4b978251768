import { noRejects, type Rejects } from '../../../model/link.ts';
import type { Codec } from '../codec.ts';
import type { MavlinkMessage } from '../message.ts';
import { fieldsOf } from '../odid/fields.ts';
import { type FrameView, MAX_PAYLOAD, newFrameView } from './frame.ts';
import { Framing } from './framing.ts';
import { messageIds } from './known.ts';
import { readMessage } from './read.ts';
import { Senders } from './senders.ts';
import type { SequenceCounter } from './sequence.ts';
import type { SignatureGate } from './signing.ts';

/** Greatest number of senders on a link whose framing state is kept. */
const MAX_SENDERS = 256;

export type MavlinkSigning = {
  /**
   * True to refuse frames without a valid signature, and replayed frames (`not_allowed`). RADIO_STATUS is exempt,
   * because radios cannot sign.
   */
  required: boolean;
  /** Returns the gate that checks signatures now; null without a key. The key may change while the link is open. */
  gate(): SignatureGate | null;
};

export type MavlinkCodecOptions = {
  /** True if each call of `decode` gets one whole datagram. */
  datagrams: boolean;
  signing?: MavlinkSigning;
  maxSenders?: number;
};

type Emit = (message: MavlinkMessage) => void;

export function createMavlinkCodec(options: MavlinkCodecOptions): MavlinkCodec {
  return new MavlinkCodec(options);
}

/** Decodes MAVLink 1 and 2, with separate framing for each sender. */
export class MavlinkCodec implements Codec<MavlinkMessage> {
  readonly rejects: Rejects = noRejects();
  readonly #senders: Senders<Framing<Emit>>;
  readonly #signing: MavlinkSigning | null;
  readonly #payload = fieldsOf(new Uint8Array(MAX_PAYLOAD));
  messages = 0;
  sequenceGaps = 0;

  constructor({ datagrams, signing, maxSenders = MAX_SENDERS }: MavlinkCodecOptions) {
    this.#signing = signing ?? null;
    const take = this.#take.bind(this);
    const shared = { datagrams, rejects: this.rejects, view: newFrameView(), take };
    this.#senders = new Senders(
      maxSenders,
      () => new Framing<Emit>(shared),
      (framing) => framing.drop(),
    );
  }

  get senders(): number {
    return this.#senders.size;
  }

  get sendersEvicted(): number {
    return this.#senders.evicted;
  }

  /** Number of bytes of incomplete frames, of all senders together. */
  get heldBytes(): number {
    let sum = 0;
    for (const framing of this.#senders.states()) sum += framing.held;
    return sum;
  }

  decode(bytes: Uint8Array, from: string, atMs: number, emit: Emit): void {
    this.#senders.of(from).receive(bytes, atMs, emit);
  }

  forget(from: string): void {
    this.#senders.forget(from);
  }

  #take(bytes: Uint8Array, view: FrameView, sequence: SequenceCounter, emit: Emit): void {
    const signed = this.#isSigned(bytes, view);
    if (!signed && this.#signing?.required && view.known.msgid !== messageIds.radioStatus) {
      this.rejects.not_allowed++;
      return;
    }
    this.sequenceGaps += sequence.missingBefore(view.sysid, view.compid, view.seq);
    fillPayload(this.#payload.bytes, bytes, view);
    const message = readMessage(view, signed, this.#payload);
    if (typeof message === 'string') {
      this.rejects[message]++;
      return;
    }
    this.messages++;
    if (view.hasSignature && !signed && this.#signing?.gate() == null) message.unchecked = true;
    emit(message);
  }

  #isSigned(bytes: Uint8Array, view: FrameView): boolean {
    if (!view.hasSignature) return false;
    return this.#signing?.gate()?.admit(bytes, view.at, view.at + view.size, view.sysid, view.compid) ?? false;
  }
}

/**
 * Copies a payload and restores the trailing zeros that MAVLink 2 omits. The last message of a Remote ID pack ends in
 * reserved zeros, so nearly every pack arrives shortened. Fields that a newer definition appended are ignored.
 */
function fillPayload(payload: Uint8Array, bytes: Uint8Array, view: FrameView): void {
  const { payloadAt, payloadLength, known } = view;
  payload.set(bytes.subarray(payloadAt, payloadAt + payloadLength));
  // The fill method of Buffer is not used, because its checks cost more than the filling.
  Uint8Array.prototype.fill.call(payload, 0, payloadLength, known.maxLength);
}
