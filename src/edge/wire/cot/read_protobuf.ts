import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { parseXml } from './parse_xml.ts';
import { noDetail, type RawDetail, type RawEvent, type RawPoint } from './raw_event.ts';
import { readDetail } from './read_xml.ts';

/** Field numbers of TAK protocol 1 (ATAK, protocol.txt): TakMessage, CotEvent, Detail, Contact, Track. */
export const takMessage = { cotEvent: 2 } as const;
export const cotEvent = {
  ...{ type: 1, access: 2, qos: 3, opex: 4, uid: 5, sendTime: 6, startTime: 7, staleTime: 8, how: 9 },
  ...{ lat: 10, lon: 11, hae: 12, ce: 13, le: 14, detail: 15 },
} as const;
export const takDetail = { xmlDetail: 1, contact: 2, precisionLocation: 4, takv: 6, track: 7 } as const;
export const takContact = { endpoint: 1, callsign: 2 } as const;
export const takTrack = { speed: 1, course: 2 } as const;

/** Header of a datagram: BF, version 1, BF. */
export const MESH_HEADER = [0xbf, 0x01, 0xbf] as const;

/**
 * Fields of a message by their numbers. If a number occurs several times, its last value counts, as protobuf requires.
 */
type Fields = ReadonlyMap<number, number | Uint8Array>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the event of a TakMessage without its header; `none` if the message contains no event. Throws if the
 * bytes are no TakMessage.
 */
export function readProtobufEvent(bytes: Uint8Array): RawEvent | 'none' {
  const event = bytesOf(fieldsOf(bytes), takMessage.cotEvent);
  if (event === null) return 'none';
  const fields = fieldsOf(event);
  const detail = bytesOf(fields, cotEvent.detail);
  return {
    uid: textOf(fields, cotEvent.uid),
    type: textOf(fields, cotEvent.type),
    how: textOf(fields, cotEvent.how),
    opex: textOf(fields, cotEvent.opex),
    timeMs: numberOf(fields, cotEvent.sendTime),
    startMs: numberOf(fields, cotEvent.startTime),
    staleMs: numberOf(fields, cotEvent.staleTime),
    point: pointOf(fields),
    detail: detail === null ? noDetail : detailOf(fieldsOf(detail)),
  };
}

/** Returns the point of an event. Protobuf 3 omits numbers that are 0, so an absent latitude is the equator. */
function pointOf(fields: Fields): RawPoint {
  const of = (field: number): number => numberOf(fields, field);
  return {
    lat: of(cotEvent.lat),
    lon: of(cotEvent.lon),
    ...{ hae: of(cotEvent.hae), ce: of(cotEvent.ce), le: of(cotEvent.le) },
  };
}

/**
 * Reads the details of an event. `xmlDetail` has the elements that have no protobuf message. Where the event has a
 * message, its values replace those of the XML.
 */
function detailOf(fields: Fields): RawDetail {
  const xml = detailOfXml(textOf(fields, takDetail.xmlDetail));
  const contact = bytesOf(fields, takDetail.contact);
  const track = bytesOf(fields, takDetail.track);
  const trackFields = track === null ? null : fieldsOf(track);
  return {
    ...xml,
    callsign: contact === null ? xml.callsign : textOf(fieldsOf(contact), takContact.callsign) || null,
    course: trackFields === null ? xml.course : numberOf(trackFields, takTrack.course),
    speed: trackFields === null ? xml.speed : numberOf(trackFields, takTrack.speed),
  };
}

function detailOfXml(xml: string): RawDetail {
  if (xml === '') return noDetail;
  const root = parseXml(Buffer.from(`<detail>${xml}</detail>`, 'utf8'));
  if (root === null) throw new Error('xmlDetail is not well-formed');
  return readDetail(root);
}

function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, number | Uint8Array>();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    fields.set(number, fieldOf(reader, number, type));
  }
  return fields;
}

/**
 * Reads the value of a field. Groups and fixed 32-bit numbers do not occur in the protocol, so they are skipped like
 * unknown fields.
 */
function fieldOf(reader: BinaryReader, number: number, type: WireType): number | Uint8Array {
  if (type === WireType.Varint) return Number(reader.uint64());
  if (type === WireType.Bit64) return reader.double();
  if (type === WireType.LengthDelimited) return reader.bytes();
  reader.skip(type, number);
  return Number.NaN;
}

function bytesOf(fields: Fields, number: number): Uint8Array | null {
  const value = fields.get(number);
  if (value === undefined) return null;
  if (typeof value === 'number') throw new Error(`field ${number} is a number, not a text or a message`);
  return value;
}

function textOf(fields: Fields, number: number): string {
  const bytes = bytesOf(fields, number);
  return bytes === null ? '' : utf8.decode(bytes).trim();
}

function numberOf(fields: Fields, number: number): number {
  const value = fields.get(number);
  if (value === undefined) return 0;
  if (typeof value !== 'number') throw new Error(`field ${number} is no number`);
  return value;
}
