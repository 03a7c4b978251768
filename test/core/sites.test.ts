import t from 'tap';
import { busySky } from '../support/sky/busy_sky.ts';
import { apartM, SiteAxes, type Vector } from '../support/sky/site_axes.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

/** The same sky over a place of the earth: every five seconds the confirmed tracks, in the site's axes. */
function tracksOver(latDeg: number, lonDeg: number, seed: number) {
  const { sky, flights, seconds } = busySky(new SiteAxes(latDeg, lonDeg, 120), seed);
  const watched = new WatchedSky(sky);
  const told: { atS: number; number: number; place: Vector; serial: string }[] = [];
  for (let s = 0.5; s <= seconds; s += 0.5) {
    watched.until(s);
    if (s % 5 > 0) continue;
    for (const { number, place, card, updatedS } of watched.confirmed())
      told.push({ atS: updatedS, number, place, serial: card.identities[0]?.value ?? '' });
  }
  const unseen = flights.filter((flight) => !watched.at(flight(seconds).place, 25)).length;
  return { told, unseen, confirmed: watched.confirmed().length };
}

for (const seed of [1, 2, 3]) {
  t.test(`the same sky is the same tracks wherever on earth it is (seed ${seed})`, async (t) => {
    const here = tracksOver(46.2, 6.1, seed);
    t.equal(here.unseen, 0, 'each aircraft has a track');
    t.equal(here.confirmed, 10, 'and none has two');
    for (const [name, lat, lon] of [
      ['across the antimeridian', -16.8, 179.9985],
      ['beside the pole', 89.975, 20],
    ] as const) {
      const there = tracksOver(lat, lon, seed);
      const names = ({ told }: typeof here) => told.map(({ atS, number, serial }) => [atS, number, serial]);
      t.same(names(there), names(here), `${name} the same tracks at the same times`);
      const most = Math.max(...here.told.map(({ place }, i) => apartM(place, there.told[i]?.place ?? [0, 0, 0])));
      t.ok(most < 0.1, `${name} they lie at most ${most.toFixed(4)} m beside`);
    }
  });
}
