import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { must } from '../support/daemon/alerts.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { Drones, hovering } from '../support/sky/drones.ts';
import { Cable, noBrowser, openPage } from './support/browser.ts';

takeTime(t, 240);

const site = { lat: 47.1987, lon: 8.7302 };
const serial = '1581F5FKD2294D000001';

/** A box with a protected zone and an unknown drone over it, which has raised its alerts. */
async function intruded(t: Test): Promise<{ daemon: Daemon; alert: Alert }> {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const geometry = { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 300 };
  await must(daemon, '/api/zones', { name: 'Depot', kind: 'protected', geometry, alarm: { level: 'critical' } });
  new Drones(t, daemon).fly(serial, hovering(placeAt(site, 90, 50)));
  const alert = await until(async () => {
    const alerts = await daemon.get<Alert[]>('/api/alerts');
    return alerts.find(({ severity }) => severity === 'critical') ?? null;
  }, 'a critical alert');
  return { daemon, alert };
}

t.test('a watch from the first look to the acknowledgement', { skip: noBrowser }, async (t) => {
  const { daemon, alert } = await intruded(t);
  const page = await openPage(t, daemon.url);

  const threat = page.locator('.row.threat').first();
  await threat.waitFor();
  t.match(
    await threat.innerText(),
    /T-0001[\s\S]*critical[\s\S]*inside Depot/,
    'the first look names what matters most',
  );
  t.match(await page.locator('.badge.link').innerText(), 'UP TO DATE');
  t.match(await page.locator('.badge.world').innerText(), 'LIVE');
  t.match(await page.locator('.badge.sound').innerText(), /SOUND OFF/, 'that there is no sound yet is seen');

  await threat.click();
  const panel = page.locator('article.track');
  await panel.waitFor();
  t.match(await panel.innerText(), new RegExp(`Why this score[\\s\\S]*${serial}[\\s\\S]*Seen by[\\s\\S]*mast`));

  const other = await openPage(t, daemon.url);
  const row = (of: typeof page) => of.locator('.row.alert', { hasText: alert.text.slice(0, 30) }).first();
  await row(other).waitFor();
  await row(page).getByRole('button', { name: 'Acknowledge' }).click();
  await other.locator('.row.alert[data-seen="true"]').first().waitFor();
  t.ok((await daemon.get<Alert>(`/api/alerts/${alert.id}`)).acknowledged, 'the box knows who saw it');

  await page.reload();
  await page.locator('.row.alert[data-seen="true"]').first().waitFor();
});

t.test(
  'a picture without bytes is stale after 5 s: nothing can be approved, everything can be stopped',
  {
    skip: noBrowser,
  },
  async (t) => {
    const { daemon } = await intruded(t);
    const cable = await Cable.to(t, daemon.url);
    const page = await openPage(t, cable.url);
    await page.locator('.row.threat').first().click();
    const propose = page.getByRole('button', { name: 'Propose a look' });
    await propose.waitFor();
    t.equal(await propose.getAttribute('aria-disabled'), 'false');

    cable.hold();
    await page.locator('.badge.link.stale').waitFor({ timeout: 15_000 });
    t.equal(await propose.getAttribute('aria-disabled'), 'true');
    t.match(await propose.getAttribute('title'), /stale/);
    t.equal(await page.locator('.hold.stop').getAttribute('aria-disabled'), 'false', 'STOP ALL is never held back');

    await page.locator('.badge.link.no_link').waitFor({ timeout: 20_000 });
    await page.locator('.badge.link.up_to_date').waitFor({ timeout: 20_000 });
    t.equal(await page.locator('.row.threat').count(), 1, 'the picture comes back without duplicates');
    t.equal(await propose.getAttribute('aria-disabled'), 'false');
  },
);

t.test('STOP ALL is held for a second: a click does nothing', { skip: noBrowser }, async (t) => {
  const { daemon } = await intruded(t);
  const page = await openPage(t, daemon.url);
  const stopped: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/engagement/stop_all')) stopped.push(request.method());
  });
  const button = page.locator('.hold.stop');
  await button.waitFor();
  await button.click();
  await button.click({ delay: 500 });
  t.same(stopped, [], 'a press that is let go early does nothing');
  const answered = page.waitForResponse((response) => response.url().endsWith('/engagement/stop_all'));
  await button.click({ delay: 1_300 });
  t.equal((await answered).status(), 200);
  t.same(stopped, ['POST'], 'one hold is one request');
});
