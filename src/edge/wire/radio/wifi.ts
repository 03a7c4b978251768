import { macAt, type RadioBroadcast, type RadioSink, readEnvelope } from './broadcast.ts';
import type { ReceivedFrame } from './radiotap.ts';

const HEADER = 24;
/** Timestamp, beacon interval and capabilities of a beacon or probe response. */
const FIXED_PARAMETERS = 12;
const VENDOR_ELEMENT = 221;
/** OUI of ASTM and the type of Remote ID. */
const VENDOR = Buffer.from('fa0bbc0d', 'hex');
/** Public action, vendor specific, OUI of the Wi-Fi Alliance, NAN. */
const NAN_ACTION = Buffer.from('0409506f9a13', 'hex');
/** First six bytes of SHA-256 of 'org.opendroneid.remoteid'. */
const NAN_SERVICE = Buffer.from('8869199d9209', 'hex');
const NAN_SERVICE_DESCRIPTOR = 3;

const subtypes = { probeResponse: 0x50, beacon: 0x80, action: 0xd0 } as const;

/** Remote ID of one 802.11 management frame: vendor elements of beacons and probe responses, and NAN action frames. */
export function readWifi(received: ReceivedFrame, sink: RadioSink): void {
  const frame = Buffer.from(received.frame.buffer, received.frame.byteOffset, received.frame.length);
  if (frame.length < HEADER) return;
  const isBeacon = frame[0] === subtypes.beacon || frame[0] === subtypes.probeResponse;
  if (!isBeacon && frame[0] !== subtypes.action) return;
  if (!frame.includes(isBeacon ? VENDOR : NAN_SERVICE)) return;
  if (received.isGood === false) {
    sink.reject('crc');
    return;
  }
  const take = (transport: RadioBroadcast['transport'], content: Uint8Array): void => {
    const read = readEnvelope(content);
    if (typeof read === 'string') {
      sink.reject(read);
      return;
    }
    const { rssiDbm, freqMhz } = received;
    sink.emit({ transport, mac: macAt(frame, 10), ...read, rssiDbm, freqMhz });
  };
  if (isBeacon) readElements(frame, sink, (content) => take('wifi_beacon', content));
  else if (frame.subarray(HEADER, HEADER + NAN_ACTION.length).equals(NAN_ACTION))
    readAttributes(frame, sink, (content) => take('wifi_nan', content));
}

function readElements(frame: Buffer, sink: RadioSink, take: (content: Uint8Array) => void): void {
  let at = HEADER + FIXED_PARAMETERS;
  while (at + 2 <= frame.length) {
    const [id, length = 0] = frame.subarray(at, at + 2);
    const content = frame.subarray(at + 2, at + 2 + length);
    const isOurs = id === VENDOR_ELEMENT && content.subarray(0, VENDOR.length).equals(VENDOR);
    if (isOurs && content.length < length) {
      sink.reject('length');
      return;
    }
    if (isOurs) take(content.subarray(VENDOR.length));
    at += 2 + length;
  }
}

function readAttributes(frame: Buffer, sink: RadioSink, take: (content: Uint8Array) => void): void {
  let at = HEADER + NAN_ACTION.length;
  while (at + 3 <= frame.length) {
    const length = frame.readUInt16LE(at + 1);
    const content = frame.subarray(at + 3, at + 3 + length);
    if (frame[at] === NAN_SERVICE_DESCRIPTOR && content.subarray(0, NAN_SERVICE.length).equals(NAN_SERVICE)) {
      const info = content.length < length ? null : serviceInfo(content);
      if (info === null) {
        sink.reject('length');
        return;
      }
      if (info.length > 0) take(info);
    }
    at += 3 + length;
  }
}

/** Service info of a service descriptor (Wi-Fi Aware, section 9.5.4); empty where it has none, null where it is cut. */
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
