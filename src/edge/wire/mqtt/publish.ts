import { isUtf8 } from 'node:buffer';

/**
 * MQTT application message. On a received message, `retain` means that the broker kept it from before the
 * subscription.
 */
export type Publish = { topic: string; payload: Buffer; retain: boolean; qos: 0 | 1 };

const PUBLISH = 3;
const RETAIN = 1;
/** Position of the quality of service in the flags (bits 1 and 2). */
const QOS_SHIFT = 1;
const MOST_LENGTH_BYTES = 4;
/** Packet identifier of quality of service 1. It is a placeholder: the session assigns its own identifier. */
const PLACEHOLDER = [0, 1];

/** Writes a PUBLISH packet (MQTT 3.1.1, section 3.3). */
export function writePublish({ topic, payload, retain, qos }: Publish): Buffer {
  const name = Buffer.from(topic, 'utf8');
  const head = [name.length >> 8, name.length & 0xff];
  const identifier = qos === 0 ? [] : PLACEHOLDER;
  const length = head.length + name.length + identifier.length + payload.length;
  const flags = (PUBLISH << 4) | (qos << QOS_SHIFT) | (retain ? RETAIN : 0);
  return Buffer.concat([Buffer.from([flags, ...lengthBytes(length), ...head]), name, Buffer.from(identifier), payload]);
}

/** Encodes the remaining length of a packet: seven bits a byte, the lowest first (section 2.2.3). */
function lengthBytes(length: number): number[] {
  const bytes: number[] = [];
  let rest = length;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>= 7;
  } while (rest > 0);
  return bytes;
}

/**
 * Decodes the remaining length at `at`; `begin` is the offset of the content. Null if the length is cut off or
 * longer than four bytes.
 */
export function readLength(bytes: Uint8Array, at: number): { length: number; begin: number } | null {
  let length = 0;
  for (let index = 0; index < MOST_LENGTH_BYTES; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    length += (byte & 0x7f) * 128 ** index;
    if ((byte & 0x80) === 0) return { length, begin: at + index + 1 };
  }
  return null;
}

/**
 * Reads the PUBLISH packets of a chunk in order. `fault` is the reason why the rest of the chunk cannot be read; null
 * if all was read. `length`: a packet is cut off; the MQTT session cuts packets that are too long. `malformed`: the
 * packet is no valid PUBLISH packet.
 */
export function readPublishes(chunk: Uint8Array): { publishes: Publish[]; fault: 'length' | 'malformed' | null } {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const publishes: Publish[] = [];
  for (let at = 0; at < bytes.length; ) {
    const flags = bytes[at] ?? 0;
    const read = readLength(bytes, at + 1);
    if (read === null) return { publishes, fault: 'length' };
    const end = read.begin + read.length;
    if (end > bytes.length) return { publishes, fault: 'length' };
    const publish = publishOf(flags, bytes.subarray(read.begin, end));
    if (publish === null) return { publishes, fault: 'malformed' };
    publishes.push(publish);
    at = end;
  }
  return { publishes, fault: null };
}

function publishOf(flags: number, content: Buffer): Publish | null {
  const qos = (flags >> QOS_SHIFT) & 3;
  if (flags >> 4 !== PUBLISH || (qos !== 0 && qos !== 1) || content.length < 2) return null;
  const begin = 2 + content.readUInt16BE(0);
  const payloadAt = begin + (qos === 0 ? 0 : PLACEHOLDER.length);
  if (payloadAt > content.length) return null;
  const name = content.subarray(2, begin);
  const topic = name.toString('utf8');
  // A topic name has at least one character, and no wildcard or NUL (section 4.7).
  if (!isUtf8(name) || !isTopicName(topic)) return null;
  return { topic, payload: content.subarray(payloadAt), retain: (flags & RETAIN) !== 0, qos };
}

export function isTopicName(topic: string): boolean {
  return topic !== '' && !/[#+\0]/.test(topic);
}
