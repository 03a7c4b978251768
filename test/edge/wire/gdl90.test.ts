import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { accuracyOf } from '../../../src/edge/wire/gdl90/accuracy.ts';
import { crcOf } from '../../../src/edge/wire/gdl90/frame.ts';
import { heartbeat, type Traffic, traffic } from '../../../src/edge/wire/gdl90/messages.ts';
import { pressureAltitudeM } from '../../../src/geo/pressure.ts';
import { readGdl90 } from '../../support/outlet/gdl90.ts';

const shared = join(process.cwd(), '../shared/interop/gdl90.jsonl');
const missing = existsSync(shared) ? false : 'the frames of GDL 90 are not here';
type Case = {
  id: string;
  hex: string;
  track?: Record<string, number | string | null>;
  expect: { reject?: boolean; message?: number };
};
const cases = (): Case[] =>
  readFileSync(shared, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

t.test('the check sum is that of the worked example of the specification', async (t) => {
  t.equal(crcOf(Buffer.from('008141dbd00802', 'hex')), 0x8bb3);
});

t.test('frames of others have the bytes that these have', { skip: missing }, async (t) => {
  for (const { id, hex, track, expect } of cases()) {
    const bytes = Buffer.from(hex, 'hex');
    if (expect.reject) {
      t.throws(() => readGdl90(bytes), id);
      continue;
    }
    t.equal(readGdl90(bytes).message, expect.message, id);
    if (track === undefined) continue;
    const written = traffic({
      address: Number.parseInt(String(track.address), 16),
      ...{ lat: Number(track.lat), lon: Number(track.lon), callsign: String(track.callsign) },
      altPressureM: track.alt_pressure_m as number | null,
      speedMps: track.speed_mps as number | null,
      climbMps: track.climb_mps as number | null,
      courseDeg: track.course_deg as number | null,
      ...{ isExtrapolated: false, nic: Number(track.nic), nacp: Number(track.nacp), category: 14 },
    });
    t.equal(Buffer.from(written).toString('hex'), hex, id);
  }
});

const orNull = (of: fc.Arbitrary<number>): fc.Arbitrary<number | null> => fc.option(of, { nil: null });
const within = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const anyTraffic: fc.Arbitrary<Traffic> = fc.record({
  address: fc.integer({ min: 0, max: 0xffffff }),
  lat: within(-90, 90),
  lon: within(-180, 180),
  altPressureM: orNull(within(-1_000, 40_000)),
  speedMps: orNull(within(0, 3_000)),
  courseDeg: orNull(within(0, 360)),
  climbMps: orNull(within(-300, 300)),
  isExtrapolated: fc.boolean(),
  nic: fc.integer({ min: 0, max: 8 }),
  nacp: fc.integer({ min: 0, max: 9 }),
  category: fc.constantFrom(0, 14),
  callsign: fc.string(),
});

t.test('what is written is read again, to the steps of the format and its bounds', async () => {
  fc.assert(
    fc.property(anyTraffic, (of) => {
      const read = readGdl90(traffic(of));
      if (read.message !== 20) return false;
      const lonOff = Math.abs(((read.lon - of.lon + 540) % 360) - 180);
      const ft = of.altPressureM === null ? null : of.altPressureM / 0.3048;
      const kt = of.speedMps === null ? null : of.speedMps * 1.943844;
      const fpm = of.climbMps === null ? null : (of.climbMps / 0.3048) * 60;
      const near = (a: number | null, b: number | null, step: number, least: number, most: number): boolean =>
        a === null || b === null ? a === b : Math.abs(a - Math.min(most, Math.max(least, b))) <= step / 2 + 1e-6;
      return (
        Math.abs(read.lat - of.lat) < 2.2e-5 &&
        lonOff < 2.2e-5 &&
        near(read.altFt, ft, 25, -1_000, 101_350) &&
        near(read.speedKt, kt, 1, 0, 4_094) &&
        near(read.climbFpm, fpm, 64, -32_640, 32_640) &&
        read.misc === 8 + (of.isExtrapolated ? 4 : 0) + (of.courseDeg === null ? 0 : 1) &&
        Math.abs(((read.courseDeg - (of.courseDeg ?? 0) + 540) % 360) - 180) <= 0.704 &&
        /^[A-Z0-9]{0,8}$/.test(read.callsign)
      );
    }),
  );
});

t.test('a heartbeat has the second of the day in UTC, beyond 16 bits too', async (t) => {
  for (const [clock, second] of [
    ['00:00:00', 0],
    ['18:12:15', 65_535],
    ['18:12:16', 65_536],
    ['23:59:59', 86_399],
  ] as const)
    t.same(readGdl90(heartbeat(Date.parse(`2026-03-04T${clock}.900Z`))), {
      ...{ message: 0, status: 1, utcOk: true },
      second,
    });
});

t.test('accuracy is claimed by the size of the error, and never where it is unknown', async (t) => {
  t.same(accuracyOf(null), { nic: 0, nacp: 0 });
  t.same(accuracyOf(3), { nic: 8, nacp: 9 }, 'no fused track claims more');
  t.same(accuracyOf(30), { nic: 8, nacp: 8 });
  t.same(accuracyOf(100), { nic: 6, nacp: 6 });
  t.same(accuracyOf(1e6), { nic: 0, nacp: 0 });
  fc.assert(
    fc.property(within(0, 50_000), within(0, 50_000), (a, b) => {
      const [better, worse] = [accuracyOf(Math.min(a, b)), accuracyOf(Math.max(a, b))];
      return better.nic >= worse.nic && better.nacp >= worse.nacp;
    }),
  );
});

t.test('pressure altitude follows the standard atmosphere', async (t) => {
  for (const m of [-100, 0, 430, 3_000]) t.ok(Math.abs(pressureAltitudeM(m, 1_013.25) - m) < 1e-6, `${m}`);
  // 8.31 m a hectopascal near sea level, from the barometric formula.
  t.ok(Math.abs(pressureAltitudeM(0, 1_003.25) - 83.5) < 0.5, `${pressureAltitudeM(0, 1_003.25)}`);
  t.ok(pressureAltitudeM(500, 1_023.25) < 500);
});
