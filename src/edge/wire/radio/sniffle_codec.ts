import { noRejects, type Phy, type RejectReason, type Rejects } from '../../../model/link.ts';
import type { Codec } from '../codec.ts';
import { LineSplitter } from '../lines.ts';
import { isRemoteId } from './advertising.ts';
import type { RadioReport } from './broadcast.ts';
import { RadioCondition } from './condition.ts';
import { readAdvertisingPdu } from './link_layer.ts';
import { type RadioMessage, radioMessageOf } from './message.ts';
import { SniffleDialogue } from './sniffle_dialogue.ts';
import { readSniffleLine, readSnifflePacket, type SniffleMessage } from './sniffle_line.ts';

/** Longest line, characters: the line states its number of groups of four characters in one byte. */
const LONGEST_LINE = 255 * 4;

const messageTypes = { packet: 0x10, debug: 0x11, marker: 0x12, state: 0x13, measurement: 0x14 } as const;
const known: ReadonlySet<number> = new Set(Object.values(messageTypes));

type Emit = (message: RadioMessage) => void;

/**
 * Creates the codec for the lines of a Sniffle dongle. Its dialogue sets the dongle up to listen on `phy`: one physical
 * layer, or both by turns.
 */
export function createSniffleCodec({ phy }: { phy: Phy }): Codec<RadioMessage> {
  return new SniffleCodec(phy);
}

class SniffleCodec implements Codec<RadioMessage> {
  readonly rejects: Rejects = noRejects();
  readonly sequenceGaps = 0;
  readonly radio = new RadioCondition();
  readonly dialogue: SniffleDialogue;
  readonly #lines = new LineSplitter({ maxBytes: LONGEST_LINE, maxSenders: 8, datagrams: false });
  messages = 0;

  constructor(phy: Phy) {
    this.dialogue = new SniffleDialogue(this.radio, phy);
  }

  decode(bytes: Uint8Array, from: string, atMs: number, emit: Emit): void {
    const { messages } = this;
    const { crc } = this.rejects;
    this.#lines.push(bytes, from, {
      line: (line) => this.#line(line, atMs, emit),
      lost: (why) => this.#reject(why === 'length' ? 'length' : 'malformed'),
    });
    this.radio.checked(this.messages - messages, this.rejects.crc - crc, atMs);
  }

  forget(from: string): void {
    if (this.#lines.isPending(from)) this.rejects.length++;
    this.#lines.forget(from);
    this.radio.closed();
  }

  #line(line: Buffer, atMs: number, emit: Emit): void {
    const message = readSniffleLine(line);
    if (typeof message === 'string') {
      this.#reject(message);
      return;
    }
    this.dialogue.alive(atMs);
    if (message.type === messageTypes.packet) this.#packet(message, emit);
    else if (known.has(message.type)) this.radio.answered();
    else this.#reject('unknown_type');
  }

  #packet({ body }: SniffleMessage, emit: Emit): void {
    const packet = readSnifflePacket(body);
    if (typeof packet === 'string') {
      this.#reject(packet);
      return;
    }
    const { pdu, isGood, rssiDbm, channel, phy } = packet;
    this.radio.received();
    this.dialogue.notePacket(channel, phy);
    if (!isRemoteId(pdu)) return;
    if (!isGood) {
      this.#reject('crc');
      return;
    }
    const end = 2 + (pdu[1] ?? 0);
    if (end > pdu.length) {
      this.#reject('length');
      return;
    }
    const sink = {
      emit: (report: RadioReport) => this.#take(report, emit),
      reject: (reason: RejectReason) => this.#reject(reason),
    };
    readAdvertisingPdu(pdu.subarray(0, end), rssiDbm, sink);
  }

  #take(report: RadioReport, emit: Emit): void {
    const message = radioMessageOf(report);
    if (typeof message === 'string') {
      this.#reject(message);
      return;
    }
    this.messages++;
    emit(message);
  }

  #reject(reason: RejectReason): void {
    this.rejects[reason]++;
  }
}
