import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { metresBetween, type Place, placeAt } from '../support/basics/place.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { heardOf, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky, type Heard } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 240);
const serial = '1588E040445AC004418';
const mac = '90:3A:E6:5B:C8:A8';
const beginMs = Date.parse('2026-05-01T10:20:00Z');
const [UNTIL_S, FROM_S, WITHIN_S] = [60, 30, 5];
/** Tracks that one identity has at most. */
const MOST_TRACKS = 4;
const origin = { lat: 47.05, lon: 8.3 };
const path = winding(origin, 60, 8, UNTIL_S);
const names = { mac, serial, beginMs, untilS: UNTIL_S };

/** A flight of another course, so many metres beside. */
const beside = (metres: number) => winding(placeAt(path(FROM_S).place, 150, metres), 240, 8, UNTIL_S);

for (const [name, metres, firstS, secondS] of [
  ['600 m apart, each second', 600, 1, 1],
  ['3 km apart, each second', 3_000, 1, 1],
  ['600 m apart, the first each 2 s', 600, 2, 1],
  ['600 m apart, the second each 2 s', 600, 1, 2],
  ['600 m apart, the second five times a second', 600, 1, 0.2],
] as const) {
  t.test(`two streams of one radio and serial, ${name}: both are shown within 5 s of the second`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    sky.ours('Anafi', serial);
    const other = beside(metres);
    const first = heardOf({ ...names, path, everyS: firstS });
    const second = heardOf({ ...names, path: (s) => other(s), fromS: FROM_S + 0.5, everyS: secondS });
    let [number, worstM, bothS, most] = ['', 0, Number.NaN, 0];
    await sky.pass(beginMs + UNTIL_S * 1000, [...first, ...second], () => {
      const s = (sky.nowMs - beginMs) / 1000;
      const tracks = sky.named(serial);
      most = Math.max(most, tracks.length);
      const near = (place: Place) => tracks.find(({ position: p }) => p && metresBetween(p, place) < 60);
      if (s > FROM_S - 1 && s < FROM_S) {
        number = tracks[0]?.number ?? '';
        t.match(tracks, [{ affiliation: 'friend', integrity: { verdict: 'unchecked' } }]);
      }
      if (s < FROM_S) return;
      const kept = tracks.find((track) => track.number === number);
      const shownS = (Date.parse(kept?.updated_at ?? '') - beginMs) / 1000;
      worstM = Math.max(worstM, kept?.position ? metresBetween(kept.position, path(shownS).place) : Infinity);
      const fresh = near(other(s).place);
      if (Number.isNaN(bothS) && fresh && fresh.number !== number) bothS = s - FROM_S - 0.5;
      if (s < FROM_S + 0.5 + WITHIN_S) return;
      t.equal(tracks.length, 2);
      for (const { integrity, affiliation, flags } of tracks) {
        t.match([integrity.verdict, affiliation], ['suspect', 'unknown']);
        t.ok(flags.includes('id_duplicate'));
      }
    });
    t.ok(bothS <= WITHIN_S, `both after ${bothS} s`);
    t.ok(worstM < 30, `the first stays: ${worstM.toFixed(1)} m off`);
    t.equal(most, 2);
    t.comment(`both after ${bothS} s, the first at most ${worstM.toFixed(1)} m off`);
  });
}

/** Streams of one serial, each at its own place and by its own radio, or all by one. */
function crowd(count: number, macOf: (i: number) => string): Heard[] {
  return Array.from({ length: count }, (_, i) => {
    const from = winding(placeAt(origin, i * 17, 900 + 700 * i), 30 * i, 8, UNTIL_S);
    return heardOf({ ...names, mac: macOf(i), path: from, fromS: 10 + i * 0.7 });
  }).flat();
}

const radio = (i: number): string =>
  `02:00:00:00:${(i >> 8).toString(16).padStart(2, '0')}:${(i & 255).toString(16).padStart(2, '0')}`.toUpperCase();

for (const [name, streams] of [
  ['by its radio', crowd(16, () => mac)],
  ['by as many radios', crowd(40, radio)],
] as const) {
  t.test(`many streams of one serial, ${name}, make no more than ${MOST_TRACKS} tracks`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    let most = 0;
    let worstM = 0;
    await sky.pass(beginMs + UNTIL_S * 1000, [...heardOf({ ...names, path }), ...streams], () => {
      most = Math.max(most, sky.named(serial).length);
      const [track] = sky.tracks();
      if (sky.nowMs - beginMs < 5_000 || !track?.position) return;
      const shownS = (Date.parse(track.updated_at) - beginMs) / 1000;
      worstM = Math.max(worstM, metresBetween(track.position, path(shownS).place));
    });
    t.ok(worstM < 30, `the first stays: ${worstM.toFixed(1)} m off`);
    t.ok(most > 1 && most <= MOST_TRACKS, `${most} tracks`);
    t.equal(sky.tracks()[0]?.integrity.verdict, 'suspect');
  });
}

t.test(`radios at random places under one serial make no more than ${MOST_TRACKS} tracks`, async (t) => {
  const random = randomFrom(seedOf(t));
  const sky = await DrivenSky.open(t, beginMs);
  const forged = Array.from({ length: 300 }, (_, i) => {
    const place = placeAt(origin, 360 * random(), 500 + 20_000 * random());
    const fromS = 10 + i / 10;
    return heardOf({
      ...names,
      mac: radio(i),
      path: () => ({ place, courseDeg: 0, speedMps: 10 }),
      fromS,
      untilS: fromS,
    });
  }).flat();
  let most = 0;
  await sky.pass(beginMs + UNTIL_S * 1000, [...heardOf({ ...names, path }), ...forged], () => {
    most = Math.max(most, sky.tracks().length);
  });
  t.ok(most <= MOST_TRACKS, `${most} tracks`);
  const [track] = sky.tracks();
  t.ok(track?.position && metresBetween(track.position, path(UNTIL_S).place) < 30, 'the first stays');
});

t.test(
  'an aircraft whose radio and serial a spoof and places at random took before it, has a track within 5 s',
  async (t) => {
    const random = randomFrom(seedOf(t));
    const sky = await DrivenSky.open(t, beginMs);
    const spoof = heardOf({ ...names, path: beside(900) });
    const noise = Array.from({ length: 100 }, (_, i) => {
      const place = placeAt(origin, 360 * random(), 2_000 + 5_000 * random());
      const fromS = 20 + i * 0.37;
      return heardOf({ ...names, path: () => ({ place, courseDeg: 0, speedMps: 5 }), fromS, untilS: fromS });
    }).flat();
    const real = heardOf({ ...names, path, fromS: FROM_S });
    await sky.pass(beginMs + (FROM_S + WITHIN_S) * 1000, [...spoof, ...noise, ...real]);
    const s = (sky.nowMs - beginMs) / 1000;
    const offM = sky.named(serial).map(({ position: p }) => (p ? metresBetween(p, path(s).place) : Infinity));
    t.ok(Math.min(...offM) < 30, `${offM.map(Math.round)} m off`);
    await sky.pass(beginMs + UNTIL_S * 1000);
    t.ok(sky.named(serial).length <= 2, 'places at random are no aircraft');
  },
);
