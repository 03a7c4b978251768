import t from 'tap';
import { serial } from '../support/core/observation.ts';
import { circling, displaced } from '../support/sky/flight.ts';
import { apartM, SiteAxes, type Vector } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const site = new SiteAxes(46.2, 6.1, 400);
const dark = circling([900, 700, 120], 300, 12);
const seconds = 120;

/** A friend that tells where it is over a link that proves who speaks, five times a second, beside an aircraft that says nothing. */
function besideTheDark(seed: number, friendIsSeen: boolean) {
  const sky = new Sky(site, seed);
  const angle = sky.between(0, 2 * Math.PI);
  const apart = sky.between(30, 60);
  const beside: Vector = [apart * Math.sin(angle), apart * Math.cos(angle), 0];
  const friend = displaced(dark, beside);
  const radar = sky.eye([0, 0, 10]);
  const voice = sky.voice(sky.ear(), [serial('FRIEND')], { authentic: true, sdM: 2 });
  for (let s = 0; s < seconds; s++) {
    sky.look(radar, s, friendIsSeen ? [dark, friend] : [dark]);
    for (let i = 0; i < 5; i++) sky.claim(voice, s + 0.05 + i / 5, friend, 0.05);
  }
  return { watched: new WatchedSky(sky), friend, apart };
}

for (const friendIsSeen of [true, false]) {
  const who = friendIsSeen ? 'both' : 'only the dark one';
  for (let seed = 1; seed <= 10; seed++) {
    t.test(
      `the dark aircraft beside a friend is not taken for it where radar sees ${who} (seed ${seed})`,
      async (t) => {
        const { watched, friend, apart } = besideTheDark(seed, friendIsSeen);
        const anonymous = new Set<number>();
        let shownS = 0;
        for (let s = 1; s <= seconds; s++) {
          watched.until(s);
          for (const { number, place, state } of watched.of('FRIEND')) {
            const [own, other] = [apartM(place, friend(s).place), apartM(place, dark(s).place)];
            if (state === 'confirmed' && own > other) t.fail(`at ${s} s the friend's track is where the dark one is`);
            if (anonymous.has(number)) t.fail(`at ${s} s track ${number} of the dark one is called a friend`);
          }
          const shown = watched
            .confirmed()
            .filter(({ place, card }) => card.identities.length === 0 && apartM(place, dark(s).place) < 25);
          shownS += shown.length > 0 ? 1 : 0;
          for (const { number, place } of shown)
            if (apartM(place, dark(s).place) < apartM(place, friend(s).place)) anonymous.add(number);
        }
        // A radar that sees only one of two so near each other may well see the friend, some tens of metres wrong.
        if (!friendIsSeen && apart < 45) return;
        t.ok(shownS > seconds * 0.8, `${apart.toFixed(0)} m apart it is shown for itself in ${shownS} of ${seconds} s`);
      },
    );
  }
}
