import { noRejects, type RejectReason, type Rejects } from '../../../model/link.ts';
import type { Codec } from '../codec.ts';
import { Senders } from '../mavlink/senders.ts';
import type { OdidRawReport } from '../message.ts';
import { decodeMessage25, MESSAGE_SIZE, messageTypes } from './decode25.ts';
import { fieldsOf } from './fields.ts';
import { HexLines, isHexDigit } from './hex_lines.ts';
import { decodePack, MAX_PACK_MESSAGES } from './pack.ts';

const PACK_HEADER = 3;
/**
 * Size of the pack structure in the reference implementation of Open Drone ID, bytes. Some senders always send the
 * whole structure, however many messages it contains.
 */
const MAX_PACK_SIZE = PACK_HEADER + MAX_PACK_MESSAGES * MESSAGE_SIZE;

const MAX_SENDERS = 256;

export type OdidRawCodecOptions = {
  /**
   * True if each call of `decode` gets one datagram: a bare message or pack, or lines of hex digits that end with
   * the datagram. False for a stream of hex lines in chunks of any size.
   */
  datagrams: boolean;
  maxSenders?: number;
};

type Emit = (message: OdidRawReport) => void;

/** Creates the codec for bare Open Drone ID messages of 25 bytes and bare packs, as bytes or as hex digits. */
export function createOdidRawCodec(options: OdidRawCodecOptions): Codec<OdidRawReport> {
  return new Decoder(options);
}

class Decoder implements Codec<OdidRawReport> {
  readonly rejects: Rejects = noRejects();
  readonly sequenceGaps = 0;
  readonly #datagrams: boolean;
  readonly #senders: Senders<HexLines>;
  messages = 0;

  constructor({ datagrams, maxSenders = MAX_SENDERS }: OdidRawCodecOptions) {
    this.#datagrams = datagrams;
    const drop = (lines: HexLines) => {
      if (lines.pending) this.rejects.length++;
    };
    this.#senders = new Senders(maxSenders, () => new HexLines(2 * MAX_PACK_SIZE), drop);
  }

  decode(bytes: Uint8Array, from: string, _atMs: number, emit: Emit): void {
    if (this.#datagrams && !isHexText(bytes)) {
      this.#take(bytes, emit);
      return;
    }
    const lines = this.#senders.of(from);
    const take = (line: Uint8Array | RejectReason) => this.#take(line, emit);
    lines.add(bytes, take);
    if (this.#datagrams) lines.end(take);
  }

  forget(from: string): void {
    this.#senders.forget(from);
  }

  #take(unit: Uint8Array | RejectReason, emit: Emit): void {
    const report = typeof unit === 'string' ? unit : decodeUnit(unit);
    if (typeof report === 'string') {
      this.rejects[report]++;
      return;
    }
    this.messages++;
    emit(report);
  }
}

function decodeUnit(bytes: Uint8Array): OdidRawReport | RejectReason {
  if ((bytes[0] ?? 0) >> 4 === messageTypes.pack) return decodeBarePack(bytes);
  if (bytes.length !== MESSAGE_SIZE) return 'length';
  const message = decodeMessage25(fieldsOf(bytes), 0);
  return typeof message === 'string' ? message : { kind: 'odid_raw', pack: false, messages: [message] };
}

function decodeBarePack(bytes: Uint8Array): OdidRawReport | RejectReason {
  const count = bytes[2] ?? 0;
  if (bytes.length < PACK_HEADER + count * MESSAGE_SIZE || bytes.length > MAX_PACK_SIZE) return 'length';
  const messages = decodePack(fieldsOf(bytes), PACK_HEADER, bytes[1] ?? 0, count);
  return typeof messages === 'string' ? messages : { kind: 'odid_raw', pack: true, messages };
}

/**
 * True if all bytes are hex digits or white space. A bare message or pack practically never is, because its 25 or more
 * bytes are mostly binary numbers.
 */
function isHexText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => isHexDigit(byte) || isWhite(byte));
}

function isWhite(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
