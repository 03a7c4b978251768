import { parseTime } from '../../../model/time.ts';
import { parseXml, type ReadElement } from './parse_xml.ts';
import { noDetail, type RawDetail, type RawEvent, type RawNumber, type RawPoint } from './raw_event.ts';

/** Decimal number in the form of XML schemas. Some senders write `NaN` for an unknown value. */
const decimal = /^[+-]?(\d{1,20}(\.\d{0,30})?|\.\d{1,30})([eE][+-]?\d{1,3})?$/;

/** Reads an event from an XML document; null if the document is not well-formed or no event. */
export function readXmlEvent(bytes: Uint8Array): RawEvent | null {
  const event = parseXml(bytes);
  if (event?.name !== 'event') return null;
  const point = childOf(event, 'point');
  const detail = childOf(event, 'detail');
  return {
    uid: attributeOf(event, 'uid'),
    type: attributeOf(event, 'type'),
    how: attributeOf(event, 'how'),
    opex: attributeOf(event, 'opex'),
    timeMs: timeOf(event, 'time'),
    startMs: timeOf(event, 'start'),
    staleMs: timeOf(event, 'stale'),
    point: point === undefined ? null : readPoint(point),
    detail: detail === undefined ? noDetail : readDetail(detail),
  };
}

/** Reads the `detail` element of an event, from an XML document or from text inside protobuf. */
export function readDetail(detail: ReadElement): RawDetail {
  const track = childOf(detail, 'track');
  return {
    callsign: childOf(detail, 'contact')?.attributes.get('callsign') ?? null,
    remarks: childOf(detail, 'remarks')?.text.trim() || null,
    course: track === undefined ? Number.NaN : numberOf(track, 'course'),
    speed: track === undefined ? Number.NaN : numberOf(track, 'speed'),
    flows: [...(childOf(detail, '_flow-tags_')?.attributes.keys() ?? [])],
  };
}

function readPoint(point: ReadElement): RawPoint {
  const of = (name: string): RawNumber => numberOf(point, name);
  return { lat: of('lat'), lon: of('lon'), hae: of('hae'), ce: of('ce'), le: of('le') };
}

function childOf({ children }: ReadElement, name: string): ReadElement | undefined {
  return children.find((child) => child.name === name);
}

function attributeOf({ attributes }: ReadElement, name: string): string {
  return attributes.get(name)?.trim() ?? '';
}

function timeOf(element: ReadElement, name: string): number {
  return parseTime(attributeOf(element, name)) ?? Number.NaN;
}

function numberOf(element: ReadElement, name: string): RawNumber {
  const text = attributeOf(element, name);
  if (text === '' || text === 'NaN') return Number.NaN;
  return decimal.test(text) ? Number(text) : null;
}
