import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { openCapture } from '../../../src/cli/replay/capture.ts';
import type { OdidLocation } from '../../../src/edge/wire/odid/message.ts';
import { linkTypes } from '../../../src/edge/wire/radio/radio_frames.ts';
import { takeTime, until } from '../../support/basics/patience.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { startDaemon } from '../../support/daemon/daemon.ts';
import { dunlin, sample, samplesMissing } from '../../support/daemon/dunlin.ts';
import { countedOf, linkOf, tracksOf } from '../../support/daemon/watch.ts';
import { encodePack } from '../../support/links/odid25.ts';
import * as packets from '../../support/links/packets.ts';
import { socatMissing, startPtyPair } from '../../support/links/pty.ts';

takeTime(t, 120);

const folder = mkdtempSync(join(tmpdir(), 'packets-'));
t.teardown(() => rmSync(folder, { recursive: true }));

const MAC = '60:60:1f:10:01:2d';
const SERIAL = '1581F5FKD2294PACKETS';
const BEGIN_MS = 1_770_000_000_000;

function packOf(n: number): Buffer {
  const location: OdidLocation = {
    type: 'location',
    ...{ status: 2, latDeg: 47.2 + n * 1e-5, lonDeg: 8.73, directionDeg: 0, speedHMps: 2, speedVMps: 0 },
    ...{
      altBaroM: null,
      altGeoM: 560,
      heightM: 60,
      heightRef: 0,
      hAcc: 10,
      vAcc: 4,
      baroAcc: 0,
      speedAcc: 3,
      tsAcc: 1,
    },
    ...{ secondsAfterHour: 100 + n * 0.5, implausible: false },
  };
  return encodePack([{ type: 'basic_id', idType: 1, uaType: 2, uasId: SERIAL }, location]);
}

const at = (n: number): number => BEGIN_MS + n * 500;
const flight = Array.from({ length: 6 }, (_, n) => ({
  atMs: at(n),
  bytes: packets.radiotap(packets.beacon(MAC, n, packOf(n))),
}));

type Frame = { atMs: number | null; hex: string };

async function framesOf(bytes: Buffer): Promise<{ frames: Frame[]; problems: string[]; fault: string | null }> {
  const path = join(folder, 'capture');
  writeFileSync(path, bytes);
  const [frames, problems]: [Frame[], string[]] = [[], []];
  try {
    for await (const frame of openCapture(path, { onProblem: (sentence) => problems.push(sentence) })) {
      frames.push({ atMs: frame.atMs, hex: Buffer.from(frame.bytes).toString('hex') });
    }
    return { frames, problems, fault: null };
  } catch (thrown) {
    return { frames, problems, fault: (thrown as Error).message };
  }
}

t.test('every form of a packet file gives the same frames at the same times', async (t) => {
  const { frames: wanted } = await framesOf(packets.pcapFile(linkTypes.radiotap, flight));
  t.same(
    wanted.map(({ atMs }) => atMs),
    flight.map(({ atMs }) => atMs),
  );
  for (const isLittle of [true, false]) {
    for (const isNano of [true, false]) {
      t.same((await framesOf(packets.pcapFile(linkTypes.radiotap, flight, { isLittle, isNano }))).frames, wanted);
    }
    for (const digits of [3, 6, 9]) {
      t.same((await framesOf(packets.pcapngFile([linkTypes.radiotap], flight, { isLittle, digits }))).frames, wanted);
    }
  }
  const onSecond = flight.map((packet) => ({ ...packet, interface: 1 }));
  t.same(
    (await framesOf(packets.pcapngFile([1, linkTypes.radiotap], onSecond))).frames,
    wanted,
    'the interface tells the link type',
  );
  const two = Buffer.concat([
    packets.pcapngFile([linkTypes.radiotap], flight.slice(0, 3), { isLittle: true }),
    packets.block(0x0bad, Buffer.alloc(700_000)),
    packets.pcapngFile([linkTypes.radiotap], flight.slice(3), { isLittle: false }),
  ]);
  t.same(
    (await framesOf(two)).frames,
    wanted,
    'sections have their own order, and long blocks of other kinds are skipped',
  );
});

t.test('a capture without Remote ID is refused with what it holds', async (t) => {
  const strange = await framesOf(packets.pcapFile(1, flight));
  t.match(strange, { frames: [], fault: /the 6 packets of the capture contain no Remote ID in Wi-Fi beacons/ });
  t.match(strange.problems, [/6 packets of link type 1 were left out: this link type carries no Remote ID/]);
  t.match(await framesOf(packets.pcapFile(linkTypes.radiotap, [])), { fault: /contains no packet/ });
  t.match(await framesOf(packets.pcapngFile([], [])), { fault: /contains no packet/ });
  const broken = [
    ...flight,
    { atMs: at(7), bytes: packets.radiotap(packets.beacon(MAC, 7, packOf(7)), { isBroken: true }) },
  ];
  t.match((await framesOf(packets.pcapFile(linkTypes.radiotap, broken))).problems, [
    /damaged Remote ID messages were left out: crc 1/,
  ]);
});

t.test('a damaged file gives the packets before the damage, and says where it is', async (t) => {
  const pcap = packets.pcapFile(linkTypes.radiotap, flight);
  const cut = await framesOf(pcap.subarray(0, -5));
  t.match(cut, { problems: [/the record at byte \d+ is incomplete/] });
  t.equal(cut.frames.length, 5);
  const long = Buffer.from(pcap);
  long.writeUInt32LE(0xffffffff, 24 + 8);
  const after = await framesOf(long);
  t.match(after, { problems: [/at byte 24 has the impossible length 4294967295/] });
  t.equal(after.frames.length, 5, 'it goes on behind the damage');
  const ng = packets.pcapngFile([linkTypes.radiotap], flight);
  t.match((await framesOf(ng.subarray(0, -6))).problems, [/the record at byte \d+ is incomplete/]);
  const odd = Buffer.from(ng);
  odd.writeUInt32LE(13, 4);
  t.match((await framesOf(odd)).problems, [/the record at byte 0 has the impossible length 13/]);
  const other = await framesOf(packets.pcapngFile([linkTypes.radiotap], [{ ...flight[0], interface: 9 } as never]));
  t.match(other.problems, [/the record at byte \d+ is of an unknown interface/]);
});

t.test('hostile packet files end, with at most a sentence for each thing wrong', async (t) => {
  const seed = seedOf(t);
  const good = [packets.pcapFile(linkTypes.radiotap, flight), packets.pcapngFile([linkTypes.radiotap, 251], flight)];
  const change = fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)));
  const hostile = fc
    .record({
      of: fc.constantFrom(...good),
      changes: fc.array(change, { maxLength: 12 }),
      keep: fc.nat(),
      tail: fc.uint8Array(),
    })
    .map(({ of, changes, keep, tail }) => {
      const bytes = Buffer.concat([of.subarray(0, keep % 2 ? of.length : keep % of.length), tail]);
      // The first four bytes stay: they make it a packet file.
      for (const [where, byte] of changes) if (bytes.length > 4) bytes[4 + (where % (bytes.length - 4))] = byte;
      return bytes;
    });
  await fc.assert(
    fc.asyncProperty(hostile, async (bytes) => {
      const { frames, problems, fault } = await framesOf(bytes);
      return frames.length <= 6 + bytes.length / 40 && problems.length <= 20 && (fault === null || fault.length < 300);
    }),
    { seed, numRuns: sized(400) },
  );
});

t.test('real captures give what was derived from them', { skip: samplesMissing }, async (t) => {
  for (const [capture, derived] of [
    ['parrot_anafi4_real.pcapng', 'anafi4_real.derived_mavlink.jsonl'],
    ['odid_wifi_sample.pcap', 'odid_wifi.derived_mavlink.jsonl'],
  ] as const) {
    const wanted = readFileSync(sample(`remote_id/${derived}`), 'utf8')
      .trim()
      .split('\n');
    const { frames } = await framesOf(readFileSync(sample(`remote_id/${capture}`)));
    t.same(
      frames.map(({ hex }) => hex),
      wanted.map((line) => JSON.parse(line).hex),
      capture,
    );
    const late = frames.filter(({ atMs }, n) => Math.abs((atMs ?? 0) / 1e3 - JSON.parse(wanted[n] ?? '{}').t) > 1e-4);
    t.same(late, [], `${capture}: times`);
  }
});

t.test('a packet capture that is played makes a track with serial and address', async (t) => {
  const daemon = await startDaemon(t, {
    args: ['--link', 'name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink'],
  });
  const to = `udp://127.0.0.1:${await daemon.port('rid')}`;
  const [pcap, pcapng] = [join(folder, 'flight.pcap'), join(folder, 'flight.pcapng')];
  writeFileSync(pcap, packets.pcapFile(linkTypes.radiotap, flight));
  writeFileSync(pcapng, packets.pcapngFile([linkTypes.radiotap], flight));
  for (const path of [pcap, pcapng]) {
    t.match(await dunlin(t, 'replay', path, '--to', to), { code: 0, out: /^sent 6 frames/, err: '' });
  }
  const [track] = await until(async () => {
    const found = await tracksOf(daemon, SERIAL);
    return found[0]?.state === 'confirmed' ? found : null;
  }, 'the aircraft is a track');
  const named = track?.identities.map(({ value }) => value.toLowerCase());
  t.same(named?.sort(), [SERIAL.toLowerCase(), MAC].sort());
});

t.test('a packet capture that is played to a socket reaches a link with the receiver’s levels', async (t) => {
  const path = join(folder, 'flight.pcap');
  writeFileSync(path, packets.pcapFile(linkTypes.radiotap, flight));
  const socket = join(folder, 'radio.sock');
  const link = `name=radio,transport=unix,address=${socket},protocol=capture`;
  const daemon = await startDaemon(t, { args: ['--link', link] });
  const played = await dunlin(t, 'replay', path, '--to', `unix:${socket}`);
  t.match(played, { code: 0, out: /^sent 6 frames/, err: /waiting for a link with transport=unix/ });
  const [track] = await until(async () => {
    const found = await tracksOf(daemon, SERIAL);
    return found[0]?.state === 'confirmed' ? found : null;
  }, 'the aircraft is a track');
  t.match(track?.contributors, [{ rssi_dbm: -61 }]);
  t.ok(track?.identities.every(({ transport }) => transport === 'wifi_beacon'));
});

t.test('a Bluetooth capture is played to a serial link as its controller', { skip: socatMissing() }, async (t) => {
  const cable = await startPtyPair(t, folder);
  const path = join(folder, 'bluetooth.pcap');
  const events = Array.from({ length: 6 }, (_, n) => ({
    atMs: at(n),
    bytes: packets.hciExtended(MAC, packets.advertisingData(n, packOf(n))),
  }));
  writeFileSync(path, packets.pcapFile(linkTypes.hci, events));
  const link = `name=ble,transport=serial,address=${cable.near},protocol=hci_h4`;
  const daemon = await startDaemon(t, { args: ['--link', link] });
  await until(async () => (await linkOf(daemon, 'ble')).state === 'open', 'the link is open');
  const played = await dunlin(t, 'replay', path, '--as', 'hci_h4', '--to', `serial:${cable.far}`);
  t.match(played, { code: 0, out: /^sent 6 frames/ });
  await until(async () => (await tracksOf(daemon, SERIAL)).length === 1, 'the aircraft is a track');
  t.match(await countedOf(daemon, 'ble', 6), { rx_msgs: 6, rejects: { malformed: 0, length: 0 } });
});
