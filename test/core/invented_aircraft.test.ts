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
