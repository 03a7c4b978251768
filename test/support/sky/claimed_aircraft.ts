import { serial } from '../core/observation.ts';
import type { Flight } from './flight.ts';
import { SiteAxes } from './site_axes.ts';
import { Sky } from './sky.ts';
import { WatchedSky } from './watched_sky.ts';

/** A radar that sees one aircraft, and somebody called S-1 who says from a second on to be where `said` flies. */
export function underRadar(seed: number, seconds: number, seen: Flight, said: Flight, saidFromS = 0): WatchedSky {
  const sky = new Sky(new SiteAxes(46.2, 6.1, 400), seed);
  const radar = sky.eye([0, 0, 10]);
  const voice = sky.voice(sky.ear(), [serial('S-1')]);
  for (let s = 0; s < seconds; s++) {
    sky.look(radar, s, [seen]);
    if (s >= saidFromS) sky.claim(voice, s + 0.3, said, sky.between(0.1, 1));
  }
  return new WatchedSky(sky);
}
