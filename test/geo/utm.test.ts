import t from 'tap';
import { latLonOfUtm } from '../../src/geo/utm.ts';

/** Zone, whether north, easting and northing, m, latitude and longitude: made with PROJ 9 (pyproj 3.7.2), `+proj=utm`. */
const known: readonly [number, boolean, number, number, number, number][] = [
  [38, true, 444140.5449, 3684706.3555, 33.3, 44.4],
  [31, true, 500000.0, 0.0, 0, 3],
  [31, true, 166021.4431, 0.0, 0, 0],
  [30, true, 708220.8931, 5707224.8271, 51.4778, -0.0014],
  [56, false, 334900.5697, 6252288.7529, -33.8568, 151.2153],
  [32, true, 479928.9077, 5227534.9622, 47.201, 8.735],
  [35, true, 383587.7703, 6675536.6454, 60.2, 24.9],
  [19, false, 545000.0534, 3927239.3813, -54.8, -68.3],
  [33, true, 513696.9454, 8680760.0532, 78.2, 15.6],
  [17, false, 778276.3168, 9999988.9364, -0.0001, -78.5],
  [2, true, 465005.3449, 9329005.1824, 84, -174],
  [60, false, 556196.0568, 1117013.3038, -80, 179.9],
  [32, true, 736446.0261, 4987329.5047, 45, 12],
  [32, true, 262765.8199, 4987358.7609, 45, 5.99],
  [27, true, 456137.5541, 7108467.417, 64.1, -21.9],
];

const METRES_PER_DEGREE = 111_320;

t.test('places on the grid are where PROJ has them, within 1 mm', async (t) => {
  for (const [zone, isNorth, eastingM, northingM, lat, lon] of known) {
    const { latDeg, lonDeg } = latLonOfUtm({ zone, isNorth, eastingM, northingM });
    const northM = Math.abs(latDeg - lat) * METRES_PER_DEGREE;
    const eastM = Math.abs(lonDeg - lon) * METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
    t.ok(northM < 1e-3 && eastM < 1e-3, `${lat} ${lon}: ${northM.toExponential(1)} m, ${eastM.toExponential(1)} m`);
  }
});

t.test('the pole is the length of the meridian away', async (t) => {
  const { latDeg } = latLonOfUtm({ zone: 31, isNorth: true, eastingM: 500_000, northingM: 0.9996 * 10_001_965.7293 });
  t.ok(Math.abs(latDeg - 90) * METRES_PER_DEGREE < 1e-3, `${latDeg}`);
});

t.test('a place beyond the date line has a longitude in range', async (t) => {
  const west = latLonOfUtm({ zone: 1, isNorth: true, eastingM: 160_000, northingM: 0 });
  const east = latLonOfUtm({ zone: 60, isNorth: true, eastingM: 840_000, northingM: 0 });
  t.ok(west.lonDeg > 179.9 && west.lonDeg <= 180, `${west.lonDeg}`);
  t.ok(east.lonDeg < -179.9 && east.lonDeg >= -180, `${east.lonDeg}`);
});
