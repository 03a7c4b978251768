import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { sensorsOf } from '../../../src/cli/track/scenario.ts';
import { readSite } from '../../../src/cli/track/site.ts';
import { site } from './site_fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'dunlin-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = join(folder, 'site.json');
  writeFileSync(file, text);
  return file;
}

t.test('a site is read as it is written, whatever else it holds', async (t) => {
  t.same(await readSite(fileWith(JSON.stringify({ ...site, note: 'more' }))), site);
});

t.test('the first field that is wrong is named', async (t) => {
  const { tower } = site.sensors;
  const wrong: [unknown, RegExp][] = [
    [{ ...site, origin: { lat: 91, lon: 0, alt_hae: 0 } }, /site\.json: 'origin\.lat' must be at most 90$/],
    [{ ...site, sensors: { tower: { ...tower, pd: 2 } } }, /'sensors\.tower\.pd' must be at most 1$/],
    [
      { ...site, sensors: { tower: { ...tower, lat: undefined } } },
      /'sensors\.tower\.lat' is missing: it must be a number/,
    ],
    [{ ...site, sensors: { tower: { ...tower, kind: 'sonar' } } }, /'sensors\.tower\.kind' must be one of /],
    [{ ...site, sensors: [] }, /'sensors' must be an object, not a list/],
    [7, /the site must be an object, not a number/],
  ];
  for (const [value, sentence] of wrong)
    await t.rejects(readSite(fileWith(JSON.stringify(value))), { message: sentence });
  await t.rejects(readSite(fileWith('{')), { message: /site\.json is not JSON/ });
  await t.rejects(readSite(join(folder, 'absent.json')), { message: /^cannot read .*absent\.json/ });
});

t.test('sensors are numbered in their order, with what they are known to see', async (t) => {
  const [tower, flat, eye, ear, rid] = sensorsOf(site);
  t.same(tower, {
    index: 0,
    id: 'tower',
    cooperative: false,
    placement: { latDeg: 10, lonDeg: 20, altHaeM: 100 },
    seeing: {
      ranges: true,
      covers: true,
      detection: 0.9,
      clutterPerScan: 3,
      rangeM: [0, 5_000],
      azimuthDeg: 0,
      azimuthWidthDeg: 360,
      elevationDeg: [-2, 40],
      clutterRangeM: [100, 4_000],
      clutterElevationDeg: [0, 10],
      periodS: 1,
      rotating: true,
    },
  });
  t.match(flat?.seeing, { ranges: true, covers: true, elevationDeg: [-5, 60], clutterRangeM: null, rotating: false });
  t.match(eye?.seeing, { ranges: false, covers: true, azimuthDeg: 10, azimuthWidthDeg: 40 }, 'a sector over north');
  t.match(ear?.seeing, { ranges: false, covers: false, azimuthDeg: 0, azimuthWidthDeg: 360 });
  t.same(rid, { index: 4, id: 'rid', cooperative: true, placement: null, seeing: null });
});
