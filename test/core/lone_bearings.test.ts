import t from 'tap';
import { serial } from '../support/core/observation.ts';
import { type Flight, straight } from '../support/sky/flight.ts';
import { SiteAxes, type Vector } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const seconds = 30;
const west: Vector = [-1_500, 0, 8];
const south: Vector = [0, -1_500, 8];
/** A claim that flies straight towards the western finder, so that its bearing stays the same. */
const claimed = straight([1_200, 0, 90], [-12, 0, 0]);

/** Verdicts on one claim, one for each second. `heard` is the real transmitter, for each finder that hears it. */
function verdicts(seed: number, heard: readonly [Vector, Flight][]): string[] {
  const sky = new Sky(new SiteAxes(46.2, 6.1, 400), seed);
  const seeing = { ranges: false, covers: true, clutterPerScan: 0, detection: 0.8 };
  const finders = heard.map(([at, flight]) => ({
    flight,
    eye: sky.eye(at, { measures: 'bearing', sdDeg: 3, seeing }),
  }));
  const voice = sky.voice(sky.ear(), [serial('S-1')]);
  for (let s = 0; s < seconds; s++) {
    sky.claim(voice, s + 0.3, claimed);
    for (const { eye, flight } of finders) sky.look(eye, s, [flight]);
  }
  const watched = new WatchedSky(sky);
  return Array.from({ length: seconds }, (_, s) => {
    watched.until(s + 1);
    return watched.of('S-1')[0]?.card.integrity.verdict ?? 'unchecked';
  });
}

for (let seed = 1; seed <= 5; seed++) {
  t.test(`bearings of one finder do not confirm a claim on their line (seed ${seed})`, async (t) => {
    const transmitter = straight([2_500, 0, 2], [0, 0, 0]);
    t.notOk(verdicts(seed, [[west, transmitter]]).includes('consistent'));
  });

  t.test(`bearings of two finders confirm a claim where they cross (seed ${seed})`, async (t) => {
    const both: [Vector, Flight][] = [
      [west, claimed],
      [south, claimed],
    ];
    t.equal(verdicts(seed, both).at(-1), 'consistent');
  });
}
