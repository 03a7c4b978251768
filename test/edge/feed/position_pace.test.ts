import fc from 'fast-check';
import t from 'tap';
import { PositionPace } from '../../../src/edge/feed/position_pace.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';

const AT = '192.0.2.7:14550';
const SOON_MS = 140;

/** At a place, and standing still there, if it is not told otherwise. */
const said = (timeBootMs: number, more: object = {}): Parameters<PositionPace['isDue']>[0] => ({
  ...{ timeBootMs, signed: false, latDeg: 47, lonDeg: 8, altMslM: 500, vNorthMps: 0, vEastMps: 0, vDownMps: 0 },
  ...more,
});

const taken = (times: readonly { bootMs: number; atMs: number }[]): number[] => {
  const pace = new PositionPace();
  return times.filter(({ bootMs, atMs }) => pace.isDue(said(bootMs), AT, atMs)).map(({ bootMs }) => bootMs);
};
const every = (ms: number, count: number): number[] => Array.from({ length: count }, (_, i) => i * ms);

t.test(
  'ten a second are five, five are five, and what comes late or in bursts is judged by when it held',
  async (t) => {
    fc.assert(
      fc.property(fc.array(fc.nat(700), { minLength: 40, maxLength: 40 }), (delays) => {
        const late = (ms: number, i: number): { bootMs: number; atMs: number } => ({
          bootMs: ms,
          atMs: ms + (delays[i] ?? 0),
        });
        return taken(every(100, 40).map(late)).length === 20 && taken(every(200, 20).map(late)).length === 20;
      }),
      { seed: seedOf(t), numRuns: sized(200) },
    );
  },
);

t.test('a recording that is played fast loses nothing', async (t) => {
  const fast = every(250, 40).map((bootMs) => ({ bootMs, atMs: bootMs / 100 }));
  t.same(taken(fast), every(250, 40));
});

t.test('no two are nearer than that, and none is missed for longer than it takes the next to come', async (t) => {
  const gaps = fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 60 });
  fc.assert(
    fc.property(gaps, (all) => {
      let bootMs = 5;
      const boots = all.map((gap) => (bootMs += gap));
      const kept = taken(boots.map((bootMs) => ({ bootMs, atMs: bootMs })));
      return (
        boots.every((bootMs) => kept.some((of) => of <= bootMs && bootMs - of < SOON_MS)) &&
        kept.every((of, i) => i === 0 || of - (kept[i - 1] ?? 0) >= SOON_MS)
      );
    }),
    { seed: seedOf(t), numRuns: sized(500) },
  );
});

t.test(
  'a vehicle whose clock stands still is judged by ours, and one that started anew is heard at once',
  async (t) => {
    t.equal(taken(every(100, 40).map((atMs) => ({ bootMs: 7, atMs }))).length, 20);
    t.same(
      taken([
        { bootMs: 90_000, atMs: 0 },
        { bootMs: 40, atMs: 10 },
      ]),
      [90_000, 40],
    );
  },
);

t.test('who claims to be the same system, from elsewhere or unsigned, holds nobody back', async (t) => {
  const pace = new PositionPace();
  for (const atMs of every(10, 100)) {
    t.ok(pace.isDue(said(atMs, { signed: true }), AT, atMs));
    t.ok(pace.isDue(said(atMs + 1, { signed: true }), '192.0.2.66:14550', atMs));
    t.ok(pace.isDue(said(atMs + 2), AT, atMs));
  }
});

t.test('what says something else is heard, however soon it comes', async (t) => {
  const flying = { vNorthMps: 20, vDownMps: -5 };
  const on = (s: number): object => ({ latDeg: 47 + (20 * s) / 111_194, altMslM: 500 + 5 * s, ...flying });
  const isHeard = (more: object): boolean => {
    const pace = new PositionPace();
    pace.isDue(said(1_000, on(0)), AT, 1_000);
    return pace.isDue(said(1_100, { ...on(0.1), ...more }), AT, 1_100);
  };
  t.notOk(isHeard({}), 'where it was to be');
  t.notOk(isHeard({ lonDeg: 8.00005 }), 'four metres beside');
  t.ok(isHeard({ lonDeg: 8.0002 }));
  t.ok(isHeard({ altMslM: 515 }));
  t.ok(isHeard({ vEastMps: 4 }));
});

t.test('nobody is hidden by places that are none, or by a clock that hardly moves', async (t) => {
  const pace = new PositionPace();
  for (const atMs of every(200, 50)) {
    t.ok(
      pace.isDue(said(atMs - 1, { latDeg: null, lonDeg: null }), AT, atMs - 10),
      'no fix: for the sensor to be alive',
    );
    t.ok(pace.isDue(said(atMs), AT, atMs));
  }
  const slow = taken(every(200, 100).map((atMs) => ({ bootMs: atMs / 1_000, atMs })));
  t.ok(slow.length >= 20, `${slow.length} of 100 in 20 s from a clock that counts seconds`);
});
