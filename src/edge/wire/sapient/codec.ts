import { noRejects, type Rejects } from '../../../model/link.ts';
import type { Codec } from '../codec.ts';
import { Senders } from '../mavlink/senders.ts';
import { decodeSapient, SapientFault } from './decode.ts';
import { type FrameSink, SapientFraming } from './framing.ts';
import type { SapientMessage, SapientRefusal } from './message.ts';
import { RestatedSapient } from './restated.ts';

/** Streams decoded at once; each holds at most one message. */
const MOST_STREAMS = 64;
/** Greatest part of a refused message that is sent back, bytes. */
const MOST_PACKET = 4_096;

type Emit = (message: SapientMessage | SapientRefusal) => void;

/**
 * Decodes SAPIENT (BSI Flex 335 v2.0). A refused message is counted, and emitted too, since its sender is answered. After
 * a length that no message has, the rest of a stream is dropped: its end is for the link.
 */
export function createSapientCodec(): Codec<SapientMessage | SapientRefusal> {
  return new SapientCodec();
}

class SapientCodec implements Codec<SapientMessage | SapientRefusal>, FrameSink {
  readonly rejects: Rejects = noRejects();
  readonly sequenceGaps = 0;
  readonly restated = new RestatedSapient();
  readonly #streams: Senders<SapientFraming>;
  #emit: Emit = () => {};
  #atMs = 0;
  #from = '';
  messages = 0;

  constructor() {
    this.#streams = new Senders(
      MOST_STREAMS,
      () => new SapientFraming(),
      (framing) => {
        if (framing.isPending) this.rejects.length++;
      },
    );
  }

  decode(bytes: Uint8Array, from: string, atMs: number, emit: Emit): void {
    this.#emit = emit;
    this.#atMs = atMs;
    this.#from = from;
    this.#streams.of(from).push(bytes, this);
  }

  forget(from: string): void {
    this.#streams.forget(from);
    this.restated.forget(from);
  }

  frame(bytes: Uint8Array): void {
    const read = readMessage(bytes);
    this.restated.frame(bytes, read, this.#from, this.#atMs);
    if (read.kind === 'sapient') this.messages++;
    else this.rejects.malformed++;
    this.#emit(read);
  }

  lost(length: number): void {
    this.rejects.length++;
    const sentence = `a length of ${length} bytes: a message has at most 1048576, so the connection is closed`;
    this.#emit({ kind: 'sapient_refused', packet: new Uint8Array(0), sentence, isLost: true });
  }
}

function readMessage(bytes: Uint8Array): SapientMessage | SapientRefusal {
  try {
    const message = decodeSapient(bytes);
    const { seconds = 0, nanos = 0 } = message.timestamp;
    return { kind: 'sapient', nodeId: message.node_id, sentMs: seconds * 1000 + nanos / 1e6, message };
  } catch (thrown) {
    if (!(thrown instanceof SapientFault)) throw thrown;
    const packet = new Uint8Array(bytes.subarray(0, MOST_PACKET));
    return { kind: 'sapient_refused', packet, sentence: thrown.message, isLost: false };
  }
}
