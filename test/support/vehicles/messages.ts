import {
  ardupilotmega,
  common,
  development,
  type MavLinkData,
  type MavLinkDataConstructor,
  MavLinkPacketSignature,
  MavLinkProtocolV1,
  MavLinkProtocolV2,
  minimal,
  standard,
  x25crc,
} from 'node-mavlink';

type MessageClass = MavLinkDataConstructor<MavLinkData>;

/** Field values by their XML names; 64-bit integers are bigints. */
export type Fields = Record<string, unknown>;

export type Heard = {
  msgid: number;
  name: string;
  fields: Fields;
  sysid: number;
  compid: number;
  seq: number;
  version: 1 | 2;
  signed: boolean;
  frame: Buffer;
};

const byId = new Map<number, MessageClass>();
const byName = new Map<string, MessageClass>();
for (const { REGISTRY } of [development, ardupilotmega, common, standard, minimal]) {
  for (const message of Object.values(REGISTRY)) {
    byId.set(message.MSG_ID, message);
    byName.set(message.MSG_NAME, message);
  }
}

const v1 = new MavLinkProtocolV1();
const v2 = new MavLinkProtocolV2();
const SIGNATURE = 13;

export function messageId(name: string): number {
  return definitionOf(name).MSG_ID;
}

export function messageName(msgid: number): string | null {
  return byId.get(msgid)?.MSG_NAME ?? null;
}

/** A MAVLink 2 frame of one message; what is left out of `fields` is zero. */
export function encode(from: { sysid: number; compid: number; seq: number }, name: string, fields: Fields): Buffer {
  const protocol = new MavLinkProtocolV2(from.sysid, from.compid);
  return Buffer.from(protocol.serialize(filled(name, fields), from.seq));
}

/** The same in version 1. */
export function encodeV1(from: { sysid: number; compid: number; seq: number }, name: string, fields: Fields): Buffer {
  return Buffer.from(new MavLinkProtocolV1(from.sysid, from.compid).serialize(filled(name, fields), from.seq));
}

/** Signs frames as one stream: each timestamp is later than the last, which the library's own clock does not promise. */
export class Signer {
  readonly key: Buffer;
  readonly #linkId: number;
  #last = 0;

  constructor(key: Buffer, linkId = 0) {
    this.key = key;
    this.#linkId = linkId;
  }

  sign(frame: Buffer): Buffer {
    const since2015 = (Date.now() - MavLinkProtocolV2.SIGNATURE_START_TIME) * 100;
    this.#last = Math.max(since2015, this.#last + 1);
    const flagged = Buffer.from(frame);
    flagged[2] = 1;
    const definition = byId.get(frame.readUIntLE(7, 3));
    flagged.writeUInt16LE(x25crc(flagged, 1, 2, definition?.MAGIC_NUMBER ?? 0), flagged.length - 2);
    const signed = Buffer.concat([flagged, Buffer.alloc(SIGNATURE)]);
    const signature = new MavLinkPacketSignature(signed);
    signature.linkId = this.#linkId;
    signature.timestamp = this.#last;
    signature.signature = signature.calculate(this.key);
    return signed;
  }
}

export function isSignedWith(frame: Buffer, key: Buffer): boolean {
  return (frame[2] ?? 0) % 2 === 1 && frame[0] === 0xfd && new MavLinkPacketSignature(frame).matches(key);
}

/** The good frames of a datagram. What is no frame is passed over byte by byte, as the library's splitter does not. */
export function readDatagram(datagram: Buffer): Heard[] {
  const heard: Heard[] = [];
  let at = 0;
  while (at < datagram.length) {
    const found = frameAt(datagram, at);
    if (found !== null) heard.push(found);
    at += found?.frame.length ?? 1;
  }
  return heard;
}

function frameAt(datagram: Buffer, at: number): Heard | null {
  const version = datagram[at] === 0xfd ? 2 : datagram[at] === 0xfe ? 1 : null;
  if (version === null || at + 12 - (version === 1 ? 4 : 0) > datagram.length) return null;
  const signed = version === 2 && (datagram[at + 2] ?? 0) % 2 === 1;
  const length = (version === 2 ? 12 : 8) + (datagram[at + 1] ?? 0) + (signed ? SIGNATURE : 0);
  if (at + length > datagram.length) return null;
  const frame = Buffer.from(datagram.subarray(at, at + length));
  const protocol = version === 2 ? v2 : v1;
  const header = protocol.header(frame);
  const definition = byId.get(header.msgid);
  if (definition === undefined) return null;
  const trailer = signed ? SIGNATURE + 2 : 2;
  if (x25crc(frame, 1, trailer, definition.MAGIC_NUMBER) !== protocol.crc(frame)) return null;
  return {
    msgid: header.msgid,
    name: definition.MSG_NAME,
    fields: fieldsOf(definition, protocol.data(protocol.payload(frame), definition)),
    sysid: header.sysid,
    compid: header.compid,
    seq: header.seq,
    version,
    signed,
    frame,
  };
}

/** A field as a number; not a number where the message has no such field. */
export function numberOf(fields: Fields, name: string): number {
  return Number(fields[name] ?? Number.NaN);
}

function definitionOf(name: string): MessageClass {
  const definition = byName.get(name);
  if (definition === undefined) throw new Error(`There is no MAVLink message ${name}.`);
  return definition;
}

function filled(name: string, fields: Fields): MavLinkData {
  const definition = definitionOf(name);
  const names = new Map(definition.FIELDS.map((field) => [field.source, field.name]));
  const message = new definition();
  for (const [source, value] of Object.entries(fields)) {
    const own = names.get(source);
    if (own === undefined) throw new Error(`${name} has no field ${source}.`);
    Object.assign(message, { [own]: value });
  }
  return message;
}

function fieldsOf(definition: MessageClass, message: MavLinkData): Fields {
  const values = new Map(Object.entries(message));
  return Object.fromEntries(definition.FIELDS.map(({ source, name }) => [source, values.get(name)]));
}
