import t from 'tap';
import { ROW_WIDTH } from '../../src/model/track_row.ts';
import { type Flight, straight } from '../support/sky/flight.ts';
import { apartM, SiteAxes, type Vector } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const site = new SiteAxes(46.2, 6.1, 400);
const FINE_S = 0.05;

/** A racing drone: every 6 to 12 s it turns by 90° to 180°, with `hardMps2` at most. */
function racing(sky: Sky, from: Vector, speedMps: number, hardMps2: number, untilS: number): Flight {
  let [heading, next] = [sky.between(0, 6.3), sky.between(4, 10)];
  const place: [number, number, number] = [...from];
  const velocity: [number, number, number] = [speedMps * Math.sin(heading), speedMps * Math.cos(heading), 0];
  const points: ReturnType<Flight>[] = [];
  for (let s = 0; s <= untilS + 1; s += FINE_S) {
    if (s > next) {
      heading += (sky.random() < 0.5 ? -1 : 1) * sky.between(1.57, 3.14);
      next = s + sky.between(6, 12);
    }
    points.push({ place: [...place], velocity: [...velocity] });
    const wanted = [speedMps * Math.sin(heading) - velocity[0], speedMps * Math.cos(heading) - velocity[1]] as const;
    const part = Math.min(FINE_S / 0.25, (hardMps2 * FINE_S) / Math.max(Math.hypot(...wanted), 1e-9));
    velocity[0] += wanted[0] * part;
    velocity[1] += wanted[1] * part;
    place[0] += velocity[0] * FINE_S;
    place[1] += velocity[1] * FINE_S;
  }
  return (s) => points[Math.round(s / FINE_S)] ?? { place: from, velocity: [0, 0, 0] };
}

const places: readonly Vector[] = [
  [-1800, 900, 90],
  [1500, 1600, 60],
  [700, -1900, 120],
  [-1200, -1400, 80],
  [2100, -300, 100],
];

/** Seconds in which an aircraft has no track within 100 m, tracks in addition to one an aircraft, and how far off they are. */
function lossesOf(seed: number, seconds: number): { unseenS: number; more: number; offM: number } {
  const sky = new Sky(site, seed);
  const radar = sky.eye([0, 0, 10]);
  const flights = places.map((from) => racing(sky, from, sky.between(12, 22), sky.between(10, 18), seconds));
  for (let s = 0; s < seconds; s++) sky.look(radar, s, flights);
  const watched = new WatchedSky(sky);
  const numbers = new Set<number>();
  let [unseenS, square, count] = [0, 0, 0];
  for (let s = 5; s < seconds; s++) {
    watched.until(s + 0.5);
    const shown = watched.confirmed();
    for (const { number } of shown) numbers.add(number);
    for (const flight of flights) {
      const off = Math.min(...shown.map(({ place }) => apartM(place, flight(s + 0.5).place)));
      if (off > 100) unseenS++;
      else {
        square += off * off;
        count++;
      }
    }
  }
  return { unseenS, more: numbers.size - flights.length, offM: Math.sqrt(square / count) };
}

t.test('drones that reverse every few seconds keep their tracks', async (t) => {
  const seeds = Array.from({ length: 12 }, (_, i) => i + 1);
  const losses = seeds.map((seed) => lossesOf(seed, 120));
  const more = losses.reduce((sum, loss) => sum + loss.more, 0);
  t.ok(more <= 15, `${more} tracks in addition to ${places.length * seeds.length} in 12 skies`);
  for (const [i, { unseenS, offM }] of losses.entries())
    t.ok(unseenS <= 3 && offM < 25, `sky ${seeds[i]}: ${unseenS} s without a track, ${offM.toFixed(1)} m off`);
});

/** 1-sigma radius told for the longest lead of an aircraft that was watched for a minute, m. */
function radiusAhead(seed: number, make: (sky: Sky) => Flight): number {
  const sky = new Sky(site, seed);
  const radar = sky.eye([0, 0, 10]);
  const flight = make(sky);
  for (let s = 0; s < 60; s++) sky.look(radar, s, [flight]);
  const watched = new WatchedSky(sky);
  watched.until(60);
  const [track] = watched.confirmed().filter(({ place }) => apartM(place, flight(60).place) < 100);
  return watched.rows.get(track?.number ?? -1)?.[ROW_WIDTH - 1] ?? Number.NaN;
}

for (let seed = 1; seed <= 6; seed++) {
  t.test(`a straight flight is foretold more closely than one of many turns (seed ${seed})`, async (t) => {
    const steady = radiusAhead(seed, () => straight([-600, 900, 100], [14, 3, 0]));
    const turning = radiusAhead(seed, (sky) => racing(sky, [-600, 900, 100], 15, 12, 60));
    t.ok(steady < turning / 2, `${steady.toFixed(0)} m against ${turning.toFixed(0)} m`);
  });
}
