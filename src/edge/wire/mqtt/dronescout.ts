import type { RejectReason } from '../../../model/link.ts';
import type { Identity } from '../../../model/observation.ts';
import { channelHz } from '../channels.ts';
import { decodeSbsLine } from '../sbs/codec.ts';
import { printableOf } from '../text_fields.ts';
import { type Members, macOf, membersOf, numberOf, placeOf } from './fields.ts';
import type { BrokerContent } from './message.ts';
import { readUasData } from './odid_struct.ts';

/** Version of the format that is supported (RemoteID-MQTT-subscriber, mqtt_sub.py). */
const PROTOCOL = 1;
const LONGEST_RECEIVER = 60;
/** Greatest time of a JavaScript Date, ms. */
const MOST_MS = 8.64e15;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

const transports: Readonly<Record<string, Identity['transport']>> = {
  'WiFi beacon': 'wifi_beacon',
  'WiFi NaN': 'wifi_nan',
  'BLE legacy': 'bt4',
  'BLE long range': 'bt5',
};

/**
 * Reads one object of a DroneScout receiver: data of an aircraft, status or location of the receiver, or a line of
 * ADS-B.
 */
export function readDroneScout(object: Members, isRetained: boolean): BrokerContent | RejectReason {
  if (object.protocol !== PROTOCOL) return 'unknown_type';
  for (const key of ['data', 'status', 'location', 'aircraft'] as const) {
    if (!(key in object)) continue;
    const content = membersOf(object[key]);
    return content === null ? 'malformed' : readers[key](content, reportedOf(content, isRetained));
  }
  return 'unknown_type';
}

type Reported = ReturnType<typeof reportedOf>;

function reportedOf(content: Members, isRetained: boolean) {
  return {
    receiver: printableOf(content['sensor ID'], LONGEST_RECEIVER),
    sourceMs: numberOf(content.timestamp, 1, MOST_MS),
    isRetained,
  };
}

const readers = {
  data(content: Members, reported: Reported): BrokerContent | RejectReason {
    const uasData = content.UASdata;
    if (typeof uasData !== 'string' || !base64.test(uasData)) return 'malformed';
    const messages = readUasData(Buffer.from(uasData, 'base64'));
    if (messages === 'length') return 'length';
    const type = content.type;
    const transport =
      (typeof type === 'string' && Object.hasOwn(transports, type) ? transports[type] : undefined) ?? 'other';
    const band = transport === 'bt4' || transport === 'bt5' ? 'BLE' : undefined;
    return {
      kind: 'remote_id',
      ...reported,
      ...{ mac: macOf(content['MAC address']), name: null, transport, messages, sigmaHM: null, takeoff: null },
      rssiDbm: numberOf(content.RSSI, -200, -1),
      centerHz: channelHz(band, content.channel),
    };
  },
  status: (_content: Members, reported: Reported): BrokerContent => ({ kind: 'heartbeat', ...reported, place: null }),
  location(content: Members, reported: Reported): BrokerContent | RejectReason {
    const { latDeg: lat, lonDeg: lon, isPossible } = placeOf(content.latitude, content.longitude);
    if (!isPossible) return 'implausible';
    const altMslM = numberOf(content['altitude MSL'], -1_000, 10_000);
    const place = lat === null || lon === null ? null : { lat, lon, altMslM, altHaeM: null };
    return { kind: 'heartbeat', ...reported, place };
  },
  aircraft(content: Members, reported: Reported): BrokerContent | RejectReason {
    const line = content.SBS;
    if (typeof line !== 'string') return 'malformed';
    const sbs = decodeSbsLine(Buffer.from(line.trim(), 'latin1'));
    if (sbs === 'heard') return { kind: 'heartbeat', ...reported, place: null };
    return typeof sbs === 'string' ? sbs : { kind: 'aircraft', ...reported, sbs };
  },
};
