import fc from 'fast-check';
import t from 'tap';
import { FilterBank, type PositionObservation } from '../../src/geo/filter_bank.ts';
import { seedOf } from '../support/seed.ts';
import { SlowFilter } from '../support/slow_filter.ts';

const Q = 8;
const report = (bank: FilterBank, slot: number, nowMs: number, leads: number[] = []): number[] => [
  ...bank.report(Float64Array.from([slot]), nowMs, Float64Array.from(leads)),
];

const step = fc.record({
  dtMs: fc.integer({ min: 50, max: 4_000 }),
  north: fc.double({ min: -300, max: 300, noNaN: true }),
  east: fc.double({ min: -300, max: 300, noNaN: true }),
  up: fc.double({ min: -50, max: 50, noNaN: true }),
  sdHM: fc.double({ min: 1, max: 100, noNaN: true }),
  sdVM: fc.double({ min: 1, max: 100, noNaN: true }),
  speed: fc.double({ min: -40, max: 40, noNaN: true }),
});

t.test('the native filter agrees with its slow twin, wherever on earth', async (t) => {
  const seed = seedOf(t);
  const place = fc.record({
    lat: fc.double({ min: -89, max: 89, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  fc.assert(
    fc.property(place, fc.array(step, { minLength: 2, maxLength: 20 }), ({ lat, lon }, steps) => {
      const bank = new FilterBank(1, Q);
      const slow = new SlowFilter([lat, lon, 0], Q);
      const slot = bank.acquire() ?? -1;
      const observations: PositionObservation[] = [];
      let timeMs = 0;
      for (const s of steps) {
        timeMs += s.dtMs;
        const latDeg = observations.length === 0 ? lat : lat + s.north / 111_000;
        const lonDeg = observations.length === 0 ? lon : lon + s.east / (111_000 * Math.cos(lat * (Math.PI / 180)));
        const velocity = { eastMps: s.speed, northMps: -s.speed / 2, upMps: s.speed / 10 };
        observations.push({
          timeMs,
          latDeg,
          lonDeg,
          altHaeM: 100 + s.up,
          sdHM: s.sdHM,
          sdVM: s.sdVM,
          ...velocity,
          sdSpeedMps: 1,
          sdClimbMps: 2,
        });
      }
      observations.forEach((o, i) => {
        if (i === 0) {
          bank.begin(slot, o);
          slow.begin(o);
        } else {
          const [native, twin] = [bank.observe(slot, o), slow.observe(o)];
          if (Math.abs(native - twin) > 1e-5 * (1 + twin)) throw new Error(`innovation ${native} against ${twin}`);
        }
      });
      const row = report(bank, slot, timeMs);
      const major = row[6] ?? 0;
      const minor = row[7] ?? 0;
      const [a = 0, b = 0] = slow.p[0] ?? [];
      const c = slow.p[1]?.[1] ?? 0;
      const trace = a + c;
      const determinant = a * c - b * b;
      if (Math.abs(major ** 2 + minor ** 2 - trace) > 1e-6 * trace) throw new Error('the ellipse has another trace');
      if (Math.abs(major ** 2 * minor ** 2 - determinant) > 1e-5 * determinant + 1e-9)
        throw new Error('the ellipse has another area');
      const back = bank.separation(slot, {
        ...(observations.at(-1) as PositionObservation),
        latDeg: row[0] ?? 0,
        lonDeg: row[1] ?? 0,
      });
      return back.metres < 5;
    }),
    { seed, numRuns: 300 },
  );
});

t.test('a steady course is followed and predicted', async (t) => {
  const bank = new FilterBank(4, Q);
  const slot = bank.acquire() ?? -1;
  const observe = (i: number): PositionObservation => ({
    timeMs: i * 1000,
    latDeg: 47 + (i * 10) / 111_194,
    lonDeg: 8,
    altHaeM: 500,
    sdHM: 5,
    sdVM: 5,
    eastMps: Number.NaN,
    northMps: Number.NaN,
    upMps: Number.NaN,
    sdSpeedMps: 1,
    sdClimbMps: 1,
  });
  bank.begin(slot, observe(0));
  for (let i = 1; i <= 30; i++) bank.observe(slot, observe(i));
  const row = report(bank, slot, 30_000, [10]);
  t.ok(Math.abs((row[4] ?? 0) - 10) < 0.2, 'ten metres a second to the north');
  t.ok(Math.abs(((row[10] ?? 0) - 47) * 111_194 - 400) < 5, 'ten seconds on it is a hundred metres further');
  t.ok((row[13] ?? 0) > (row[6] ?? 0), 'and less certain');
});

t.test('a height is not invented, and taken as it is once it is known', async (t) => {
  const bank = new FilterBank(1, Q);
  const slot = bank.acquire() ?? -1;
  const base = {
    lonDeg: 8,
    sdHM: 5,
    sdVM: 5,
    eastMps: 0,
    northMps: 0,
    upMps: Number.NaN,
    sdSpeedMps: 1,
    sdClimbMps: 1,
  };
  bank.begin(slot, { ...base, timeMs: 0, latDeg: 47, altHaeM: Number.NaN });
  bank.observe(slot, { ...base, timeMs: 1000, latDeg: 47, altHaeM: Number.NaN });
  t.ok(Number.isNaN(report(bank, slot, 1000)[2]), 'no height from positions without one');
  bank.observe(slot, { ...base, timeMs: 2000, latDeg: 47, altHaeM: 512 });
  t.ok(Math.abs((report(bank, slot, 2000)[2] ?? 0) - 512) < 0.5, 'the first height stands');
});

t.test('across the antimeridian and over the pole a flight stays one smooth track', async (t) => {
  for (const [name, path] of [
    ['antimeridian', (s: number) => ({ latDeg: 10, lonDeg: ((179.999 + s * 0.0001 + 180) % 360) - 180 })],
    [
      'pole',
      (s: number) =>
        s < 20 ? { latDeg: 89.998 + s * 0.0001, lonDeg: 30 } : { latDeg: 90 - (s - 20) * 0.0001, lonDeg: -150 },
    ],
  ] as const) {
    const bank = new FilterBank(1, Q);
    const slot = bank.acquire() ?? -1;
    const at = (s: number): PositionObservation => ({
      timeMs: s * 1000,
      ...path(s),
      altHaeM: 100,
      sdHM: 3,
      sdVM: 3,
      eastMps: Number.NaN,
      northMps: Number.NaN,
      upMps: Number.NaN,
      sdSpeedMps: 1,
      sdClimbMps: 1,
    });
    bank.begin(slot, at(0));
    let worst = 0;
    for (let s = 1; s < 40; s++) {
      const nis = bank.observe(slot, at(s));
      if (s > 5) worst = Math.max(worst, nis);
    }
    t.ok(worst < 1, `${name}: no step surprises the filter (worst innovation ${worst.toFixed(3)})`);
  }
});

t.test('the gate knows near from far and skips free slots', async (t) => {
  const bank = new FilterBank(8, Q);
  const place = (latDeg: number): PositionObservation => ({
    timeMs: 0,
    latDeg,
    lonDeg: 8,
    altHaeM: Number.NaN,
    sdHM: 10,
    sdVM: 10,
    eastMps: 0,
    northMps: 0,
    upMps: Number.NaN,
    sdSpeedMps: 1,
    sdClimbMps: 1,
  });
  const [near, far, freed] = [bank.acquire() ?? -1, bank.acquire() ?? -1, bank.acquire() ?? -1];
  bank.begin(near, place(47));
  bank.begin(far, place(47.5));
  bank.begin(freed, place(47));
  bank.release(freed);
  const distances = bank.gate({ ...place(47.00005), timeMs: 500 }, 21);
  t.ok((distances[near] ?? Number.NaN) < 2, 'the near one');
  t.equal(distances[far], Number.POSITIVE_INFINITY, 'not the far one');
  t.equal(distances[freed], Number.POSITIVE_INFINITY, 'not the free slot');
});

t.test('a flight of hundreds of kilometres changes its plane without a jump', async (t) => {
  const bank = new FilterBank(1, Q);
  const slot = bank.acquire() ?? -1;
  const at = (s: number): PositionObservation => ({
    timeMs: s * 1000,
    latDeg: 47,
    lonDeg: 8 + s * 0.003,
    altHaeM: 10_000,
    sdHM: 20,
    sdVM: 50,
    eastMps: Number.NaN,
    northMps: Number.NaN,
    upMps: Number.NaN,
    sdSpeedMps: 1,
    sdClimbMps: 1,
  });
  bank.begin(slot, at(0));
  let worst = 0;
  for (let s = 1; s < 1200; s++) {
    const nis = bank.observe(slot, at(s));
    if (s > 20) worst = Math.max(worst, nis);
  }
  t.ok(worst < 1, `worst innovation ${worst.toFixed(3)}`);
  const row = report(bank, slot, 1_199_000);
  t.ok(Math.abs((row[2] ?? 0) - 10_000) < 10, 'the height is kept through the changes');
  t.ok(Math.abs((row[1] ?? 0) - (8 + 1199 * 0.003)) < 0.001, 'and so is the place');
});

t.test('slots run out with null, and come back', async (t) => {
  const bank = new FilterBank(2, Q);
  const first = bank.acquire();
  t.not(first, null);
  t.not(bank.acquire(), null);
  t.equal(bank.acquire(), null);
  bank.release(first ?? 0);
  t.equal(bank.acquire(), first);
});
