import fc from 'fast-check';
import t from 'tap';
import { TRACK } from '../../src/model/rows/layouts.ts';
import { stateCodes } from '../../src/model/track_row.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { serial } from '../support/core/observation.ts';
import { busySky } from '../support/sky/busy_sky.ts';
import { circling } from '../support/sky/flight.ts';
import { apartM, SiteAxes } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const site = new SiteAxes(46.2, 6.1, 400);
/** All that the core told in the end, once the sky has been silent for a while. */
function ended(watched: WatchedSky): string {
  const endS = Math.ceil(watched.endS);
  for (let s = 0; s <= 8; s += 0.5) watched.until(endS + s);
  const rows = [...watched.rows].sort(([a], [b]) => a - b);
  // A lost track is told once, and where it may be as of then: that hangs on when the batch ended.
  for (const [, row] of rows) if (stateCodes[row[TRACK.state] ?? -1] === 'lost') row.fill(0, TRACK.updatedMs);
  const cards = [...watched.cards].sort(([a], [b]) => a - b);
  return JSON.stringify([rows.map(([, row]) => [...row]), cards, watched.removed, watched.assigned]);
}

t.test('the same sky is the same tracks, however it is cut into batches', async (t) => {
  const seed = seedOf(t);
  const { sky } = busySky(site, seed, { seconds: 20, allKinds: true });
  const whole = new WatchedSky(sky);
  while (whole.left > 0) whole.next(1_000_000);
  const expected = ended(whole);
  const again = new WatchedSky(sky);
  while (again.left > 0) again.next(1_000_000);
  t.equal(ended(again), expected, 'a second run is the same byte for byte');
  t.ok(whole.assigned.length > 1_000 && whole.cards.size >= 10, 'and there was something to be the same');

  const cut = fc.record({
    count: fc.integer({ min: 1, max: 120 }),
    waits: fc.boolean(),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(cut, { minLength: 1, maxLength: 40 }), (cuts) => {
      const watched = new WatchedSky(sky);
      for (let i = 0; watched.left > 0; i++) {
        const { count, waits, part } = cuts[i % cuts.length] ?? { count: 1, waits: false, part: 0 };
        watched.next(count);
        if (waits) watched.letPass(part);
      }
      const found = ended(watched);
      if (found !== expected) throw new Error(firstDifference(found, expected));
    }),
    { seed, numRuns: 25 },
  );
});

function firstDifference(a: string, b: string): string {
  let i = 0;
  while (a[i] === b[i]) i++;
  return `at ${i}: ${a.slice(Math.max(0, i - 200), i + 60)} is not ${b.slice(Math.max(0, i - 20), i + 60)}`;
}

t.test('reports that come late and out of order end where those in order do', async (t) => {
  const seed = seedOf(t);
  const flight = circling([300, 400, 120], 250, 12);
  const end = (lateS: (atS: number) => number): WatchedSky => {
    const sky = new Sky(site, seed);
    const voice = sky.voice(sky.ear(), [serial('S-1')]);
    // The first begin the track in order: what was measured before a track began is no part of it.
    for (let s = 0; s < 30; s += 0.5) sky.claim(voice, s, flight, s < 5 ? 0.01 : lateS(s));
    const watched = new WatchedSky(sky);
    // Coasting tracks are told anew each second, as of then: so the last rows are of one time.
    for (let s = 0; s <= 42; s += 0.25) watched.until(s);
    return watched;
  };
  const expected = end(() => 0.01);
  t.equal(expected.shown().length, 1);
  const lateness = fc.array(fc.double({ min: 0.01, max: 2.9, noNaN: true }), { minLength: 60, maxLength: 60 });
  fc.assert(
    fc.property(lateness, (late) => {
      const found = end((s) => late[2 * s] ?? 0.01);
      const [a, b] = [found.shown()[0], expected.shown()[0]];
      if (!a || !b || found.shown().length !== 1) throw new Error('it is not one track');
      const metres = apartM(a.place, b.place);
      if (!(metres < 1e-6)) throw new Error(`it ends ${metres} m beside`);
      for (const column of ['eastMps', 'northMps', 'upMps', 'covEeM2', 'covNnM2', 'covUuM2'] as const) {
        const [x = 0, y = 0] = [found.rows.get(1)?.[TRACK[column]], expected.rows.get(1)?.[TRACK[column]]];
        if (!(Math.abs(x - y) < 1e-6)) throw new Error(`${column} ${x} is not ${y}`);
      }
    }),
    { seed, numRuns: sized(100) },
  );
});
