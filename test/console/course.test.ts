import t from 'tap';
import { distanceAndCourse, placeAt } from '../../src/console/map/camera.ts';
import { courseAhead } from '../../src/console/map/course.ts';

const site = { lat: 52, lon: 4 };
const SPEED_MPS = 12;
/** Predictions of a straight flight from a place, as the box sends them: up to 30 s ahead. */
const straight = (from: { lat: number; lon: number }, courseDeg: number) =>
  [5, 10, 20, 30].map((in_s) => ({ in_s, ...placeAt(from, SPEED_MPS * in_s, courseDeg) }));

t.test('a course vector ends where the track will be in the chosen time, beyond the predictions too', async (t) => {
  for (const courseDeg of [0, 75, 200])
    for (const vectorS of [10, 30, 60]) {
      const end = courseAhead(site, straight(site, courseDeg), vectorS).at(-1);
      const { distanceM } = distanceAndCourse(site, end ?? site);
      t.ok(Math.abs(distanceM - SPEED_MPS * vectorS) < 2, `${distanceM} m in ${vectorS} s, course ${courseDeg}`);
    }
  t.same(courseAhead(site, [], 60), [], 'nothing is drawn without a prediction');
});

t.test('a course vector crosses the 180th meridian without a leap', async (t) => {
  const from = { lat: 0, lon: 179.9985 };
  const across = straight(from, 90).map(({ lon, ...rest }) => ({ ...rest, lon: lon > 180 ? lon - 360 : lon }));
  const end = courseAhead(from, across, 60).at(-1);
  t.ok(end && Math.abs((((end.lon % 360) + 360) % 360) - 180) < 0.01, `${end?.lon}`);
});
