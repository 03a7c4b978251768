import type { MavLinkData, MavLinkDataConstructor } from 'mavlink-mappings/dist/lib/mavlink.js';
import { DESERIALIZERS, SERIALIZERS } from 'node-mavlink/dist/lib/serialization.js';
import type { Payload } from './write.ts';

/*
 * Reads and writes payloads by the message definitions of mavlink-mappings. Messages that arrive often (HEARTBEAT,
 * GLOBAL_POSITION_INT, Remote ID) have their own readers. The framing of node-mavlink is not used, because it loses
 * frames after garbage.
 */

/** Message class of mavlink-mappings. Only its static data may be used, because the bundle omits the constructors. */
type Definition<Message extends MavLinkData> = MavLinkDataConstructor<Message>;

/**
 * Reads all fields of a message. A short payload is extended with zeros; bytes after the definition's last field are
 * ignored.
 */
export function readFields<Message extends MavLinkData>(
  { FIELDS, PAYLOAD_LENGTH }: Definition<Message>,
  payload: Uint8Array,
): Message {
  const bytes = atLeast(PAYLOAD_LENGTH, payload);
  const fields: Record<string, unknown> = {};
  for (const { name, type, offset, length } of FIELDS) {
    const value: unknown = DESERIALIZERS[type]?.(bytes, offset, length);
    fields[name] = typeof value === 'string' ? textOf(value) : value;
  }
  return fields as Message;
}

function atLeast(length: number, payload: Uint8Array): Buffer {
  if (payload.length >= length) return Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const filled = Buffer.alloc(length);
  filled.set(payload);
  return filled;
}

/**
 * Writes a payload in its full length. Absent fields become zero. The library's constructors are not used, because they
 * put names of enumerations into numeric fields. Texts and arrays are cut to the length of their field.
 */
export function writeFields<Message extends MavLinkData>(
  { FIELDS, PAYLOAD_LENGTH, MSG_ID }: Definition<Message>,
  values: Partial<Message>,
): Payload {
  const payload = Buffer.alloc(PAYLOAD_LENGTH);
  for (const { name, type, offset, length } of FIELDS) {
    const value: unknown = values[name as keyof Message];
    if (value !== undefined) SERIALIZERS[type]?.(writable(value, type), payload, offset, length);
  }
  return { msgid: MSG_ID, payload };
}

/**
 * Converts a value to a form that the library can write. The library throws for a byte outside 0 to 255, and so for
 * most characters. It declares 64-bit flags as numbers, but writes only bigints.
 */
function writable(value: unknown, type: string): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString('latin1');
  if (typeof value !== 'number') return value;
  if (type === 'uint8_t') return value & 0xff;
  return type === 'uint64_t' ? BigInt(value) : value;
}

const utf8 = new TextDecoder('utf-8');

/**
 * Decodes a text as UTF-8. The library has already read it as Latin-1, up to the first NUL. Control characters and
 * invalid bytes are dropped.
 */
function textOf(field: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is dropped
  return utf8.decode(Buffer.from(field, 'latin1')).replaceAll(/[\u0000-\u001f\u007f\ufffd]/g, '');
}
