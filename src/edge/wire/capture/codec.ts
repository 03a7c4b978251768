import { noRejects, type RejectReason, type Rejects } from '../../../model/link.ts';
import type { Codec } from '../codec.ts';
import { Senders } from '../mavlink/senders.ts';
import { RadioCondition } from '../radio/condition.ts';
import { NO_LONG_RANGE } from '../radio/hci_dialogue.ts';
import { type RadioMessage, radioMessageOf } from '../radio/message.ts';
import { isRadio, RadioFrames } from '../radio/radio_frames.ts';
import { CaptureReader } from './reader.ts';
import type { CapturedPacket, CaptureSink, CaptureStatistics } from './records.ts';
import { RestatedCapture } from './restated.ts';

/**
 * Greatest number of streams (senders) that are decoded at the same time. A further one evicts the stream silent
 * longest. Each holds at most one incomplete record.
 */
const MOST_STREAMS = 64;
const MOST_INTERFACES = 64;

type Emit = (message: RadioMessage) => void;

/**
 * Creates the codec for packet captures (pcap, pcapng) of Wi-Fi and Bluetooth receivers. The link type of a capture
 * determines the kind of its frames.
 */
export function createCaptureCodec(): Codec<RadioMessage> {
  return new CaptureCodec();
}

class CaptureCodec implements Codec<RadioMessage> {
  readonly rejects: Rejects = noRejects();
  readonly sequenceGaps = 0;
  readonly radio = new RadioCondition();
  readonly restated = new RestatedCapture();
  readonly #streams: Senders<Stream>;
  messages = 0;

  constructor() {
    this.#streams = new Senders(
      MOST_STREAMS,
      () => new Stream(this),
      (stream) => {
        if (stream.reader.isPending) this.rejects.length++;
      },
    );
  }

  decode(bytes: Uint8Array, from: string, atMs: number, emit: Emit): void {
    const { messages } = this;
    const { crc } = this.rejects;
    this.#streams.of(from).take(bytes, atMs, emit);
    this.radio.checked(this.messages - messages, this.rejects.crc - crc, atMs);
  }

  forget(from: string): void {
    this.#streams.forget(from);
    if (this.#streams.size > 0) return;
    this.radio.closed();
    this.radio.limit = null;
  }
}

/** State of one capture, from the beginning of its connection. */
class Stream implements CaptureSink {
  readonly reader = new CaptureReader();
  readonly #codec: CaptureCodec;
  readonly #frames: RadioFrames;
  /** Total number of lost packets in the last report of each interface. */
  readonly #dropped = new Map<number, number>();
  #atMs = 0;
  #emit: Emit = () => {};

  constructor(codec: CaptureCodec) {
    this.#codec = codec;
    this.#frames = new RadioFrames({
      emit: (report) => {
        const message = radioMessageOf(report);
        if (typeof message === 'string') {
          this.reject(message);
          return;
        }
        codec.messages++;
        this.#emit(message);
      },
      reject: (reason) => this.reject(reason),
    });
  }

  take(bytes: Uint8Array, atMs: number, emit: Emit): void {
    this.#atMs = atMs;
    this.#emit = emit;
    this.reader.push(bytes, this);
  }

  packet(packet: CapturedPacket): void {
    const { linkType, bytes } = packet;
    this.#codec.restated.packet(packet);
    if (!isRadio(linkType)) {
      this.reject('unknown_type');
      return;
    }
    this.#codec.radio.received();
    this.#frames.read(linkType, bytes, this.#atMs);
  }

  reject(reason: RejectReason): void {
    this.#codec.rejects[reason]++;
  }

  statistics(statistics: CaptureStatistics): void {
    const { radio, restated } = this.#codec;
    restated.statistics(statistics);
    radio.drops += this.#newlyDropped(statistics);
    const reported = countsIn(statistics.comment);
    if (reported === null) {
      radio.answered();
      return;
    }
    radio.reported(reported.frames, reported.bad, this.#atMs);
    if (reported.coded !== null) radio.limit = reported.coded ? null : NO_LONG_RANGE;
  }

  #newlyDropped({ interface: of, dropped }: CaptureStatistics): number {
    if (dropped === null || (!this.#dropped.has(of) && this.#dropped.size >= MOST_INTERFACES)) return 0;
    const before = this.#dropped.get(of) ?? 0;
    this.#dropped.set(of, dropped);
    // A total below the previous one shows that the receiver restarted its count.
    return dropped >= before ? dropped - before : dropped;
  }
}

/** JSON key of the number of received frames. */
const FRAMES_KEY = 'heard';

/** Content of the comment that the radio program writes into interface statistics. */
type Reported = {
  /** Number of frames of all transmitters since the last statistics; `bad` is the number with a wrong checksum. */
  frames: number;
  bad: number;
  /** True if a Bluetooth controller receives coded advertising; null before its set-up, and on Wi-Fi. */
  coded: boolean | null;
};

function countsIn(comment: string | null): Reported | null {
  if (comment === null) return null;
  try {
    const read: unknown = JSON.parse(comment);
    if (typeof read !== 'object' || read === null || !(FRAMES_KEY in read)) return null;
    const frames = countOf(read[FRAMES_KEY]);
    const bad = ('bad_fcs' in read ? countOf(read.bad_fcs) : null) ?? 0;
    const coded = 'coded' in read && typeof read.coded === 'boolean' ? read.coded : null;
    return frames === null ? null : { frames, bad, coded };
  } catch {
    return null;
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
