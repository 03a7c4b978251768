import t from 'tap';
import { readBearing } from '../../../../src/edge/feed/sapient/bearing.ts';
import type { RangeBearing } from '../../../../src/edge/wire/sapient/message.ts';

const placement = { lat: 47, lon: 8, azimuth_deg: 30 };
const given: RangeBearing = { azimuth: 90, range: 2, elevation: 10, coordinate_system: 'DEGREES_M', datum: 'TRUE' };

t.test('angles and ranges come in four units', async (t) => {
  const rad = { azimuth: Math.PI / 2, elevation: Math.PI / 18, range: 2 };
  for (const [coordinate_system, values, rangeM] of [
    ['DEGREES_M', {}, 2],
    ['DEGREES_KM', {}, 2_000],
    ['RADIANS_M', rad, 2],
    ['RADIANS_KM', rad, 2_000],
  ] as const) {
    const read = readBearing({ ...given, ...values, coordinate_system }, placement);
    if (typeof read === 'string' || read === null) {
      t.fail(`${read}`);
      continue;
    }
    t.ok(Math.abs((read.azimuthDeg ?? 0) - 90) < 1e-9 && Math.abs((read.elevationDeg ?? 0) - 10) < 1e-9);
    t.equal(read.rangeM, rangeM, coordinate_system);
  }
});

t.test(
  'a bearing from the platform is turned by its declared azimuth, one from another north is refused',
  async (t) => {
    t.match(readBearing({ ...given, datum: 'PLATFORM' }, placement), { azimuthDeg: 120 });
    t.match(readBearing({ ...given, datum: 'PLATFORM' }, { lat: 47, lon: 8 }), /placement\.azimuth_deg/);
    t.match(readBearing({ ...given, datum: 'MAGNETIC' }, placement), /magnetic north/);
    t.match(readBearing({ ...given, datum: 'GRID' }, placement), /grid north/);
  },
);

t.test('a bearing needs the place of its sensor, a presence does not', async (t) => {
  t.match(readBearing(given, null), /the node's position is unknown/);
  const { azimuth: _azimuth, ...presence } = given;
  t.match(readBearing(presence, null), { azimuthDeg: null, rangeM: null });
});

t.test('an azimuth of 0 is north, and impossible values are refused', async (t) => {
  t.match(readBearing({ ...given, azimuth: 0, azimuth_error: 0 }, placement), { azimuthDeg: 0, sigmaAzimuthDeg: null });
  t.match(readBearing({ ...given, azimuth: -90 }, placement), { azimuthDeg: 270 });
  for (const change of [{ azimuth: 400 }, { azimuth: Number.NaN }, { elevation: 91 }, { range: -1 }, { range: 2e6 }])
    t.equal(readBearing({ ...given, ...change }, placement), null, JSON.stringify(change));
});
