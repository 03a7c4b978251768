import t from 'tap';
import { serial } from '../support/core/observation.ts';
import { underRadar } from '../support/sky/claimed_aircraft.ts';
import { circling, displaced, straight } from '../support/sky/flight.ts';
import { apartM, SiteAxes } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { type Shown, WatchedSky } from '../support/sky/watched_sky.ts';

const site = new SiteAxes(46.2, 6.1, 400);
const flight = circling([900, 700, 120], 300, 12);

const reasonsOf = (shown: Shown | undefined): string[] => shown?.card.integrity.reasons.map(({ id }) => id) ?? [];
const verdictOf = (shown: Shown | undefined): string | undefined => shown?.card.integrity.verdict;

for (let seed = 1; seed <= 5; seed++) {
  t.test(
    `a claim far from what radar sees is suspect, and the aircraft keeps its own track (seed ${seed})`,
    async (t) => {
      const watched = underRadar(seed, 40, flight, displaced(flight, [800, 0, 0]), 10);
      watched.until(9.9);
      const real = watched.at(flight(9.9).place, 40);
      t.ok(real, 'radar shows it before anybody speaks');
      let suspectS = Number.POSITIVE_INFINITY;
      for (let s = 10; s <= 40; s += 0.5) {
        watched.until(s);
        const [claimed] = watched.of('S-1');
        if (verdictOf(claimed) === 'suspect' && reasonsOf(claimed).includes('not_seen_by_sensor'))
          suspectS = Math.min(suspectS, s);
        if (verdictOf(claimed) === 'consistent') t.fail(`at ${s} s it is believed`);
        if (claimed?.number === real?.number) t.fail(`at ${s} s the aircraft that radar sees is called so`);
      }
      t.ok(suspectS <= 20, `suspect ${suspectS - 10} s after it began`);
      t.match(watched.at(flight(40).place, 40), { number: real?.number, card: { identities: [] } });
    },
  );

  t.test(
    `an honest claim is borne out where a sensor looks, and unchecked where none does (seed ${seed})`,
    async (t) => {
      const seen = underRadar(seed, 30, flight, flight);
      for (let s = 1; s <= 30; s++) {
        seen.until(s);
        t.not(verdictOf(seen.of('S-1')[0]), 'suspect', `not at ${s} s`);
      }
      t.equal(verdictOf(seen.of('S-1')[0]), 'consistent');
      t.equal(seen.confirmed().length, 1, 'one aircraft, one track');
      t.equal(seen.of('S-1')[0]?.card.cooperative, 'both');

      const sky = new Sky(site, seed);
      const voice = sky.voice(sky.ear(), [serial('S-1')]);
      for (let s = 0; s < 30; s++) sky.claim(voice, s, flight);
      const unseen = new WatchedSky(sky);
      unseen.until(30);
      t.match(unseen.of('S-1')[0]?.card, {
        cooperative: 'coop_only',
        integrity: { verdict: 'unchecked', reasons: [] },
      });
    },
  );
}

t.test('of copies of one serial in two places both are marked, and neither moves the other', async (t) => {
  const flights = [straight([0, 0, 100], [10, 0, 0]), straight([4_000, 3_000, 100], [0, -10, 0])];
  const sky = new Sky(site, 1);
  const ear = sky.ear();
  const copies = flights.map((_, i) =>
    sky.voice(ear, [serial('S-1'), { type: 'mac', value: `AA:0${i}`, transport: 'bt4' }]),
  );
  for (let s = 0; s < 30; s++)
    flights.forEach((copy, i) => {
      const voice = copies[i];
      if (voice) sky.claim(voice, s + i / 2, copy);
    });
  const watched = new WatchedSky(sky);
  for (let s = 1; s <= 30; s++) {
    watched.until(s);
    if (s < 5) continue;
    const tracks = watched.of('S-1');
    t.equal(tracks.length, 2, `two tracks at ${s} s`);
    for (const { card } of tracks) t.ok(card.flags.includes('id_duplicate'));
    for (const copy of flights) t.ok(Math.min(...tracks.map(({ place }) => apartM(place, copy(s).place))) < 20);
  }
});
