import t from 'tap';
import { type PlaceContext, readPlace } from '../../../../src/edge/feed/sapient/location.ts';
import type { Location } from '../../../../src/edge/wire/sapient/message.ts';

const nowhere: PlaceContext = { zone: '', near: null };
const degrees: Location = { x: 8.735, y: 47.201, coordinate_system: 'LAT_LNG_DEG_M', datum: 'WGS84_E' };
const utm = (eastingM: number, northingM: number, utm_zone?: string): Location => ({
  ...{ x: eastingM, y: northingM, coordinate_system: 'UTM_M', datum: 'WGS84_E' },
  ...(utm_zone === undefined ? {} : { utm_zone }),
});
const near = (place: { latDeg: number; lonDeg: number } | null, lat: number, lon: number): boolean =>
  place !== null && Math.abs(place.latDeg - lat) < 1e-5 && Math.abs(place.lonDeg - lon) < 1e-5;

t.test('x is the longitude and y the latitude, in degrees or radians', async (t) => {
  t.ok(near(readPlace(degrees, nowhere), 47.201, 8.735));
  const radians: Location = { ...degrees, x: 0.152454443, y: 0.823816193, coordinate_system: 'LAT_LNG_RAD_M' };
  t.ok(near(readPlace(radians, nowhere), 47.2012, 8.735) || near(readPlace(radians, nowhere), 47.201193, 8.734996));
});

t.test('the datum says what the height is above; a height of 0 is one', async (t) => {
  t.match(readPlace({ ...degrees, z: 0 }, nowhere), { altHaeM: 0, altMslM: null });
  const geoid = readPlace({ ...degrees, z: 608, datum: 'WGS84_G' }, nowhere);
  t.equal(geoid?.altMslM, 608);
  t.ok(Math.abs((geoid?.altHaeM ?? 0) - 655.5) < 1, `${geoid?.altHaeM}`);
  t.match(readPlace(degrees, nowhere), { altHaeM: null, altMslM: null });
});

t.test('a place of 0, 0, one off the earth and an impossible height are refused', async (t) => {
  for (const change of [{ x: 0, y: 0 }, { y: 91 }, { x: 181 }, { x: Number.NaN }, { z: 200_000 }, { z: Number.NaN }])
    t.equal(readPlace({ ...degrees, ...change }, nowhere), null, JSON.stringify(change));
});

t.test('errors are standard deviations in metres; under 0.01 they are degrees; 0 is none', async (t) => {
  t.match(readPlace({ ...degrees, x_error: 4, y_error: 6, z_error: 8 }, nowhere), { sigmaHM: 6, sigmaVM: 8 });
  t.match(readPlace({ ...degrees, x_error: 0, y_error: 0, z_error: 0 }, nowhere), { sigmaHM: null, sigmaVM: null });
  const inDegrees = readPlace({ ...degrees, x_error: 0.0001, y_error: 0.00001 }, nowhere)?.sigmaHM ?? 0;
  t.ok(Math.abs(inDegrees - 7.56) < 0.05, `${inDegrees}`);
});

t.test('letters of grid zones are bands; a lone S is resolved by the nearer of two places', async (t) => {
  t.ok(near(readPlace(utm(479_928.9077, 5_227_534.9622, '32T'), nowhere), 47.201, 8.735));
  t.ok(near(readPlace(utm(334_900.5697, 6_252_288.7529, '56H'), nowhere), -33.8568, 151.2153));
  const sydney = utm(334_900.5697, 6_252_288.7529, '56S');
  t.ok(near(readPlace(sydney, { zone: '', near: { latDeg: -33, lonDeg: 151 } }), -33.8568, 151.2153));
  const baghdad = utm(444_140.5449, 3_684_706.3555, '38S');
  t.ok(near(readPlace(baghdad, { zone: '', near: { latDeg: 33, lonDeg: 44 } }), 33.3, 44.4));
  t.ok(near(readPlace(baghdad, nowhere), 33.3, 44.4), 'its band holds');
  t.ok(near(readPlace(sydney, nowhere), -33.8568, 151.2153), 'its band does not');
  t.ok(near(readPlace(utm(444_140.5449, 3_684_706.3555, '38N'), nowhere), 33.3, 44.4), 'the hemisphere');
  t.ok(
    near(readPlace(utm(444_140.5449, 3_684_706.3555), { zone: '38R', near: null }), 33.3, 44.4),
    'of the registration',
  );
});

t.test('a place off the grid is refused, as is one that says UTM and carries degrees', async (t) => {
  for (const [x, y, zone] of [
    [47.201, 8.735, '32T'],
    [99_999, 5_000_000, '32T'],
    [900_001, 5_000_000, '32T'],
    [500_000, 10_000_001, '32T'],
    [500_000, 5_000_000, '61T'],
    [500_000, 5_000_000, ''],
  ] as const)
    t.equal(readPlace(utm(x, y, zone), nowhere), null, `${x} ${y} ${zone}`);
});
