import fc from 'fast-check';
import geodesic from 'geographiclib-geodesic';
import t from 'tap';
import { geoidHeightM } from '../../src/geo/geoid.ts';
import { LocalFrame } from '../../src/geo/local_frame.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { enuOf } from './reference_geodesy.ts';

const place = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
  height: fc.double({ min: -500, max: 20_000, noNaN: true }),
});

t.test('local coordinates agree with the reference implementation and come back to the same place', async (t) => {
  fc.assert(
    fc.property(place, place, (origin, there) => {
      const frame = new LocalFrame(origin.lat, origin.lon, origin.height);
      const { eastM: east, northM: north, upM: up } = frame.toEnu(there.lat, there.lon, there.height);
      const slow = enuOf([origin.lat, origin.lon, origin.height], there.lat, there.lon, there.height);
      [east, north, up].forEach((value, i) => {
        if (Math.abs(value - (slow[i] ?? Number.NaN)) > 1e-5) throw new Error(`axis ${i}: ${value} against ${slow[i]}`);
      });
      const back = frame.toGeodetic(east, north, up);
      const again = frame.toEnu(back.latDeg, back.lonDeg, back.altHaeM);
      return Math.hypot(again.eastM - east, again.northM - north, again.upM - up) < 1e-5;
    }),
    { seed: seedOf(t), numRuns: sized(20_000) },
  );
});

t.test('short distances in the plane are geodesic distances', async (t) => {
  const earth = geodesic.Geodesic.WGS84;
  const step = fc.record({
    bearing: fc.double({ min: 0, max: 360, noNaN: true }),
    metres: fc.double({ min: 1, max: 5_000, noNaN: true }),
  });
  fc.assert(
    fc.property(place, step, ({ lat, lon }, { bearing, metres }) => {
      const there = earth.Direct(lat, lon, bearing, metres);
      const { eastM: east, northM: north } = new LocalFrame(lat, lon, 0).toEnu(there.lat2 ?? 0, there.lon2 ?? 0, 0);
      return Math.abs(Math.hypot(east, north) - metres) < 0.003;
    }),
    { seed: seedOf(t), numRuns: sized(5_000) },
  );
});

t.test('what is told in the axes at a place is turned into those of the frame', async (t) => {
  const step = fc.record({
    east: fc.double({ min: -20, max: 20, noNaN: true }),
    north: fc.double({ min: -20, max: 20, noNaN: true }),
    up: fc.double({ min: -20, max: 20, noNaN: true }),
  });
  fc.assert(
    fc.property(place, place, step, (origin, there, { east, north, up }) => {
      const frame = new LocalFrame(origin.lat, origin.lon, origin.height);
      const from = frame.toEnu(there.lat, there.lon, there.height);
      const moved = new LocalFrame(there.lat, there.lon, there.height).toGeodetic(east, north, up);
      const to = frame.toEnu(moved.latDeg, moved.lonDeg, moved.altHaeM);
      const turned = frame.turnFrom(there.lat, there.lon).vector(east, north, up);
      const [de, dn, du] = [to.eastM - from.eastM, to.northM - from.northM, to.upM - from.upM];
      return Math.hypot(turned.east - de, turned.north - dn, turned.up - du) < 1e-4;
    }),
    { seed: seedOf(t), numRuns: sized(5_000) },
  );
});

t.test('across the pole north is south, for velocities and for what is uncertain', async (t) => {
  const turn = new LocalFrame(89.99, 10, 0).turnFrom(89.99, -170);
  const { east, north, up } = turn.vector(3, 4, 5);
  // The verticals of the two places lean 0.02 degrees from each other.
  t.ok(Math.hypot(east + 3, north + 4, up - 5) < 0.005, `${east}, ${north}, ${up}`);
  const quarter = new LocalFrame(89.9999, 0, 0).turnFrom(89.9999, 90);
  const covariance = quarter.covariance([9, 1, 2, 4, 3, 25]);
  [4, -1, -3, 9, 2, 25].forEach((value, i) => {
    t.ok(Math.abs((covariance[i] ?? Number.NaN) - value) < 0.001, `entry ${i}: ${covariance[i]}`);
  });
});

t.test('the geoid is where NGA says it is', async (t) => {
  // Six points of the test file that accompanies NGA's F477 program for EGM96.
  const points = [
    [38.628155, 269.779155, -31.628],
    [-14.621217, 305.021114, -2.969],
    [46.874319, 102.448729, -43.575],
    [-23.617446, 133.874712, 15.871],
    [38.625473, 359.9995, 50.066],
    [-0.466744, 0.0023, 17.329],
  ] as const;
  for (const [lat, lon, height] of points) t.ok(Math.abs(geoidHeightM(lat, lon) - height) < 0.06, `${lat}, ${lon}`);
});
