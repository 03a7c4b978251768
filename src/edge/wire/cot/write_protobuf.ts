import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { CotEvent } from './event.ts';
import { cotEvent, MESH_HEADER, takContact, takDetail, takMessage, takTrack } from './read_protobuf.ts';
import { writeXml, type XmlElement, xmlText } from './xml.ts';

/** Value of unknown heights and errors, as in ATAK's protocol.txt. */
const UNKNOWN_M = 999_999;

/** Protobuf message of a `detail` element: its field number, and the field numbers of its attributes, by their type. */
type Shape = { field: number; texts?: Readonly<Record<string, number>>; numbers?: Readonly<Record<string, number>> };

/** Elements of `detail` that have a protobuf message. Elements for which `shapeOf` finds none are sent as XML. */
const shapes: Readonly<Record<string, Shape>> = {
  contact: { field: takDetail.contact, texts: { ...takContact } },
  precisionlocation: { field: takDetail.precisionLocation, texts: { geopointsrc: 1, altsrc: 2 } },
  takv: { field: takDetail.takv, texts: { device: 1, platform: 2, os: 3, version: 4 } },
  track: { field: takDetail.track, numbers: { ...takTrack } },
};

/** Writes an event as one datagram of TAK protocol 1: BF 01 BF, then a TakMessage (ATAK, protocol.txt). */
export function writeProtobufEvent(event: CotEvent): Uint8Array {
  const message = new BinaryWriter().raw(Uint8Array.from(MESH_HEADER));
  submessage(message, takMessage.cotEvent, (writer) => writeEvent(writer, event));
  return message.finish();
}

function writeEvent(writer: BinaryWriter, { uid, type, how, timeMs, startMs, staleMs, point, detail }: CotEvent): void {
  text(writer, cotEvent.type, type);
  text(writer, cotEvent.uid, uid);
  time(writer, cotEvent.sendTime, timeMs);
  time(writer, cotEvent.startTime, startMs);
  time(writer, cotEvent.staleTime, staleMs);
  text(writer, cotEvent.how, how);
  number(writer, cotEvent.lat, point.lat);
  number(writer, cotEvent.lon, point.lon);
  number(writer, cotEvent.hae, point.haeM ?? UNKNOWN_M);
  number(writer, cotEvent.ce, point.ceM ?? UNKNOWN_M);
  number(writer, cotEvent.le, point.leM ?? UNKNOWN_M);
  submessage(writer, cotEvent.detail, (inner) => writeDetail(inner, detail));
}

/**
 * Writes `xmlDetail` first, since it has the lowest field number. `xmlDetail` has only the elements without a protobuf
 * message. A reader that knows none of the messages still gets the elements in `xmlDetail`.
 */
function writeDetail(writer: BinaryWriter, detail: readonly XmlElement[]): void {
  const isMessage = (element: XmlElement): boolean => shapeOf(element) !== undefined;
  const xml = detail.filter((element) => !isMessage(element)).map(writeXml);
  text(writer, takDetail.xmlDetail, xml.join(''));
  for (const element of detail) {
    const shape = shapeOf(element);
    if (shape) submessage(writer, shape.field, (inner) => writeAttributes(inner, shape, element));
  }
}

/**
 * Returns the protobuf message for an element. Undefined if there is none, or if the element has children or an
 * attribute that the message cannot express.
 */
function shapeOf({ name, attributes, children = [] }: XmlElement): Shape | undefined {
  const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
  const known = { ...shape?.texts, ...shape?.numbers };
  return children.length === 0 && Object.keys(attributes).every((key) => Object.hasOwn(known, key)) ? shape : undefined;
}

function writeAttributes(writer: BinaryWriter, { texts = {}, numbers = {} }: Shape, { attributes }: XmlElement): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) continue;
    const field = texts[name];
    if (field !== undefined) text(writer, field, String(value));
    else if (numbers[name] !== undefined) number(writer, numbers[name], Number(value));
  }
}

/** Writes a text. Empty texts and zeros are omitted, as in protobuf 3. */
function text(writer: BinaryWriter, field: number, value: string): void {
  const plain = xmlText(value);
  if (plain !== '') writer.tag(field, WireType.LengthDelimited).string(plain);
}

function number(writer: BinaryWriter, field: number, value: number): void {
  if (value !== 0) writer.tag(field, WireType.Bit64).double(value);
}

function time(writer: BinaryWriter, field: number, utcMs: number): void {
  writer.tag(field, WireType.Varint).uint64(Math.trunc(utcMs));
}

function submessage(writer: BinaryWriter, field: number, write: (writer: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}
