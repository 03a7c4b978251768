import fc from 'fast-check';
import t from 'tap';
import { MESSAGE_SIZE } from '../../../../src/edge/wire/odid/decode25.ts';
import type { RadioBroadcast } from '../../../../src/edge/wire/radio/broadcast.ts';
import { crc24 } from '../../../../src/edge/wire/radio/link_layer.ts';
import { linkTypes, RadioFrames } from '../../../../src/edge/wire/radio/radio_frames.ts';
import { noRejects } from '../../../../src/model/link.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import { encodeMessage25, encodePack } from '../../../support/links/odid25.ts';
import * as packets from '../../../support/links/packets.ts';

const MAC = '60:60:1f:10:01:2d';
const serial = { type: 'basic_id', idType: 1, uaType: 2, uasId: '1581F5FKD22940012345' } as const;
const selfId = { type: 'self_id', descType: 0, desc: 'survey' } as const;
const pack = encodePack([serial, selfId]);
const bare = encodeMessage25(serial);

function read(
  linkType: number,
  ...frames: Buffer[]
): { broadcasts: RadioBroadcast[]; rejects: Record<string, number> } {
  const broadcasts: RadioBroadcast[] = [];
  const rejects = noRejects();
  const reader = new RadioFrames({
    emit: (report) => report.kind === 'odid' && broadcasts.push(report),
    reject: (reason) => rejects[reason]++,
  });
  for (const [n, frame] of frames.entries()) reader.read(linkType, frame, 1_000 + n);
  return { broadcasts, rejects: Object.fromEntries(Object.entries(rejects).filter(([, count]) => count > 0)) };
}

const byRadio: [string, number, Buffer[], RadioBroadcast['transport'], Buffer][] = [
  ['a beacon', linkTypes.wifi, [packets.beacon(MAC, 7, pack)], 'wifi_beacon', pack],
  [
    'a beacon behind radiotap',
    linkTypes.radiotap,
    [packets.radiotap(packets.beacon(MAC, 7, pack))],
    'wifi_beacon',
    pack,
  ],
  ['a NAN frame', linkTypes.radiotap, [packets.radiotap(packets.nanFrame(MAC, 7, pack))], 'wifi_nan', pack],
  ['legacy advertising', linkTypes.hci, [packets.hciReport(MAC, packets.advertisingData(7, bare))], 'bt4', bare],
  ['extended advertising', linkTypes.hci, [packets.hciExtended(MAC, packets.advertisingData(7, pack))], 'bt5', pack],
  [
    'HCI with a direction',
    linkTypes.hciWithDirection,
    [Buffer.concat([Buffer.from([0, 0, 0, 1]), packets.hciReport(MAC, packets.advertisingData(7, bare))])],
    'bt4',
    bare,
  ],
  ['a sniffer', linkTypes.bluetoothLe, [packets.linkLayer(MAC, packets.advertisingData(7, bare))], 'bt4', bare],
  [
    'a sniffer of long range',
    linkTypes.bluetoothLe,
    [packets.linkLayer(MAC, packets.advertisingData(7, pack), { isExtended: true })],
    'bt5',
    pack,
  ],
  [
    'a sniffer with radio fields',
    linkTypes.bluetoothLeWithRadio,
    [packets.withRadio(packets.linkLayer(MAC, packets.advertisingData(7, bare)), null)],
    'bt4',
    bare,
  ],
  [
    'a sniffer of coded packets with radio fields',
    linkTypes.bluetoothLeWithRadio,
    [
      packets.withRadio(
        packets.coded(packets.linkLayer(MAC, packets.advertisingData(7, pack), { isExtended: true })),
        null,
        true,
      ),
    ],
    'bt5',
    pack,
  ],
  [
    'an nRF Sniffer',
    linkTypes.nordicSniffer,
    [packets.nordic(packets.linkLayer(MAC, packets.advertisingData(7, bare)))],
    'bt4',
    bare,
  ],
  [
    'an nRF Sniffer of coded packets',
    linkTypes.nordicSniffer,
    [packets.nordic(packets.linkLayer(MAC, packets.advertisingData(7, pack), { isExtended: true }), { isCoded: true })],
    'bt5',
    pack,
  ],
];

t.test('each radio gives the transmitter, its counter and its messages', async (t) => {
  for (const [name, linkType, frames, transport, content] of byRadio) {
    const { broadcasts, rejects } = read(linkType, ...frames);
    t.match(broadcasts, [{ transport, mac: MAC, counter: 7 }], name);
    t.same(Buffer.from(broadcasts[0]?.messages ?? []), content === pack ? pack.subarray(3) : content, name);
    t.same(rejects, {}, name);
  }
});

t.test('fragments of one transmitter are joined, also interleaved, and a set that never ends is bounded', async (t) => {
  const whole = packets.advertisingData(9, pack);
  const [a, b] = [whole.subarray(0, 30), whole.subarray(30)];
  const other = '60:60:1f:10:01:2e';
  const { broadcasts, rejects } = read(
    linkTypes.hci,
    packets.hciExtended(MAC, a, { status: 1 }),
    packets.hciExtended(other, a, { status: 1 }),
    packets.hciExtended(MAC, b),
    packets.hciExtended(other, b),
  );
  t.match(broadcasts, [
    { mac: MAC, counter: 9 },
    { mac: other, counter: 9 },
  ]);
  t.same(rejects, {});
  const endless = Array.from({ length: 20 }, () =>
    packets.hciExtended(MAC, Buffer.concat([whole, Buffer.alloc(100)]), { status: 1 }),
  );
  t.same(read(linkTypes.hci, ...endless), { broadcasts: [], rejects: { length: 1 } });
});

t.test('a frame whose check fails is refused, and a stranger is neither given nor counted', async (t) => {
  const data = packets.advertisingData(7, bare);
  for (const [linkType, frame] of [
    [linkTypes.radiotap, packets.radiotap(packets.beacon(MAC, 7, pack), { isBroken: true })],
    [linkTypes.bluetoothLe, packets.linkLayer(MAC, data, { isBroken: true })],
    [linkTypes.bluetoothLeWithRadio, packets.withRadio(packets.linkLayer(MAC, data), false)],
    [linkTypes.nordicSniffer, packets.nordic(packets.linkLayer(MAC, data), { isGood: false })],
  ] as const) {
    t.same(read(linkType, frame), { broadcasts: [], rejects: { crc: 1 } });
  }
  const stranger = packets.beacon(MAC, 7, pack);
  stranger.write('fa0bbd', stranger.indexOf(Buffer.from('fa0bbc', 'hex')), 'hex');
  for (const [linkType, frame] of [
    [linkTypes.wifi, stranger],
    [linkTypes.radiotap, packets.radiotap(stranger, { isBroken: true })],
    [linkTypes.hci, packets.hciReport(MAC, Buffer.from('020106', 'hex'))],
    [linkTypes.bluetoothLe, packets.linkLayer(MAC, Buffer.from('020106', 'hex'), { isBroken: true })],
    [1, stranger],
  ] as const) {
    t.same(read(linkType, frame), { broadcasts: [], rejects: {} });
  }
});

t.test('the check of Bluetooth has the value that the catalogue of checks gives', async (t) => {
  t.equal(crc24(Buffer.from('123456789')), 0xc25a56, 'CRC-24/BLE of reveng.sourceforge.io');
});

t.test(
  'no bytes whatever make it throw, and each frame gives at most as many broadcasts as it has bytes for',
  async (t) => {
    const seed = seedOf(t);
    const good = byRadio.map(([, linkType, [frame]]) => ({ linkType, frame: frame as Buffer }));
    const damaged = fc
      .record({
        of: fc.constantFrom(...good),
        cut: fc.nat(),
        changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
        linkType: fc.option(fc.constantFrom(...Object.values(linkTypes))),
      })
      .map(({ of, cut, changes, linkType }) => {
        const frame = Buffer.from(of.frame.subarray(0, cut % 3 === 0 ? cut % (of.frame.length + 1) : of.frame.length));
        for (const [at, byte] of changes) if (frame.length > 0) frame[at % frame.length] = byte;
        return { linkType: linkType ?? of.linkType, frame };
      });
    const random = fc.record({
      linkType: fc.constantFrom(...Object.values(linkTypes)),
      frame: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(damaged, random), { maxLength: 20 }), (frames) => {
        const broadcasts: RadioBroadcast[] = [];
        const reader = new RadioFrames({
          emit: (report) => report.kind === 'odid' && broadcasts.push(report),
          reject: () => {},
        });
        for (const { linkType, frame } of frames) reader.read(linkType, frame, 0);
        for (const { messages, mac } of broadcasts) {
          if (messages.length % MESSAGE_SIZE !== 0 || messages.length === 0 || messages.length > 9 * MESSAGE_SIZE)
            return false;
          if (!/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac)) return false;
        }
        return broadcasts.length <= frames.reduce((sum, { frame }) => sum + frame.length, 0) / MESSAGE_SIZE;
      }),
      { seed, numRuns: sized(3_000) },
    );
  },
);
