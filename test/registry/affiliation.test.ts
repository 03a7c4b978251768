import fc from 'fast-check';
import t from 'tap';
import type { Decision, Judged } from '../../src/model/affiliation.ts';
import { affiliations } from '../../src/model/track.ts';
import { decide as decideWithin, type Known } from '../../src/registry/affiliation.ts';
import { placeAt } from '../support/basics/place.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

const nowMs = 1_000_000;
const [FRESH_MS, AGREES_M] = [5_000, 100];
const decide = (of: Judged, known: readonly Known[], at: number): Decision =>
  decideWithin(of, known, at, { freshMs: FRESH_MS, agreesM: AGREES_M });
const site = { lat: 47, lon: 8 };
const here = { latDeg: site.lat, lonDeg: site.lon, hM: 5, atMs: nowMs, receivedMs: nowMs };

const track = (change: Partial<Judged> = {}): Judged => ({ suspect: false, duplicate: false, place: here, ...change });
const asset = (change: Partial<Known> = {}): Known => ({
  id: 'a',
  name: 'Heron',
  force: true,
  assigned: null,
  speaks: false,
  telemetry: null,
  ...change,
});

/** The same of a vehicle that speaks still and has lost its fix. */
function withoutFix(metres: number, agoMs: number): Partial<Known> {
  const known = telemetry(metres, agoMs);
  return known.telemetry ? { ...known, telemetry: { ...known.telemetry, isWithoutFix: true } } : known;
}

/** Telemetry so many metres from the track, heard so long ago. */
function telemetry(metres: number, agoMs = 0): Partial<Known> {
  const { lat, lon } = placeAt(site, 30, metres);
  return {
    speaks: true,
    telemetry: { receivedMs: nowMs - agoMs, at: () => ({ latDeg: lat, lonDeg: lon }), isWithoutFix: false },
  };
}

const friend = (basis: Decision['affiliation_basis']) => ({
  affiliation: 'friend',
  affiliation_basis: basis,
  asset_id: 'a',
  cloned: null,
});
const nobody = { affiliation: 'unknown', affiliation_basis: 'none', asset_id: null, cloned: null };
const known = { ...nobody, asset_id: 'a' };
const cloned = { ...nobody, cloned: { id: 'a', name: 'Heron' } };

t.test('who a track is, case by case', async (t) => {
  const cases: [string, Judged, Known[], object][] = [
    ['claims to be nobody', track(), [], nobody],
    ['a registered serial, nothing contradicts', track(), [asset()], friend('remote_id')],
    ['the same without a place', track({ place: null }), [asset()], friend('remote_id')],
    ['on a suspect track', track({ suspect: true }), [asset()], cloned],
    ['another aircraft reports the same identity', track({ duplicate: true }), [asset()], cloned],
    ['an emitter', track(), [asset({ force: false })], known],
    ['its telemetry agrees', track(), [asset(telemetry(60))], friend('telemetry')],
    [
      'its telemetry agrees, and another uses its name',
      track({ duplicate: true }),
      [asset(telemetry(60))],
      friend('telemetry'),
    ],
    ['its telemetry agrees, but sensors belie the track', track({ suspect: true }), [asset(telemetry(60))], cloned],
    ['its telemetry is elsewhere', track(), [asset(telemetry(2_000))], cloned],
    [
      'elsewhere, within what the track does not know',
      track({ place: { ...here, hM: 60 } }),
      [asset(telemetry(200))],
      known,
    ],
    [
      'elsewhere, of a track that flies on unheard',
      track({ place: { ...here, receivedMs: nowMs - 4_000 } }),
      [asset(telemetry(2_000))],
      known,
    ],
    ['its telemetry is too old', track(), [asset(telemetry(10, FRESH_MS + 1))], known],
    [
      'its telemetry is of another moment',
      track({ place: { ...here, atMs: nowMs - 20_000 } }),
      [asset(telemetry(10))],
      known,
    ],
    [
      'it speaks without a fix, and nobody has seen its track since',
      track({ place: { ...here, receivedMs: nowMs - 20_000 } }),
      [asset(withoutFix(10, 20_000))],
      friend('telemetry'),
    ],
    [
      'it speaks without a fix, and is seen where it was',
      track(),
      [asset(withoutFix(60, 20_000))],
      friend('telemetry'),
    ],
    ['it speaks without a fix, and is seen elsewhere', track(), [asset(withoutFix(500, 20_000))], known],
    ['it has had no fix for too long', track(), [asset(withoutFix(10, 301_000))], known],
    ['it spoke once and is silent since', track(), [asset({ speaks: true })], known],
    ['it speaks, and the track has no place', track({ place: null }), [asset(telemetry(0))], known],
    [
      'a person says friend of an emitter',
      track(),
      [asset({ force: false, assigned: 'friend' })],
      friend('assignment'),
    ],
    ['a person says friend, a clone is no friend', track({ suspect: true }), [asset({ assigned: 'friend' })], cloned],
    [
      'a person says friend, its telemetry is elsewhere',
      track(),
      [asset({ ...telemetry(900), assigned: 'friend' })],
      cloned,
    ],
    [
      'a person says hostile',
      track(),
      [asset({ assigned: 'hostile' })],
      { ...known, affiliation: 'hostile', affiliation_basis: 'assignment' },
    ],
    [
      'hostile, and suspect beside',
      track({ suspect: true }),
      [asset({ assigned: 'hostile' })],
      { affiliation: 'hostile', asset_id: 'a' },
    ],
    [
      'a person says neutral',
      track(),
      [asset({ assigned: 'neutral' })],
      { affiliation: 'neutral', affiliation_basis: 'assignment' },
    ],
    [
      'a person says unknown of a member',
      track(),
      [asset({ assigned: 'unknown' })],
      { affiliation: 'unknown', affiliation_basis: 'assignment', asset_id: 'a' },
    ],
    [
      'the keys of two: the worst that is said holds',
      track(),
      [asset(), asset({ id: 'b', assigned: 'hostile' })],
      { affiliation: 'hostile', asset_id: 'b' },
    ],
    [
      'the keys of a friend and of one who is elsewhere',
      track(),
      [asset({ ...telemetry(900) }), asset({ id: 'b' })],
      cloned,
    ],
  ];
  for (const [name, judged, assets, is] of cases) t.match(decide(judged, assets, nowMs), is, name);
});

const anyTrack = fc.record({
  suspect: fc.boolean(),
  duplicate: fc.boolean(),
  place: fc.option(
    fc.record({
      latDeg: fc.double({ min: -90, max: 90, noNaN: true }),
      lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
      hM: fc.double({ min: 0, max: 5_000, noNaN: true }),
      atMs: fc.integer({ min: nowMs - 60_000, max: nowMs }),
      receivedMs: fc.integer({ min: nowMs - 60_000, max: nowMs }),
    }),
  ),
});
const anyAsset = fc.record({
  id: fc.constantFrom('a', 'b'),
  name: fc.constant('n'),
  force: fc.boolean(),
  assigned: fc.option(fc.constantFrom(...affiliations)),
  speaks: fc.boolean(),
  telemetry: fc.option(
    fc
      .record({
        receivedMs: fc.integer({ min: nowMs - 60_000, max: nowMs }),
        latDeg: fc.double({ min: -90, max: 90, noNaN: true }),
        lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
      })
      .map(({ receivedMs, ...place }) => ({ receivedMs, at: () => place, isWithoutFix: false })),
  ),
});

t.test('nobody is a friend whom something contradicts, and nobody is hostile whom no person called so', async (t) => {
  fc.assert(
    fc.property(anyTrack, fc.array(anyAsset, { maxLength: 3 }), (judged, assets) => {
      const { affiliation, affiliation_basis, asset_id, cloned } = decide(judged, assets, nowMs);
      if (affiliation === 'friend') {
        if (judged.suspect || cloned) return false;
        if (!assets.some(({ force, assigned }) => assigned === 'friend' || (assigned === null && force))) return false;
        if (affiliation_basis === 'none' || asset_id === null) return false;
      }
      if (affiliation === 'hostile' && !assets.some(({ assigned }) => assigned === 'hostile')) return false;
      if (affiliation !== 'hostile' && assets.some(({ assigned }) => assigned === 'hostile')) return false;
      if (cloned) return affiliation === 'unknown' && asset_id === null;
      return assets.length > 0 || affiliation === 'unknown';
    }),
    { seed: seedOf(t), numRuns: sized(3_000) },
  );
});

t.test('the bound of agreement is a hundred metres, anywhere on the earth', async (t) => {
  for (const lat of [-89.99, -60, 0, 47, 89.9]) {
    for (const lon of [-179.9999, 0, 8, 179.9999]) {
      for (const azimuth of [0, 90, 200]) {
        const basis = (metres: number) => {
          const there = placeAt({ lat, lon }, azimuth, metres);
          const said = { latDeg: there.lat, lonDeg: there.lon };
          const place = { ...here, latDeg: lat, lonDeg: lon };
          return decide(
            track({ place }),
            [asset({ speaks: true, telemetry: { receivedMs: nowMs, at: () => said, isWithoutFix: false } })],
            nowMs,
          ).affiliation_basis;
        };
        t.equal(basis(AGREES_M * 0.99), 'telemetry', `${lat} ${lon} ${azimuth}`);
        t.equal(basis(AGREES_M * 1.01), 'none');
      }
    }
  }
});
