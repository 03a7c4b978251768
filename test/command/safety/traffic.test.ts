import fc from 'fast-check';
import t from 'tap';
import { crewedRefusal, mayBeCrewed } from '../../../src/command/safety/crewed.ts';
import { localLegOf } from '../../../src/command/safety/move.ts';
import { type OwnPlatform, ownTrafficRefusal } from '../../../src/command/safety/own_traffic.ts';
import { pathAt, pathOf } from '../../../src/command/safety/path.ts';
import { standoffRefusal } from '../../../src/command/safety/standoff.ts';
import type { Geodetic } from '../../../src/geo/position.ts';
import { placeOf } from '../../../src/geo/shape/plane.ts';
import type { Track } from '../../../src/model/track.ts';
import { metresApart, positionAt } from '../../support/basics/place.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { AT_MS, track } from '../../support/fleet/airspace.ts';

const home = { latDeg: 48.2, lonDeg: 16.37 };
const at = (azimuthDeg: number, metres: number, altHaeM = 100): Geodetic => ({
  ...positionAt(home, azimuthDeg, metres),
  altHaeM,
});

function course(of: Track, utcMs = AT_MS) {
  const made = pathOf(of, utcMs);
  if (!made) throw new Error('the track has no course');
  return made;
}

t.test('a way comes no nearer to where a track will be than the standoff', async (t) => {
  const judge = (from: Geodetic, to: Geodetic, of: Track) => standoffRefusal(localLegOf({ from, to }), course(of), 100);
  const stands = track({ ...home });
  t.same(judge(at(270, 300), at(270, 80), stands), {
    reason: 'keep_out',
    text: 'the path comes within 80 m of T-0042; the standoff is 100 m',
  });
  t.equal(judge(at(270, 300), at(270, 101), stands), null);
  t.match(judge(at(270, 300), at(90, 300), stands), { reason: 'keep_out' });
  t.equal(judge(at(270, 300, 210), at(90, 300, 210), stands), null, 'over it, where its height is known');
  t.match(judge(at(270, 300, 210), at(90, 300, 210), track({ ...home, altHaeM: null })), { reason: 'keep_out' });
  const flies = track({ ...home, courseDeg: 90, speedMps: 20 });
  t.match(judge(at(80, 400), at(90, 290), flies), { reason: 'keep_out' }, 'where it will be in ten seconds');
  t.equal(judge(at(80, 400), at(90, 310), flies), null);
  t.equal(judge(at(270, 60), at(270, 90), stands), null, 'what is nearer already may go away');
  t.match(judge(at(270, 60), at(270, 60), stands), { reason: 'keep_out' }, 'and not stay');
  t.match(judge(at(270, 60), at(90, 200), stands), { reason: 'keep_out' }, 'nor through');
});

t.test('a course is where the track is now, not where it was when it was told of', async (t) => {
  const flies = track({ ...home, courseDeg: 90, speedMps: 20 });
  for (const [ageS, inS] of [
    [0, 0],
    [3, 0],
    [3, 9],
    [7, 12.5],
  ] as const) {
    const { place } = pathAt(course(flies, AT_MS + ageS * 1_000), inS);
    const off = metresApart(placeOf(place), positionAt(home, 90, 20 * (ageS + inS)));
    t.ok(off < 0.05, `${ageS} s later, in ${inS} s: ${off} m off`);
  }
  for (const state of ['lost', 'closed'] as const) t.equal(pathOf({ ...flies, state }, AT_MS), null);
});

t.test('near a crewed aircraft nothing moves but what comes to rest', async (t) => {
  const icao = { type: 'icao24' as const, value: '440123', transport: 'adsb' as const };
  const seen = { first_seen_at: '2026-05-01T12:00:00.000Z', last_seen_at: '2026-05-01T12:00:00.000Z' };
  const crewed = { identities: [{ ...icao, ...seen }], number: 'T-0007' };
  const judge = (from: Geodetic, to: Geodetic, of: Track, verb: 'goto' | 'hold' | 'return_home' | 'land' = 'goto') =>
    crewedRefusal(localLegOf({ from, to }), 10, verb, course(of), 500);
  const near = track({ ...positionAt(home, 0, 400) }, crewed);
  t.match(judge(at(0, 0), at(180, 100), near), { reason: 'crewed_traffic', text: /T-0007 is now \d+ m away/ });
  for (const verb of ['hold', 'return_home', 'land'] as const) t.equal(judge(at(0, 0), at(180, 100), near, verb), null);
  const over = { ...positionAt(home, 0, 400), altHaeM: 260 };
  t.equal(judge(at(0, 0), at(180, 100), track(over, crewed)), null, 'high above');
  t.match(judge(at(0, 0), at(180, 100, 115), track(over, crewed)), { reason: 'crewed_traffic' }, 'not once it climbs');
  const comes = { ...positionAt(home, 0, 2_000), courseDeg: 180, speedMps: 60 };
  t.match(judge(at(0, 0), at(90, 100), track(comes, crewed)), { text: /will be in \d+ s/ });
  t.equal(judge(at(0, 0), at(90, 100), track({ ...comes, courseDeg: 0 }, crewed)), null, 'it flies away');
  t.equal(judge(at(0, 0), at(90, 100), track({ ...comes })), null, 'nobody is on board');
  t.match(judge(at(0, 0), at(90, 100), track({ ...comes, altHaeM: null }, crewed)), { reason: 'crewed_traffic' });
  t.equal(mayBeCrewed(track(home, { classification: [{ type: 'helicopter', confidence: 0.7 }] })), true);
  t.equal(mayBeCrewed(track(home, { ...crewed, status: 'ground' })), false);
});

const still: OwnPlatform = {
  name: 'Kite 2',
  position: { ...home, altHaeM: 100 },
  velocity: null,
  goesTo: null,
  onGround: false,
};

t.test('two of ours are kept apart in place or height, as both fly', async (t) => {
  const judge = (from: Geodetic, to: Geodetic, other: Partial<OwnPlatform>, speedMps = 10) =>
    ownTrafficRefusal(localLegOf({ from, to }), speedMps, { ...still, ...other });
  t.match(judge(at(270, 200), at(90, 200), {}), {
    reason: 'policy_denied',
    text: /within 0 m of our own vehicle Kite 2 in 20 s/,
  });
  t.equal(judge(at(270, 200, 120), at(90, 200, 120), {}), null, 'over it');
  t.equal(judge(at(270, 200), at(90, 200), { onGround: true }), null);
  t.equal(judge(at(270, 2_000), at(90, 200), {}), null, 'in a minute it is not there yet');
  const crosses = {
    position: { ...positionAt(home, 180, 200), altHaeM: 100 },
    velocity: { eastMps: 0, northMps: 10, climbMps: 0 },
  };
  t.match(judge(at(270, 200), at(90, 200), crosses), { reason: 'policy_denied' }, 'both at the crossing at one time');
  t.equal(judge(at(270, 200), at(90, 200), { ...crosses, velocity: { eastMps: 0, northMps: 3, climbMps: 0 } }), null);
  const sent = { position: { ...positionAt(home, 180, 200), altHaeM: 100 }, goesTo: { to: at(0, 200), speedMps: 10 } };
  t.match(judge(at(270, 200), at(90, 200), sent), { reason: 'policy_denied' }, 'where it was sent');
  t.equal(judge(at(270, 10), at(270, 60), {}), null, 'near already, and apart');
  t.match(judge(at(270, 10), at(90, 60), {}), { reason: 'policy_denied' }, 'not past each other');
});

const azimuths = fc.double({ min: 0, max: 360, noNaN: true });
const reach = fc.double({ min: 0, max: 1_000, noNaN: true });
const middles = fc.constantFrom(
  { latDeg: 48.2, lonDeg: 16.37 },
  { latDeg: 10, lonDeg: 180 },
  { latDeg: 80, lonDeg: 10 },
  { latDeg: -89.99, lonDeg: 7 },
);

t.test('what a way keeps from a course is what places along both keep from each other', async (t) => {
  const flies = fc.tuple(azimuths, reach, azimuths, fc.double({ min: 0, max: 40, noNaN: true }), fc.nat(200));
  const property = fc.property(
    middles,
    fc.tuple(azimuths, reach),
    fc.tuple(azimuths, reach),
    flies,
    (middle, a, b, f) => {
      const [from, to] = [positionAt(middle, ...a), positionAt(middle, ...b)].map((place) => ({
        ...place,
        altHaeM: 90,
      }));
      const [azimuth, metres, courseDeg, speedMps, altHaeM] = f;
      if (!from || !to) return false;
      const theirs = course(track({ ...positionAt(middle, azimuth, metres), courseDeg, speedMps, altHaeM }));
      const way = localLegOf({ from, to });
      let least = Number.POSITIVE_INFINITY;
      for (let inS = 0; inS <= 10; inS += 0.5) {
        const { place, altHaeM: upM } = pathAt(theirs, inS);
        const [x, y] = way.chart.see(place);
        for (let i = 0; i <= 100; i++) {
          const [e, n] = [(way.to[0] * i) / 100, (way.to[1] * i) / 100];
          least = Math.min(least, Math.hypot(x - e, y - n, upM - 90));
        }
      }
      fc.pre(Math.abs(least - 150) > 15);
      const [x, y] = way.chart.see(pathAt(theirs, 0).place);
      fc.pre(least > 150 || Math.hypot(x, y, altHaeM - 90) > 150 + speedMps * 10);
      return (standoffRefusal(way, theirs, 150) === null) === least > 150;
    },
  );
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(500) }));
});
