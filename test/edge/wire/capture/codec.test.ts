import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { createCaptureCodec } from '../../../../src/edge/wire/capture/codec.ts';
import { capturedPacket, captureHeader } from '../../../../src/edge/wire/capture/write.ts';
import type { RadioMessage } from '../../../../src/edge/wire/radio/message.ts';
import { linkTypes } from '../../../../src/edge/wire/radio/radio_frames.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import { sample, samplesMissing } from '../../../support/daemon/dunlin.ts';
import { framesAt } from '../../../support/links/broadcast_aircraft.ts';
import * as packets from '../../../support/links/packets.ts';

const aircraft = {
  serial: '1581F5FKD2294CAPTURE',
  ...{ wifiMac: '60:60:1f:10:01:2d', bluetoothMac: '60:60:1f:10:01:2e', lat: 47.2, lon: 8.73 },
};
const beacons = Array.from({ length: 6 }, (_, s) => ({
  atMs: 1_700_000_000_000 + s,
  bytes: framesAt(aircraft, s).beacon,
}));

type Read = { messages: RadioMessage[]; rejects: Record<string, number> };

function read(pieces: readonly Buffer[]): Read {
  const codec = createCaptureCodec();
  const messages: RadioMessage[] = [];
  for (const piece of pieces) codec.decode(piece, '', 0, (message) => messages.push(message));
  codec.forget('');
  return { messages, rejects: Object.fromEntries(Object.entries(codec.rejects).filter(([, count]) => count > 0)) };
}

function cut(bytes: Buffer, ends: readonly number[]): Buffer[] {
  const sorted = [...new Set(ends.map((end) => end % bytes.length))].sort((a, b) => a - b);
  return [0, ...sorted].map((begin, n) => bytes.subarray(begin, [...sorted, bytes.length][n]));
}

const captures: readonly Buffer[] = [
  ...[true, false].flatMap((isLittle) => [
    packets.pcapFile(linkTypes.radiotap, beacons, { isLittle }),
    packets.pcapFile(linkTypes.radiotap, beacons, { isLittle, isNano: true }),
    packets.pcapngFile([linkTypes.radiotap], beacons, { isLittle }),
  ]),
  Buffer.concat([
    packets.pcapngFile([linkTypes.radiotap], beacons.slice(0, 2)),
    packets.statistics({ heard: 3 }),
    packets.block(0x0bad, Buffer.alloc(700_000)),
    packets.pcapngFile([linkTypes.radiotap], beacons.slice(2), { isLittle: false }),
  ]),
];

t.test('a capture says the same wherever its stream is cut', async (t) => {
  const wanted = read([captures[0] as Buffer]);
  t.equal(wanted.messages.length, 6);
  t.same(wanted.rejects, {});
  for (const capture of captures) t.same(read([capture]), wanted);
  const small = captures.slice(0, -1);
  for (const capture of small) t.same(read(Array.from(capture, (byte) => Buffer.from([byte]))), wanted);
  fc.assert(
    fc.property(fc.constantFrom(...captures), fc.array(fc.nat(), { maxLength: 12 }), (capture, ends) => {
      t.same(read(cut(capture, ends)), wanted);
    }),
    { seed: seedOf(t), numRuns: sized(200) },
  );
});

t.test('after damage the stream goes on at the next record, and a run of damage is one reject', async (t) => {
  const header = 24;
  const length = 16 + (beacons[0]?.bytes.length ?? 0);
  const pcap = packets.pcapFile(linkTypes.radiotap, beacons);
  const wrong = Buffer.from(pcap);
  wrong.writeUInt32LE(0x7fff_ffff, header + 2 * length + 8);
  t.match(read([wrong]), { messages: { length: 5 }, rejects: { malformed: 1 } });
  const noise = Buffer.concat([
    pcap.subarray(0, header + length),
    Buffer.alloc(77, 0xa5),
    pcap.subarray(header + length),
  ]);
  t.match(read([noise]), { messages: { length: 6 }, rejects: { malformed: 1 } });
  const pcapng = packets.pcapngFile([linkTypes.radiotap], beacons);
  const second = packets.pcapngFile([linkTypes.radiotap], []).length + 4;
  const odd = Buffer.from(pcapng);
  odd.writeUInt32LE(odd.readUInt32LE(second) + 4, second);
  t.match(read([odd]), { messages: { length: 5 }, rejects: { malformed: 1 } });
  t.match(read([Buffer.from('no capture at all'), pcapng]), { messages: { length: 6 }, rejects: { malformed: 1 } });
  t.match(read([pcapng.subarray(0, -5)]), { messages: { length: 5 }, rejects: { length: 1 } });
  t.match(read([packets.pcapFile(1, beacons)]), { messages: [], rejects: { unknown_type: 6 } });
});

type Odd = { ticks: bigint; resolution: number; offsetS: bigint; received: bigint; dropped: bigint };

/** A capture of one beacon and its statistics, with any time, resolution of times, offset and counts. */
function oddCapture({ ticks, resolution, offsetS, ...counts }: Odd): Buffer {
  const [beacon] = beacons as [(typeof beacons)[0]];
  const empty = packets.pcapngFile([], []);
  const description = Buffer.alloc(8 + 8 + 12 + 4);
  description.writeUInt16LE(linkTypes.radiotap, 0);
  description.set([9, 0, 1, 0, resolution, 0, 0, 0, 14, 0, 8, 0], 8);
  description.writeBigUInt64LE(offsetS, 20);
  const packet = Buffer.alloc(20);
  packet.writeUInt32LE(Number(ticks >> 32n), 4);
  packet.writeUInt32LE(Number(ticks & 0xffff_ffffn), 8);
  packet.writeUInt32LE(beacon.bytes.length, 12);
  const blocks = [packets.block(1, description), packets.block(6, Buffer.concat([packet, beacon.bytes]))];
  return Buffer.concat([empty, ...blocks, packets.statistics({ heard: 1 }, counts)]);
}

const anyU64 = fc.oneof(
  fc.constantFrom(0n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 64n - 1_024n, 2n ** 64n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
);
const anyCapture = fc
  .record({
    ...{ ticks: anyU64, resolution: fc.oneof(fc.constantFrom(0, 6, 9), fc.nat({ max: 255 })) },
    ...{ offsetS: anyU64, received: anyU64, dropped: anyU64 },
  })
  .map(oddCapture);

t.test('a recording keeps each packet, whatever times and counts its capture states', async (t) => {
  fc.assert(
    fc.property(anyCapture, (capture) => {
      const codec = createCaptureCodec();
      codec.restated?.begin();
      codec.decode(capture, '', 0, () => {});
      const copy = Buffer.from(codec.restated?.end() ?? []);
      t.match(read([capture]), { messages: { length: 1 }, rejects: {} });
      t.same(read([copy]), read([capture]));
    }),
    { seed: seedOf(t), numRuns: sized(300) },
  );
});

t.test('a count that the receiver states as unknown is no loss', async (t) => {
  const codec = createCaptureCodec();
  const send = (dropped: bigint) => codec.decode(packets.statistics({ heard: 1 }, { dropped }), '', 0, () => {});
  codec.decode(captureHeader(linkTypes.radiotap), '', 0, () => {});
  for (const dropped of [3n, 2n ** 64n - 1n, 5n]) send(dropped);
  t.equal(codec.radio?.drops, 5);
});

t.test(
  'losses add up over the beginnings of the receiver, and a deaf, a disturbed and a good radio differ',
  async (t) => {
    const codec = createCaptureCodec();
    const radio = codec.radio as NonNullable<typeof codec.radio>;
    let nowMs = 0;
    const send = (...blocks: Buffer[]) => codec.decode(Buffer.concat(blocks), '', nowMs, () => {});
    send(captureHeader(linkTypes.radiotap));
    for (const dropped of [3, 5, 5, 2]) send(packets.statistics({ heard: 9 }, { dropped }));
    t.equal(radio.drops, 7, 'a count that is less has begun anew');
    t.equal(radio.warning(nowMs), null);
    for (; nowMs < 61_000; nowMs += 1_000) send(packets.statistics({ heard: 0 }));
    t.match(radio.warning(nowMs), /received no frames for 60 s/);
    send(packets.statistics({ heard: 1 }));
    t.equal(radio.warning(nowMs), null, 'one frame of anybody is enough');
    const broken = packets.radiotap(packets.beacon(aircraft.wifiMac, 1, Buffer.alloc(28)), { isBroken: true });
    for (let n = 0; n < 30; n++) {
      const frame = n % 3 === 0 ? broken : (beacons[0]?.bytes ?? broken);
      send(capturedPacket(nowMs, frame));
    }
    t.match(radio.warning(nowMs), /33 % of the frames have a wrong check sum/);
    t.equal(radio.warning(nowMs + 200_000), null, 'an old share says nothing');
  },
);

t.test('a radio with nine tenths of wrong check sums is disturbed by its own count', async (t) => {
  const codec = createCaptureCodec();
  codec.decode(
    Buffer.concat([captureHeader(linkTypes.radiotap), packets.statistics({ heard: 100, bad_fcs: 25 })]),
    '',
    0,
    () => {},
  );
  t.match(codec.radio?.warning(0), /25 % of the frames/);
});

t.test('a Bluetooth radio without long range says so until it has it, or its program is gone', async (t) => {
  const codec = createCaptureCodec();
  const send = (coded?: boolean) =>
    codec.decode(packets.statistics(coded === undefined ? { heard: 1 } : { heard: 1, coded }), '', 0, () => {});
  codec.decode(captureHeader(linkTypes.hciWithDirection), '', 0, () => {});
  send();
  t.equal(codec.radio?.warning(0), null, 'not set up yet');
  send(false);
  t.match(codec.radio?.warning(0), /^no long range/);
  send(true);
  t.equal(codec.radio?.warning(0), null);
  send(false);
  codec.forget('');
  t.equal(codec.radio?.warning(0), null);
});

/** The place and names that a message claims, without what the receiver measured. */
function claimOf(message: RadioMessage): string {
  return JSON.stringify({ ...message, rssiDbm: null, freqMhz: null });
}

t.test(
  'bit errors in real captures make no second aircraft and no other place',
  { skip: samplesMissing },
  async (t) => {
    for (const [name, least] of [
      ['remote_id/parrot_anafi4_real.pcapng', 1_140],
      ['remote_id/odid_wifi_sample.pcap', 42],
    ] as const) {
      const capture = readFileSync(sample(name));
      const good = read([capture]);
      t.equal(good.messages.length, least, `${name}: all packs`);
      const claims = new Set(good.messages.map(claimOf));
      const damaged = Buffer.from(capture);
      // One bit in every fourth frame, inside its Remote ID element.
      const marker = Buffer.from('fa0bbc0d', 'hex');
      let flips = 0;
      for (let at = damaged.indexOf(marker), n = 0; at !== -1; at = damaged.indexOf(marker, at + 8), n++) {
        if (n % 4 !== 0) continue;
        const byte = at + 4 + ((n * 7) % 20);
        damaged[byte] = (damaged[byte] ?? 0) ^ (1 << (n % 8));
        flips++;
      }
      const { messages, rejects } = read([damaged]);
      if (name.includes('parrot')) {
        t.equal(new Set(good.messages.map(({ mac }) => mac)).size, 1);
        t.equal(rejects.crc, flips, `${name}: each damaged frame is refused`);
        t.equal(messages.length, least - flips);
        t.ok(
          messages.every((message) => claims.has(claimOf(message))),
          'what is left is what was sent',
        );
      } else t.ok(messages.length <= least, `${name}: it has no check sums, so its messages are judged by the feed`);
    }
  },
);
