import { noRejects, type Rejects } from '../../../model/link.ts';
import type { Codec } from '../codec.ts';
import { Senders } from '../mavlink/senders.ts';
import { decodeSapient, SapientFault } from './decode.ts';
import { type FrameSink, SapientFraming } from './framing.ts';
import type { SapientMessage, SapientRefusal } from './message.ts';
import { RestatedSapient } from './restated.ts';

/** Greatest number of streams that are decoded at the same time; each holds at most one message. */
const MOST_STREAMS = 64;
/** Greatest number of bytes of a refused message that are sent back. */
const MOST_PACKET = 4_096;

type Emit = (message: SapientMessage | SapientRefusal) => void;

/**
 * Creates the codec of SAPIENT (BSI Flex 335 v2.0). Refused messages are counted and also emitted, so that their
 * sender gets an answer. After an impossible length the rest of the stream is discarded; the link must then close the
 * connection.
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
    const sentence = `a length of ${length} bytes: a message has 1 to 1048576 bytes, so the connection is closed`;
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
