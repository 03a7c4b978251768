import { noRejects, type RejectReason } from '../../../model/link.ts';
import type { Codec } from '../codec.ts';
import type { CotMessage } from '../message.ts';
import { EventSplitter } from './event_splitter.ts';
import type { RawEvent } from './raw_event.ts';
import { readEvent } from './read_event.ts';
import { MESH_HEADER, readProtobufEvent } from './read_protobuf.ts';
import { readXmlEvent } from './read_xml.ts';

const MAX_BYTES = 65_536;
const MAGIC = 0xbf;
const VERSION = 1;

/**
 * Creates the codec of Cursor on Target: XML of MITRE's schema 2.0 in streams and datagrams, and TAK protocol 1
 * (protobuf) in datagrams. A datagram contains one event; some senders pad it with NULs.
 */
export function createCotCodec({ datagrams = false }: { datagrams?: boolean } = {}): Codec<CotMessage> {
  const splitter = new EventSplitter();
  const rejects = noRejects();
  let messages = 0;
  let signsOfLife = 0;
  const judge = (read: RawEvent | RejectReason | null, emit: (message: CotMessage) => void): void => {
    const verdict = read === null ? 'malformed' : typeof read === 'string' ? read : readEvent(read);
    if (typeof verdict === 'string') {
      rejects[verdict]++;
      // Chat and the positions of people are not used, but they prove that the system behind the link is alive.
      if (verdict === 'unknown_type') signsOfLife++;
      return;
    }
    messages++;
    emit(verdict);
  };
  return {
    decode(bytes, from, _atMs, emit) {
      if (datagrams) {
        judge(readDatagram(bytes), emit);
        return;
      }
      splitter.push(bytes, from, {
        event: (event) => judge(event.length > MAX_BYTES ? 'length' : readXmlEvent(event), emit),
        lost: (why) => rejects[why]++,
      });
    },
    forget: (from) => splitter.forget(from),
    rejects,
    get messages() {
      return messages;
    },
    get signsOfLife() {
      return signsOfLife;
    },
    sequenceGaps: 0,
  };
}

function readDatagram(bytes: Uint8Array): RawEvent | RejectReason | null {
  if (bytes.length > MAX_BYTES) return 'length';
  if (bytes[0] === MAGIC) return readMesh(bytes);
  return readXmlEvent(withoutPadding(bytes));
}

/**
 * Reads a datagram of the TAK mesh protocol: BF, version, BF, message. Other versions, and messages without an event,
 * count as `unknown_type`.
 */
function readMesh(bytes: Uint8Array): RawEvent | RejectReason {
  if (bytes.length < MESH_HEADER.length || bytes[2] !== MAGIC) return 'malformed';
  if (bytes[1] !== VERSION) return 'unknown_type';
  try {
    const event = readProtobufEvent(bytes.subarray(MESH_HEADER.length));
    return event === 'none' ? 'unknown_type' : event;
  } catch {
    // The reader throws on every fault of the bytes: a length beyond the end, an endless varint, text that is not
    // UTF-8.
    return 'malformed';
  }
}

/** Removes blanks and NULs around a datagram, because XML requires its declaration at the very beginning. */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  const isPadding = (byte: number | undefined): boolean =>
    byte === 0 || byte === 0x20 || (byte ?? 1) === 0x0a || byte === 0x0d || byte === 0x09;
  let [start, end] = [0, bytes.length];
  while (start < end && isPadding(bytes[start])) start++;
  while (end > start && isPadding(bytes[end - 1])) end--;
  return bytes.subarray(start, end);
}
