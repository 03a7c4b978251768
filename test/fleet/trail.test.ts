import t from 'tap';
import { Trail, type TrailPoint } from '../../src/fleet/trail.ts';
import { moved } from '../support/vehicles/flight.ts';

const HOME = { lat: 52.1, lon: 4.2 };

/** So many metres north of home, at a time of arrival and of the sender's clock. */
function spot(northM: number, atMs: number, bootMs: number): TrailPoint {
  const { lat, lon } = moved(HOME, northM, 0);
  return { latDeg: lat, lonDeg: lon, altMslM: 40, atMs, bootMs };
}

t.test('a boot clock that runs fast flies no farther than one delay of a radio', async (t) => {
  const trail = new Trail(() => 'multirotor');
  trail.follow(spot(0, 0, 0));
  let farthestM = 0;
  for (let turn = 1; turn <= 50; turn++) {
    const northM = 450 * turn;
    if (trail.follow(spot(northM, 200 * turn, 10_200 * turn))) farthestM = northM;
  }
  t.equal(farthestM, 450);
});

t.test('positions that waited 9 s in a radio are believed when they arrive together', async (t) => {
  const trail = new Trail(() => 'multirotor');
  for (let second = 0; second < 5; second++) t.ok(trail.follow(spot(45 * second, 1_000 * second, 1_000 * second)));
  for (let second = 5; second < 14; second++) t.ok(trail.follow(spot(45 * second, 13_000, 1_000 * second)));
  t.ok(trail.follow(spot(45 * 14, 14_000, 14_000)));
});
