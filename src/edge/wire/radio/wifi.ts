import type { RejectReason } from '../../../model/link.ts';
import {
  macAt,
  type RadioReport,
  type RadioSink,
  type RadioSource,
  readEnvelope,
  type WithoutSource,
} from './broadcast.ts';
import { readDji } from './dji.ts';
import { readFrench } from './french.ts';
import type { ReceivedFrame } from './radiotap.ts';

const HEADER = 24;
/** Length of the fixed parameters of a beacon or probe response, bytes: timestamp, beacon interval and capabilities. */
const FIXED_PARAMETERS = 12;
const VENDOR_ELEMENT = 221;
/** Start of a NAN action frame: public action, vendor-specific, OUI of the Wi-Fi Alliance, NAN. */
const NAN_ACTION = Buffer.from('0409506f9a13', 'hex');
/** NAN service id of Remote ID: the first six bytes of SHA-256 of 'org.opendroneid.remoteid'. */
const NAN_SERVICE = Buffer.from('8869199d9209', 'hex');
const NAN_SERVICE_DESCRIPTOR = 3;

const subtypes = { probeResponse: 0x50, beacon: 0x80, action: 0xd0 } as const;

/** Reader of the content of an element or service. Returns null if the content has no information. */
type Read = (content: Buffer) => Sourceless | RejectReason | null;
type Sourceless = {
  [Kind in RadioReport['kind']]: WithoutSource<Extract<RadioReport, { kind: Kind }>>;
}[RadioReport['kind']];

/**
 * Vendor elements about aircraft. `marker`: manufacturer id (OUI) and type; `read`: reader of the content after the
 * marker.
 */
const vendors: readonly { marker: Buffer; read: Read }[] = [
  { marker: Buffer.from('fa0bbc0d', 'hex'), read: readEnvelope },
  { marker: Buffer.from('263712586213', 'hex'), read: readDji },
  { marker: Buffer.from('6a5c3501', 'hex'), read: readFrench },
];

/**
 * Reads the reports of one 802.11 management frame: vendor elements of beacons and probe responses, and Remote ID in
 * NAN action frames.
 */
export function readWifi(received: ReceivedFrame, sink: RadioSink): void {
  const frame = Buffer.from(received.frame.buffer, received.frame.byteOffset, received.frame.length);
  if (frame.length < HEADER) return;
  const isBeacon = frame[0] === subtypes.beacon || frame[0] === subtypes.probeResponse;
  if (!isBeacon && frame[0] !== subtypes.action) return;
  if (!(isBeacon ? vendors.some(({ marker }) => frame.includes(marker)) : frame.includes(NAN_SERVICE))) return;
  if (!received.isGood()) {
    sink.reject('crc');
    return;
  }
  const { rssiDbm, freqMhz } = received;
  const source = { mac: macAt(frame, 10), rssiDbm, freqMhz };
  if (isBeacon) readElements(frame, { ...source, transport: 'wifi_beacon' }, sink);
  else if (frame.subarray(HEADER, HEADER + NAN_ACTION.length).equals(NAN_ACTION))
    readAttributes(frame, { ...source, transport: 'wifi_nan' }, sink);
}

function take(read: Sourceless | RejectReason | null, source: RadioSource, sink: RadioSink): void {
  if (typeof read === 'string') sink.reject(read);
  else if (read !== null) sink.emit({ ...source, ...read });
}

function readElements(frame: Buffer, source: RadioSource, sink: RadioSink): void {
  let at = HEADER + FIXED_PARAMETERS;
  while (at + 2 <= frame.length) {
    const length = frame[at + 1] ?? 0;
    if (frame[at] === VENDOR_ELEMENT) {
      const content = frame.subarray(at + 2, at + 2 + length);
      const vendor = vendors.find(({ marker }) => content.subarray(0, marker.length).equals(marker));
      if (vendor !== undefined)
        take(content.length < length ? 'length' : vendor.read(content.subarray(vendor.marker.length)), source, sink);
    }
    at += 2 + length;
  }
}

function readAttributes(frame: Buffer, source: RadioSource, sink: RadioSink): void {
  let at = HEADER + NAN_ACTION.length;
  while (at + 3 <= frame.length) {
    const length = frame.readUInt16LE(at + 1);
    const content = frame.subarray(at + 3, at + 3 + length);
    if (frame[at] === NAN_SERVICE_DESCRIPTOR && content.subarray(0, NAN_SERVICE.length).equals(NAN_SERVICE)) {
      const info = content.length < length ? null : serviceInfo(content);
      if (info === null) take('length', source, sink);
      else if (info.length > 0) take(readEnvelope(info), source, sink);
    }
    at += 3 + length;
  }
}

/**
 * Returns the service info of a service descriptor (Wi-Fi Aware, section 9.5.4); empty if there is none, null
 * if it is truncated.
 */
function serviceInfo(attribute: Buffer): Buffer | null {
  const CONTROL = 8;
  const control = attribute[CONTROL];
  if (control === undefined) return null;
  let at = CONTROL + 1 + (control & 0x40 ? 2 : 0);
  for (const filter of [0x04, 0x08]) if (control & filter) at += 1 + (attribute[at] ?? 0);
  if ((control & 0x10) === 0) return attribute.subarray(0, 0);
  const length = attribute[at];
  if (length === undefined || at + 1 + length > attribute.length) return null;
  return attribute.subarray(at + 1, at + 1 + length);
}
