import { createCaptureCodec } from '../../../src/edge/wire/capture/codec.ts';
import type { Codec } from '../../../src/edge/wire/codec.ts';
import { createHciH4Codec } from '../../../src/edge/wire/radio/h4_codec.ts';
import type { RadioMessage } from '../../../src/edge/wire/radio/message.ts';
import { linkTypes } from '../../../src/edge/wire/radio/radio_frames.ts';
import { createSniffleCodec } from '../../../src/edge/wire/radio/sniffle_codec.ts';
import { framesAt, messagesAt } from '../../../test/support/links/broadcast_aircraft.ts';
import { encodePack } from '../../../test/support/links/odid25.ts';
import * as packets from '../../../test/support/links/packets.ts';
import { snifflePacket } from '../../../test/support/links/sniffle_dongle.ts';

/** Frames of one link, and how a stream of them is made. */
export type Subject = {
  name: string;
  create(): Codec<RadioMessage>;
  frames: readonly Buffer[];
  stream(frames: readonly Buffer[]): Buffer;
  /** First byte of a frame that its check sum covers; null where it has none. */
  checkedFrom: number | null;
};

const aircraft = {
  serial: '1581F5FKD2294FUZZ001',
  ...{ wifiMac: '60:60:1f:10:01:2d', bluetoothMac: '60:60:1f:10:01:2e', lat: 47.2, lon: 8.73 },
};
const { beacon, nan, bt4, bt5 } = framesAt(aircraft, 3);
const pack = encodePack(messagesAt(aircraft, 3));
const data = packets.advertisingData(3, pack);
const legacy = packets.linkLayer(aircraft.bluetoothMac, packets.advertisingData(3, pack.subarray(3, 28)));
const extended = packets.linkLayer(aircraft.bluetoothMac, data, { isExtended: true });

/** Vendor elements of DJI (version 2) and of the French beacon, as payloads of beacons. */
const dji = packets.vendorBeacon(
  aircraft.wifiMac,
  Buffer.from(
    '26371258621310024d007f0f313633444641303330303132333435366cbd1600292e7e0037002a007800abff0a0028230068e5cf8b010000d72e7e001bbe16006cbd16007a2d7e003f073132333435363700000000000000000000000000',
    'hex',
  ),
);
const french = packets.vendorBeacon(
  aircraft.wifiMac,
  Buffer.from(
    '6a5c3501010101021e414d5342423130303030303030303030303030303030303030303130303304040046a7b70504fff513d80602012e0a010c0b02010f',
    'hex',
  ),
);

const at = (bytes: Buffer) => ({ atMs: 1_700_000_000_000, bytes });
const RADIOTAP_HEADER = 15;
const ACCESS_ADDRESS = 4;

function inCapture(linkType: number, isLittle: boolean): Pick<Subject, 'create' | 'stream'> {
  return {
    create: createCaptureCodec,
    stream: (frames) => packets.pcapngFile([linkType], frames.map(at), { isLittle }),
  };
}

export const subjects: readonly Subject[] = [
  {
    ...inCapture(linkTypes.radiotap, true),
    ...{ name: 'radiotap in pcapng', checkedFrom: RADIOTAP_HEADER },
    frames: [beacon, nan, packets.radiotap(dji), packets.radiotap(french)],
  },
  {
    name: 'radiotap in pcap',
    create: createCaptureCodec,
    stream: (frames) => packets.pcapFile(linkTypes.radiotap, frames.map(at), { isLittle: false, isNano: true }),
    checkedFrom: RADIOTAP_HEADER,
    frames: [beacon, nan, packets.radiotap(dji), packets.radiotap(french)],
  },
  {
    ...inCapture(linkTypes.bluetoothLe, false),
    ...{ name: 'link layer in pcapng', checkedFrom: ACCESS_ADDRESS },
    frames: [legacy, extended],
  },
  {
    ...inCapture(linkTypes.hci, true),
    ...{ name: 'HCI in pcapng', checkedFrom: null },
    frames: [...bt4, ...bt5],
  },
  {
    ...{ name: 'HCI over H4', checkedFrom: null, create: createHciH4Codec, frames: [...bt4, ...bt5] },
    stream: (frames) => Buffer.concat(frames),
  },
  {
    ...{ name: 'Sniffle', checkedFrom: null, create: () => createSniffleCodec({ phy: 'both' }) },
    frames: [legacy, extended].map((frame) => Buffer.from(snifflePacket(frame.subarray(4, -3), { channel: 12 }))),
    stream: (frames) => Buffer.concat(frames),
  },
];
