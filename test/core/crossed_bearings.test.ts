import t from 'tap';
import { circling } from '../support/sky/flight.ts';
import { SiteAxes, type Vector } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const flight = circling([200, 400, 100], 300, 12);
const stands: readonly Vector[] = [
  [-1_500, -1_200, 5],
  [1_600, -900, 8],
  [100, 1_800, 20],
];

/** Three direction finders that know the emitter; it is heard for so many seconds. */
function heardFor(seconds: number): WatchedSky {
  const sky = new Sky(new SiteAxes(46.2, 6.1, 400), 1);
  const seeing = { ranges: false, covers: false, clutterPerScan: 0 };
  const finders = stands.map((at) => sky.eye(at, { measures: 'bearing', sdDeg: 1, seeing }));
  for (let s = 0; s < seconds; s++) for (const finder of finders) sky.bearing(finder, s, flight(s).place, 7);
  return new WatchedSky(sky);
}

t.test('an emitter that three direction finders hear is a track', async (t) => {
  const watched = heardFor(40);
  for (let s = 1; s <= 40; s++) watched.until(s);
  t.equal(watched.confirmed().length, 1);
  t.ok(watched.at(flight(40).place, 200), 'about where it flies');
});

t.test('a track that bearings began and nothing followed comes with a card and is ended', async (t) => {
  const watched = heardFor(1);
  watched.until(0.9);
  t.same([...watched.rows.keys()], [...watched.cards.keys()], 'a row has a card');
  for (let s = 1; s <= 60; s++) watched.until(s);
  t.same([...watched.rows.keys()], [], 'what is told is taken back');
  t.equal(watched.removed.length, 1);
});
