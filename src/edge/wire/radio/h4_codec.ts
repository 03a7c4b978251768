import { noRejects, type Rejects } from '../../../model/link.ts';
import type { Codec } from '../codec.ts';
import type { RadioSink } from './broadcast.ts';
import { RadioCondition } from './condition.ts';
import { EVENT, H4Framing, type H4Sink } from './h4_framing.ts';
import { HciReader } from './hci.ts';
import { HciDialogue } from './hci_dialogue.ts';
import { type RadioMessage, radioMessageOf } from './message.ts';

const LE_META = 0x3e;
const EVENT_HEADER = 3;

type Emit = (message: RadioMessage) => void;

/** Creates the codec for events of a Bluetooth controller over H4. Its dialogue sets the controller up for scanning. */
export function createHciH4Codec(): Codec<RadioMessage> {
  return new HciH4Codec();
}

/** Decodes one controller, because a serial link has only one sender. */
class HciH4Codec implements Codec<RadioMessage>, H4Sink, RadioSink {
  readonly rejects: Rejects = noRejects();
  readonly sequenceGaps = 0;
  readonly radio = new RadioCondition();
  readonly dialogue = new HciDialogue(this.radio);
  #framing = new H4Framing();
  #hci = new HciReader();
  #atMs = 0;
  #emit: Emit = () => {};
  messages = 0;

  decode(bytes: Uint8Array, _from: string, atMs: number, emit: Emit): void {
    this.#atMs = atMs;
    this.#emit = emit;
    this.#framing.push(bytes, atMs, this);
  }

  forget(): void {
    if (this.#framing.isPending) this.rejects.length++;
    this.#framing = new H4Framing();
    this.#hci = new HciReader();
    this.radio.closed();
  }

  packet(bytes: Buffer): void {
    if (bytes[0] === EVENT && bytes[1] !== LE_META) {
      this.radio.answered();
      this.dialogue.event(bytes[1] ?? 0, bytes.subarray(EVENT_HEADER), this.#atMs);
      return;
    }
    this.radio.received();
    this.dialogue.alive(this.#atMs);
    this.#hci.packet(bytes, this.#atMs, this);
  }

  rubbish(): void {
    this.rejects.malformed++;
  }

  emit(report: Parameters<RadioSink['emit']>[0]): void {
    const message = radioMessageOf(report);
    if (typeof message === 'string') {
      this.rejects[message]++;
      return;
    }
    this.messages++;
    this.#emit(message);
  }

  reject(reason: Parameters<RadioSink['reject']>[0]): void {
    this.rejects[reason]++;
  }
}
