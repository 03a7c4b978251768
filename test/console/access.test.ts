import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { asSentence } from '../../src/console/words/units.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { PASSWORD } from '../support/http/person.ts';
import { Cable, noBrowser, openPage } from './support/browser.ts';
import { signIn } from './support/hand.ts';

takeTime(t, 300);

const site = { lat: 47.1987, lon: 8.7302 };
const OPERATOR_ID = 'CHE-op-4711';

/** Address of each request of a page and of its worker. */
function requestsOf(page: Page): { count(path: string): number } {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return { count: (path) => paths.filter((one) => one === path).length };
}

const tokenOf = async (page: Page): Promise<string> =>
  JSON.parse(String(await page.evaluate("sessionStorage.getItem('dunlin.session')"))).token;

t.test('a box that asks everybody who they are', { skip: noBrowser }, async (t) => {
  const folder = folderOf(t);
  const config = join(folder, 'dunlin.yaml');
  writeFileSync(config, 'access: { trusted_networks: [192.0.2.0/24] }\nprivacy: { viewer_sees_pilot: false }\n');
  const daemon = await startDaemon(t, { dataDir: join(folder, 'data'), args: ['--config', config] });
  const anna = await firstOwner(t, daemon);
  await anna.get('POST', '/v1/users', { username: 'vera', role: 'viewer', password: PASSWORD });
  await anna.get('POST', '/v1/sensors', { name: 'mast', modality: 'remote_id' });
  const geometry = { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 300 };
  await anna.get('POST', '/v1/zones', { name: 'Depot', kind: 'protected', geometry, alarm: { level: 'critical' } });
  const seen = {
    ...{ sensor_id: 'mast', report: 'position', position: { ...placeAt(site, 90, 50), alt_hae_m: 500 } },
    identity: [{ type: 'serial', value: '1581F5FKD2294D000001', transport: 'bt5' }],
    operator: { ...placeAt(site, 0, 400), type: 'live_gnss', operator_id: OPERATOR_ID },
  };
  const timer = setInterval(() => void anna.ask('POST', '/v1/ingest/obs', { obs: [seen] }).catch(() => {}), 300);
  t.teardown(() => clearInterval(timer));
  await until(async () => (await anna.get<unknown[]>('GET', '/v1/alerts')).length > 0, 'there is an alert');

  const cable = await Cable.to(t, daemon.url);
  const page = await openPage(t, cable.url, { hasOwnClock: true });
  const requests = requestsOf(page);
  const form = page.getByRole('dialog', { name: 'Sign in' });
  // A tick of the box within the jump sets the timer anew, by the time of the box, which has not jumped.
  const jumpToRenewal = async (minutes: number, count: number): Promise<void> => {
    while (requests.count('/v1/auth/renew') < count) {
      await page.clock.fastForward(minutes * 60_000);
      await page.evaluate('0');
    }
  };
  const openTrack = async (on: Page): Promise<string> => {
    await on.locator('.row.threat').first().click();
    await on.locator('article.track', { hasText: OPERATOR_ID }).or(on.locator('article.track')).first().waitFor();
    return on.locator('article.track').innerText();
  };

  await t.test('nothing is shown before a sign-in, and a wrong password is refused with its sentence', async (t) => {
    await form.waitFor();
    await page.keyboard.press('Escape');
    t.ok(await form.isVisible(), 'it cannot be closed');
    t.equal(await page.locator('.row.threat').count(), 0);
    await form.getByLabel('User name').fill('anna');
    await form.getByLabel('Password').fill('not the password');
    const answered = page.waitForResponse((response) => response.url().endsWith('/auth/sign-in'));
    await form.getByRole('button', { name: 'Sign in' }).click();
    const answer = await answered;
    t.equal(answer.status(), 401);
    const { error } = (await answer.json()) as { error: string };
    await form.getByRole('alert').waitFor();
    t.equal(await form.getByRole('alert').innerText(), asSentence(error));
    t.equal(await form.getByLabel('User name').inputValue(), 'anna', 'what was typed stays');
  });

  await t.test('a person who signed in sees the pilot and takes the evidence away', async (t) => {
    await signIn(page, 'anna', PASSWORD);
    await page.locator('.badge.link.up_to_date').waitFor();
    const panel = await openTrack(page);
    t.match(panel, /Pilot/);
    t.match(panel, OPERATOR_ID);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save evidence' }).click();
    const download = await downloaded;
    t.match(download.suggestedFilename(), /\.zip$/);
    t.equal(
      readFileSync(await download.path())
        .subarray(0, 4)
        .toString('latin1'),
      'PK\u0003\u0004',
      'it is an archive',
    );
  });

  await t.test('a session is renewed before its end, and the stream goes on', async (t) => {
    const before = await tokenOf(page);
    t.equal(requests.count('/v1/auth/stream-ticket'), 1, 'the requests of the worker are seen');
    t.equal(requests.count('/v1/auth/renew'), 0);
    const renewed = page.waitForResponse((response) => response.url().endsWith('/auth/renew'));
    await jumpToRenewal(26, 1);
    t.equal((await renewed).status(), 200);
    const token = await until(async () => {
      const now = await tokenOf(page);
      return now !== before && now;
    }, 'the page has another token');
    const seenBy = page.waitForRequest((request) => request.url().endsWith('/acknowledge'));
    await page.locator('.row.alert').first().getByRole('button', { name: 'Acknowledge' }).click();
    t.equal((await seenBy).headers().authorization, `Bearer ${token}`);
    await page.locator('.row.alert[data-seen="true"]').first().waitFor();
    t.equal(requests.count('/v1/auth/renew'), 1, 'once, though the clock of this screen is wrong now');
    t.equal(requests.count('/v1/auth/stream-ticket'), 1, 'the stream was not opened again');
  });

  await t.test('where a session ends the picture goes on behind the form', async (t) => {
    const refused = { ok: false, code: 'unauthenticated', error: 'this session can no longer be renewed' };
    await page.route('**/auth/renew', (route) => route.fulfill({ status: 401, json: refused }));
    await jumpToRenewal(30, 2);
    await form.waitFor();
    t.equal(await page.locator('.badge.link').innerText(), 'UP TO DATE');
    t.equal(await page.locator('.row.threat').count(), 1);

    // The connection is lost too: the stream cannot be opened again by a session that is over.
    await page.route('**/auth/stream-ticket', (route) => route.fulfill({ status: 401, json: refused }));
    cable.release();
    await until(async () => requests.count('/v1/auth/stream-ticket') === 2, 'the stream is asked for again', 60_000);
    await page.unrouteAll();
    await signIn(page, 'anna', PASSWORD);
    await until(async () => requests.count('/v1/auth/stream-ticket') === 3, 'the stream is opened', 60_000);
    await page.locator('.badge.link.up_to_date').waitFor();
  });

  await t.test('after a sign-out the next person is asked, and a viewer sees no pilot', async (t) => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await form.waitFor();
    await signIn(page, 'vera', PASSWORD);
    await page.locator('.badge.link.up_to_date').waitFor();
    await page.locator('.reason', { hasText: 'Your role is viewer' }).first().waitFor();
    const panel = await openTrack(page);
    t.match(panel, /T-0001[\s\S]*Actions/);
    t.notMatch(panel, /Pilot/);
    t.notMatch(await page.locator('body').innerText(), OPERATOR_ID);
    for (const name of ['Propose a look', 'Save evidence', 'Drop track …'])
      t.equal(await page.getByRole('button', { name }).getAttribute('aria-disabled'), 'true', name);
  });
});
