import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { noBrowser, openPage } from './support/browser.ts';
import { intruded } from './support/intruded.ts';
import { siteMap } from './support/site_map.ts';

takeTime(t, 240);

const site = { lat: 47.1987, lon: 8.7302 };

t.test('a base map that is copied in is drawn below the tracks, with its source', { skip: noBrowser }, async (t) => {
  const { daemon } = await intruded(t);
  const page = await openPage(t, daemon.url);
  await page.locator('.map-credit', { hasText: 'No base map installed' }).waitFor();

  mkdirSync(join(daemon.dataDir, 'maps'), { recursive: true });
  writeFileSync(join(daemon.dataDir, 'maps', 'site.pmtiles'), siteMap(site));
  const tiles: string[] = [];
  page.on('response', (response) => {
    if (/\/maps\/site\/\d+\/\d+\/\d+\?v=/.test(response.url())) tiles.push(`${response.status()}`);
  });
  await page.reload();
  await page.locator('.map-credit', { hasText: '© Fixture Survey' }).waitFor();
  await page.locator('.map-base canvas').waitFor();
  await page.locator('.row.threat').first().click();
  while (tiles.length === 0) await page.waitForResponse(/\/maps\/site\//);
  t.ok(tiles.includes('200'), `tiles were answered ${tiles}`);

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.locator('select', { has: page.locator('option[value="none"]') }).selectOption('none');
  await page.locator('.map-credit', { hasText: 'No base map installed' }).waitFor();
  t.equal(await page.locator('.map-base canvas').count(), 0, 'the outline of the land alone');
});

t.test(
  'a base map that cannot be read leaves the picture as it is and is named in the settings',
  { skip: noBrowser },
  async (t) => {
    const { daemon } = await intruded(t);
    const folder = join(daemon.dataDir, 'maps');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'broken.pmtiles'), siteMap(site).subarray(0, 5_000));
    const page = await openPage(t, daemon.url);
    await page.locator('.row.threat').first().waitFor();
    await page.locator('.map-credit', { hasText: 'No base map installed' }).waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    const option = page.locator('option', { hasText: /broken.*copied in part/ });
    await option.waitFor({ state: 'attached' });
    t.equal(await option.getAttribute('disabled'), '', 'it cannot be chosen');
    rmSync(folder, { recursive: true });
  },
);
