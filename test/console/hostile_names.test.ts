import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { must } from '../support/daemon/alerts.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { noBrowser, openPage } from './support/browser.ts';

takeTime(t, 180);

const site = { lat: 47.1987, lon: 8.7302 };
const script = '<img src=x onerror="document.title=`taken`">';
const names = {
  script,
  /** Reads from right to left, and would turn the words behind it round. */
  turned: '\u202Egnp.exe',
  long: 'W'.repeat(120),
};

t.test(
  'names that others give are text: nothing of them runs, and none turns the words beside it',
  { skip: noBrowser },
  async (t) => {
    const daemon = await startDaemon(t);
    await must(daemon, '/api/sensors', { name: script, modality: 'human' });
    const geometry = { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 300 };
    await must(daemon, '/api/zones', { name: script, kind: 'protected', geometry });
    await must(daemon, '/api/regions', { name: script, geometry });
    await must(daemon, '/api/regions', { name: names.long, geometry });
    await must(daemon, '/api/assets', { name: names.long, spec: {} });
    const place = placeAt(site, 90, 50);
    const seen = {
      ...{ sensor_id: script, report: 'position', position: { ...place, alt_hae_m: 500 } },
      identity: [{ type: 'serial', value: script.slice(0, 20), transport: 'bt5' }],
      operator: { ...site, type: 'live_gnss', operator_id: script.slice(0, 20) },
    };
    const alerted = await until(async () => {
      await must(daemon, '/api/ingest/obs', { obs: [seen] });
      const alerts = await daemon.get<{ text: string }[]>('/api/alerts');
      return alerts.find(({ text }) => text.includes(script)) ?? null;
    }, 'an alert names the zone');
    t.ok(alerted.text.includes(script));
    const page = await openPage(t, daemon.url);
    await page.locator('.row.threat').first().click();
    await page.locator('article.track').waitFor();
    await page.locator('.row.alert', { hasText: '<img' }).first().waitFor();
    await page.getByRole('tab', { name: 'Zones' }).click();
    await page.locator('.right .row', { hasText: names.long }).waitFor();
    t.equal(await page.locator('.right .row bdi').count(), 3, 'each name keeps its direction to itself');
    t.equal(await page.locator('img').count(), 0, 'no element came of a name');
    t.not(await page.title(), 'taken');
    const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    t.notOk(wide, 'a long name makes the page no wider');
    const isCut = await page.evaluate(
      '(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector(".right"))',
    );
    t.notOk(isCut, 'nor the panel that lists it');
  },
);
