import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { categoryOf } from '../../../../src/edge/wire/asterix/notation.ts';
import { type Decoded, readRecord } from '../../../../src/edge/wire/asterix/read_item.ts';
import { cat034 } from '../../../../src/edge/wire/asterix/tables/cat034.ts';
import { cat048 } from '../../../../src/edge/wire/asterix/tables/cat048.ts';
import { cat062 } from '../../../../src/edge/wire/asterix/tables/cat062.ts';
import { cat065 } from '../../../../src/edge/wire/asterix/tables/cat065.ts';
import { endBlock, statusBlock, trackBlock } from '../../../../src/edge/wire/asterix/write_track.ts';
import { capturedPacket, captureHeader } from '../../../../src/edge/wire/capture/write.ts';
import { randomFrom } from '../../../support/basics/random.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { asterixBlock, northRecord, plotRecord, trackRecord } from '../../../support/links/asterix_blocks.ts';

const RAW_IP = 101;
const PORT = 8_600;
const isThere = spawnSync('tshark', ['--version']).status === 0;
const peer = { skip: isThere ? false : 'needs tshark' };

/** A datagram of IPv4 and UDP. */
function datagram(payload: Buffer): Buffer {
  const udp = Buffer.from([PORT >> 8, PORT & 255, PORT >> 8, PORT & 255, 0, 0, 0, 0]);
  udp.writeUInt16BE(8 + payload.length, 4);
  const ip = Buffer.from('450000000000000040110000' + '0a000001' + '0a000002', 'hex');
  ip.writeUInt16BE(20 + udp.length + payload.length, 2);
  return Buffer.concat([ip, udp, payload]);
}

/** What tshark reads in each datagram: values by category, item and name, such as `048_040_RHO`. */
function byTshark(blocks: readonly Buffer[]): Map<string, number>[] {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-tshark-'));
  try {
    const file = join(folder, 'blocks.pcapng');
    const packets = blocks.map((block, i) => capturedPacket(i * 1_000, datagram(block)));
    writeFileSync(file, Buffer.concat([captureHeader(RAW_IP), ...packets]));
    const args = ['-r', file, '-d', `udp.port==${PORT},asterix`, '-T', 'json', '-J', 'asterix'];
    const { stdout } = spawnSync('tshark', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    return (JSON.parse(stdout) as object[]).map((packet) => {
      const values = new Map<string, number>();
      collect(packet, values);
      return values;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function collect(node: object, into: Map<string, number>): void {
  for (const [key, value] of Object.entries(node)) {
    const name = /^asterix\.(\d{3}_.+)$/.exec(key)?.[1];
    if (name !== undefined && typeof value === 'string') into.set(name, Number(value));
    else if (typeof value === 'object' && value !== null) collect(value, into);
  }
}

/** The same of our own tables. */
function flat(prefix: string, value: Decoded, into: Map<string, number>): void {
  if (typeof value === 'number') into.set(`${prefix}_VALUE`, value);
  else if (typeof value === 'object' && value !== null && !Array.isArray(value))
    for (const [name, part] of Object.entries(value)) {
      if (typeof part === 'number') {
        into.set(`${prefix}_${name}`, part);
        into.set(`${prefix}_${name}_VALUE`, part);
      } else flat(`${prefix}_${name}`, part as Decoded, into);
    }
}

const tables = {
  34: categoryOf(cat034),
  48: categoryOf(cat048),
  62: categoryOf(cat062),
  65: categoryOf(cat065),
} as const;

t.test('tshark reads the same numbers in every item of random records', peer, async (t) => {
  const random = randomFrom(seedOf(t));
  const between = (least: number, most: number): number => least + (most - least) * random();
  const blocks = Array.from({ length: 60 }, (_, n) => {
    const timeS = between(0, 86_399);
    const place = { lat: between(-89, 89), lon: between(-179, 179) };
    if (n % 3 === 0)
      return asterixBlock(34, northRecord({ timeS, turnS: between(1, 12), site: { ...place, altMslM: 300 } }));
    const motion = { eastMps: between(-300, 300), northMps: between(-300, 300) };
    if (n % 3 === 1)
      return asterixBlock(
        62,
        trackRecord({ timeS, track: n, ...place, ...motion, altHaeM: between(-100, 9_000), ageS: 1 }),
      );
    const speed = { mps: between(0, 200), courseDeg: between(0, 359) };
    const plot = { rangeM: between(10, 400_000), azimuthDeg: between(0, 359), altMslM: between(-300, 30_000) };
    return asterixBlock(48, plotRecord({ timeS, ...plot, track: n, speed, icao24: 0x4b5c00 + n }));
  });
  const compared = compare(t, blocks);
  t.ok(compared.length > 500, `${compared.length} values compared`);
});

t.test('tshark reads the tracks, ends and states of an outlet alike, in every item', peer, async (t) => {
  const random = randomFrom(seedOf(t));
  const between = (least: number, most: number): number => least + (most - least) * random();
  const source = { sac: 204, sic: 50 };
  const blocks = Array.from({ length: 60 }, (_, n) => {
    const utcMs = Date.UTC(2026, 2, 4) + between(0, 86_399_000);
    if (n % 6 === 0) return statusBlock(source, utcMs);
    if (n % 6 === 1) return endBlock(source, n, utcMs);
    return trackBlock(source, {
      ...{ track: n, utcMs, latDeg: between(-89, 89), lonDeg: between(-179, 179), altHaeM: between(-100, 9_000) },
      ...{ eastMps: between(-99, 99), northMps: between(-99, 99), climbMps: between(-30, 30), ageS: between(0, 60) },
      ...{ sigmaEastM: between(1, 999), sigmaNorthM: between(1, 999), sigmaVM: between(1, 400) },
      ...{ isMonosensor: random() < 0.5, isTentative: random() < 0.5, isSimulated: random() < 0.5 },
      ...{ isDoubtful: random() < 0.5, isCoasting: random() < 0.5, heightFrom: 'radar' },
      ident: { text: `T${n}`, isReceived: random() < 0.5 },
    });
  }).map((block) => Buffer.from(block));
  const compared = new Set(compare(t, blocks));
  const items = [
    '010_SAC',
    '040',
    '070',
    '080_CST',
    '080_TSE',
    '105_LAT',
    '130',
    '185_VX',
    '220',
    '245_STI',
    '290_TRK',
  ];
  t.same(
    items.filter((item) => ![...compared].some((name) => name.startsWith(`062_${item}`))),
    [],
    `${[...compared].join(' ')}`,
  );
});

/** Fails for each value that tshark reads otherwise; returns the names of those that were compared. */
function compare(t: Test, blocks: readonly Buffer[]): string[] {
  const compared: string[] = [];
  byTshark(blocks).forEach((theirs, i) => {
    const block = blocks[i] as Buffer;
    const category = block[0] as keyof typeof tables;
    const record = readRecord(tables[category], block, 3, block.length)?.record ?? {};
    const ours = new Map<string, number>();
    for (const [id, item] of Object.entries(record)) flat(`${String(category).padStart(3, '0')}_${id}`, item, ours);
    for (const [name, value] of theirs) {
      const own = ours.get(name);
      if (own === undefined) continue;
      compared.push(name);
      if (Math.abs(own - value) > 1e-9 * Math.max(1, Math.abs(value)) + 1e-9)
        t.fail(`${i}: ${name} is ${own} for us and ${value} for tshark`);
    }
  });
  return compared;
}
