import t from 'tap';
import { serial } from '../support/core/observation.ts';
import { circling, type Flight, straight } from '../support/sky/flight.ts';
import { apartM, SiteAxes, type Vector } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const site = new SiteAxes(46.2, 6.1, 400);
const seconds = 30;

/** Flights of aircraft that are not there, each far from all that are. */
function invented(sky: Sky, real: readonly Flight[], count: number): Flight[] {
  const flights: Flight[] = [];
  while (flights.length < count) {
    const from: Vector = [sky.between(-2_500, 2_500), sky.between(-2_500, 2_500), sky.between(80, 250)];
    const flight = straight(from, [sky.between(-10, 10), sky.between(-10, 10), 0]);
    const least = Math.min(...real.map((other) => nearest(flight, other)));
    if (least > 150 && Math.hypot(from[0], from[1]) > 600) flights.push(flight);
  }
  return flights;
}

function nearest(a: Flight, b: Flight): number {
  return Math.min(...Array.from({ length: seconds }, (_, s) => apartM(a(s).place, b(s).place)));
}

for (let seed = 1; seed <= 4; seed++) {
  t.test(`sixty invented claims are suspect, eight real ones never (seed ${seed})`, async (t) => {
    const sky = new Sky(site, seed);
    const real = Array.from({ length: 8 }, (_, i) =>
      circling([1_800 * Math.sin(i), 1_800 * Math.cos(i), 100 + 20 * i], 250, 10 + i),
    );
    const flights = [...real, ...invented(sky, real, 60)];
    const radar = sky.eye([0, 0, 10]);
    const ear = sky.ear();
    const voices = flights.map((_, i) => sky.voice(ear, [serial(i < 8 ? `REAL-${i}` : `FAKE-${i}`)]));
    for (let s = 0; s < seconds; s++) {
      sky.look(radar, s, real);
      for (const [i, flight] of flights.entries()) {
        const voice = voices[i];
        if (voice) sky.claim(voice, s + i / flights.length, flight, sky.between(0.1, 1));
      }
    }
    const watched = new WatchedSky(sky);
    for (let s = 1; s <= seconds; s++) {
      watched.until(s);
      const suspect = watched.shown().filter(({ card }) => card.integrity.verdict === 'suspect');
      const names = suspect.flatMap(({ card }) => card.identities.map(({ value }) => value));
      t.same(
        names.filter((name) => name.startsWith('REAL')),
        [],
        `no real one at ${s} s`,
      );
      if (s >= 13) t.equal(names.length, 60, `all invented ones at ${s} s`);
    }
    for (let i = 0; i < 8; i++) t.equal(watched.of(`REAL-${i}`)[0]?.card.integrity.verdict, 'consistent', `REAL-${i}`);
  });
}

/** Approach of an invented aircraft to the place of a real one, where it then stays. */
const approach =
  (to: Vector, fromS: number, speedMps: number): Flight =>
  (s) => {
    const leftM = Math.max(0, fromS - s) * speedMps;
    return { place: [to[0] + leftM, to[1], to[2]], velocity: [leftM > 0 ? -speedMps : 0, 0, 0] };
  };

for (const [what, real, untilS] of [
  ['hovers', approach([500, 500, 100], 0, 0), 65],
  ['circles', circling([500, 480, 100], 20, 4), 65],
  ['hovers 60 m beside', approach([500, 560, 80], 0, 0), 110],
] as const) {
  for (const seed of [1, 2, 3]) {
    t.test(
      `an invented claim that comes to a silent aircraft that ${what} gives it no name at once (seed ${seed})`,
      async (t) => {
        const sky = new Sky(site, seed);
        const fake = approach([500, 500, 100], 40, 25);
        const radar = sky.eye([0, 0, 10]);
        const voice = sky.voice(sky.ear(), [serial('FAKE')]);
        for (let s = 0; s < untilS; s++) {
          sky.look(radar, s, [real]);
          sky.claim(voice, s + 0.5, fake, 0.2);
        }
        const watched = new WatchedSky(sky);
        for (let s = 1; s <= untilS; s++) {
          watched.until(s);
          const silent = watched
            .shown()
            .filter(({ place, card }) => apartM(place, real(s).place) < 45 && !card.identities.length);
          if (s >= 10) t.ok(silent.length > 0, `the real aircraft has no name at ${s} s`);
        }
      },
    );
  }
}

t.test('an aircraft that comes into the view of a radar late is one track again after a few seconds', async (t) => {
  const sky = new Sky(site, 5);
  const flight = circling([500, 480, 100], 200, 8);
  const radar = sky.eye([0, 0, 10]);
  const voice = sky.voice(sky.ear(), [serial('LATE')]);
  for (let s = 0; s < 70; s++) {
    sky.look(radar, s, s < 45 ? [] : [flight]);
    sky.claim(voice, s + 0.5, flight, 0.2);
  }
  const watched = new WatchedSky(sky);
  for (let s = 1; s <= 70; s++) {
    watched.until(s);
    const near = watched
      .shown()
      .filter(({ place, state }) => state === 'confirmed' && apartM(place, flight(s).place) < 100);
    if (s === 40) t.equal(watched.of('LATE')[0]?.card.integrity.verdict, 'suspect', 'no sensor sees it');
    if (s >= 55) t.equal(near.length, 1, `one track at ${s} s`);
  }
  t.equal(watched.of('LATE')[0]?.card.integrity.verdict, 'consistent');
});
