import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { type CaptureFrame, type CaptureOptions, openCapture } from '../../../src/cli/replay/capture.ts';
import { sized } from '../../support/basics/size.ts';
import { fixturePath, needs, nmea, samplePath } from '../../support/links/line_feeding.ts';
import { tlogRecord, v1Frame, v2Frame } from './mavlink_bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'capture-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function file(content: string | Uint8Array): string {
  const path = join(folder, 'capture');
  writeFileSync(path, content);
  return path;
}

type Read = { frames: CaptureFrame[]; problems: string[] };

async function read(path: string, options: CaptureOptions = {}): Promise<Read> {
  const frames: CaptureFrame[] = [];
  const problems: string[] = [];
  const onProblem = (sentence: string): void => void problems.push(sentence.replace(`${path}: `, ''));
  for await (const frame of openCapture(path, { ...options, onProblem })) frames.push(frame);
  return { frames, problems };
}

const times = (frames: readonly CaptureFrame[]): (number | null)[] => frames.map((frame) => frame.atMs);
const joined = (frames: readonly CaptureFrame[]): Buffer => Buffer.concat(frames.map((frame) => frame.bytes));

t.test('hex lines: a damaged line is told with its number and the rest is played', async (t) => {
  const lines = [
    '{"t": 10.5, "hex": "fd00"}',
    'not json {"hex"',
    '{"t": "10", "hex": "00"}',
    '{"t": 11}',
    '',
    '{"t": 11, "hex": "abc"}',
    '{"t": 11, "hex": "zz"}',
    '7',
    '{"t": 12.25, "hex": "FF"}',
  ];
  const { frames, problems } = await read(file(lines.join('\r\n')));
  t.same(times(frames), [10_500, 12_250]);
  t.same(joined(frames), Buffer.from('fd00ff', 'hex'));
  t.same(problems, [
    'line 2 is not JSON',
    'line 3 has no field "t" with the time in seconds, a number',
    'line 4 has no field "hex" with the bytes, a text',
    'line 6 has an odd number of digits in "hex"',
    'line 7 has other characters than hexadecimal digits in "hex"',
    'line 8 is not a JSON object',
  ]);
});

t.test('a line over a mebibyte is left out and the next is read', async (t) => {
  const { frames, problems } = await read(file(`{"t":1,"hex":"00"}\n${'x'.repeat(1_100_000)}\n{"t":2,"hex":"01"}\n`));
  t.equal(frames.length, 2);
  t.same(problems, ['line 2 was left out: it is longer than the limit of 1048576 bytes']);
});

/** 2023-11-13T… in microseconds: a time whose bytes hold both FD and FE. */
const hostileUs = 0x00_06_0a_0b_fd_fe_00_fdn;

t.test('tlog: frames are found though the timestamps hold their first bytes', async (t) => {
  const records = Array.from({ length: 50 }, (_, i) =>
    tlogRecord(hostileUs + BigInt(i) * 256n, i % 2 ? v1Frame(i) : v2Frame(i)),
  );
  const { frames, problems } = await read(file(Buffer.concat(records)));
  t.same(
    times(frames),
    records.map((_, i) => Number(hostileUs + BigInt(i) * 256n) / 1000),
  );
  t.same(joined(frames), Buffer.concat(records.map((record) => record.subarray(8))));
  t.same(problems, []);
});

t.test('tlog: a signed frame is thirteen bytes longer', async (t) => {
  const records = [0, 1, 2].map((i) => tlogRecord(hostileUs + BigInt(i), v2Frame(20, { signed: true })));
  t.same(
    (await read(file(Buffer.concat(records)))).frames.map((frame) => frame.bytes.length),
    [45, 45, 45],
  );
});

t.test('tlog: damage costs what is damaged and is told of with its place', async (t) => {
  const records = Array.from({ length: 400 }, (_, i) => tlogRecord(hostileUs + BigInt(i) * 1000n, v2Frame(30)));
  const tlog = { format: 'tlog' } as const;
  const size = records[0]?.length ?? 0;
  const junk = Buffer.alloc(1000, 0xfd);
  const inserted = await read(file(Buffer.concat([...records.slice(0, 200), junk, ...records.slice(200)])), tlog);
  t.equal(inserted.frames.length, 400);
  t.same(inserted.problems, [`1000 bytes from byte ${200 * size} on were left out: they are not a tlog record`]);

  const badLength = Buffer.concat(records);
  badLength[100 * size + 9] = 200;
  const short = await read(file(badLength), tlog);
  t.equal(short.frames.length, 399);
  t.same(short.problems, [`${size} bytes from byte ${100 * size} on were left out: they are not a tlog record`]);

  const torn = await read(file(Buffer.concat(records).subarray(0, 400 * size - 5)), tlog);
  t.equal(torn.frames.length, 399);
  t.same(torn.problems, [`${size - 5} bytes from byte ${399 * size} on were left out: they are not a tlog record`]);
});

t.test('tlog: a clock that is set in the middle loses nothing', async (t) => {
  const records = [1_000n, 2_000n, 3_000n, hostileUs, hostileUs + 1n].map((us) => tlogRecord(us, v2Frame(9)));
  const { frames, problems } = await read(file(Buffer.concat(records)));
  t.equal(frames.length, 5);
  t.same(problems, []);
});

t.test('raw MAVLink: a frame a piece, without times, and every byte stays', async (t) => {
  const fill = 0x11;
  const stray = Buffer.from([0, 0, 0x21, 0xb4]);
  const bytes = Buffer.concat([
    ...[stray, v2Frame(20, { fill }), v1Frame(9, { fill }), v2Frame(3, { fill })],
    ...[stray, v2Frame(0, { fill }), v2Frame(255, { signed: true, fill })],
  ]);
  const { frames } = await read(file(bytes));
  t.same(joined(frames), bytes);
  t.same(
    frames.map((frame) => frame.bytes.length),
    [4 + 32, 17, 15 + 4 + 12, 280],
    'strays go with a frame beside them',
  );
  t.ok(frames.every((frame) => frame.atMs === null));
});

t.test('raw MAVLink: whatever the bytes are, they are all sent in their order and in small pieces', async (t) => {
  const seed = 5_005;
  t.comment(`seed ${seed}`);
  const part = fc.oneof(
    fc.integer({ min: 0, max: 255 }).map((length) => v2Frame(length)),
    fc.integer({ min: 0, max: 255 }).map((length) => v1Frame(length)),
    fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 60 }), async (parts) => {
      const bytes = Buffer.concat([...parts, Buffer.from([1])]);
      const { frames } = await read(file(bytes), { format: 'mavlink' });
      return joined(frames).equals(bytes) && frames.every((frame) => frame.bytes.length <= 1024 + 280);
    }),
    { seed, numRuns: sized(100) },
  );
});

t.test('BaseStation lines have their own times, and stratux its nanoseconds', async (t) => {
  const { frames } = await read(fixturePath('basestation.txt'));
  const start = Date.UTC(2031, 1, 3, 4, 5, 6);
  t.same(times(frames).slice(0, 4), [null, start + 100, start + 200, start + 300]);
  t.equal(times(frames)[9], start + 1200, 'a torn line goes with the line before it');
  const stratux = await read(
    file('START,Mon Sep 7 14:17:41\n1970154010,MSG,8,,,AB5361,,,\n2490093645,MSG,8,,,AB5361,,,\n'),
  );
  t.same(times(stratux.frames), [null, 1970.15401, 2490.093645]);
});

t.test('NMEA is paced by RMC and GGA, over midnight too', async (t) => {
  const at = (time: string) => nmea(`GPRMC,${time},V,,,,,,,,,,N`);
  const text = `# log\n${at('235959.50')}${nmea('GPGSV,1')}${at('000000.50')}$GPRMC,120000,V*00\r\n${at('000001.00')}`;
  const { frames } = await read(file(text));
  t.same(times(frames), [null, 86_399_500, 86_399_500, 86_400_500, 86_400_500, 86_401_000]);
  t.equal(joined(frames).toString('latin1'), text, 'lines are sent as they stand');
});

t.test('other lines have no times', async (t) => {
  const { frames } = await read(fixturePath('mesh_detect.txt'));
  t.equal(frames.length, 10);
  t.ok(frames.every((frame) => frame.atMs === null));
});

t.test('a file that cannot be played says why', async (t) => {
  await t.rejects(read(join(folder, 'absent')), { code: 'not_found', message: /there is no file .*absent$/ });
  await t.rejects(read(folder), { code: 'not_found', message: /it is a folder/ });
  await t.rejects(read(file('')), { code: 'invalid_input', message: /is empty/ });
  await t.rejects(read(file(Buffer.alloc(5000, 0x80).fill(0, 0, 100))), { code: 'invalid_input', message: /--format/ });
});

t.test('a capture is read a piece at a time', async (t) => {
  const line = `{"t":1,"hex":"${'ab'.repeat(400)}"}\n`;
  const capture = openCapture(file(line.repeat(2000)));
  let count = 0;
  for await (const _ of capture) if (++count === 10) break;
  t.ok(capture.progress() < 0.02, `${capture.progress()} of the file read for 10 of 2000 frames`);
});

const counts: [string, number, number][] = [
  ['mavlink/derived_from_log171.tlog', 2284, 8],
  ['mavlink/hw_pixhawk6x_copter457_radio.tlog', 2228, 8],
  ['mavlink/sitl_arducopter_455_commands_acks.tlog', 10_277, 8],
  ['mavlink/vtol_sitl_arduplane.tlog', 23_894, 8],
  ['mavlink/px4_mixed_v1_v2_GH-5.bin', 138, 0],
  ['mavlink/px4_v2_3412_packets.bin', 3412, 0],
  ['remote_id/anafi4_real.derived_mavlink.jsonl', 1140, Number.NaN],
  ['adsb/readsb_sbs_basestation.txt', 2000, 0],
  ['esp32_json/mesh_detect_derived_from_anafi4.txt', 1141, 0],
  ['nmea/ublox-zed-f9p-nmea.log', 1027, 0],
];
for (const [name, expected, stampBytes] of counts) {
  const path = samplePath(name);
  t.test(`${name} has ${expected} frames`, needs(path), async (t) => {
    const { frames, problems } = await read(path);
    // Counted apart with a few lines of Python that walk the records, and with wc.
    t.equal(frames.length, expected);
    t.same(problems, []);
    if (Number.isNaN(stampBytes)) return;
    const { statSync } = await import('node:fs');
    t.equal(joined(frames).length, statSync(path).size - expected * stampBytes, 'no byte is lost');
  });
}
