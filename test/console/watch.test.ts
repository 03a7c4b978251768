import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Track } from '../../src/model/track.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { must } from '../support/daemon/alerts.ts';
import { until } from '../support/daemon/daemon.ts';
import { hovering } from '../support/sky/drones.ts';
import { Cable, noBrowser, openPage } from './support/browser.ts';
import { intruded, serial, site } from './support/intruded.ts';

takeTime(t, 240);

t.test('a watch from the first look to the acknowledgement', { skip: noBrowser }, async (t) => {
  const { daemon, alert } = await intruded(t);
  const page = await openPage(t, daemon.url);
  t.match(await page.locator('.threats h2').innerText(), 'by level, time to zone, score');

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

  const parts = panel.locator('.factors details');
  t.equal(await parts.count(), 1, 'the factors about the zone are one line');
  t.match(await parts.locator('summary').innerText(), /Depot[\s\S]*inside\s\+\d+\s· has\sarrived\s\+\d+/);
  await parts.locator('summary').click();
  t.match(await parts.innerText(), /It is over Depot\./, 'their sentences are a click away');

  await page.locator('.bottom .ticks').focus();
  const found = page.locator('.bottom .log .row', { hasText: alert.text.slice(0, 20) }).first();
  // A minute that began after the alert may have other rows; then the alert is one minute earlier.
  for (let presses = 0; presses < 2 && (await found.count()) === 0; presses++) {
    await page.keyboard.press('ArrowLeft');
    await page.locator('.bottom .log .chosen', { hasText: /^\d\d:\d\dZ: \d+ events?/ }).waitFor();
  }
  await found.waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.bottom .log .chosen').waitFor({ state: 'detached' });
  const strip = await page.locator('.bottom .ticks').boundingBox();
  await page.locator('.bottom .ticks').click({ position: { x: (strip?.width ?? 0) / 2, y: 10 } });
  await page.locator('.bottom .log .chosen', { hasText: ': 0 events' }).waitFor();
  await page.getByRole('button', { name: 'All minutes' }).click();
  await page.getByRole('tab', { name: 'Health' }).click();
  await page.locator('.bottom').getByRole('button', { name: 'Log' }).click();

  await t.test('rows do not move while a person points at them', async (t) => {
    const order = page.locator('.threats .order');
    await threat.hover();
    await order.filter({ hasText: 'order held' }).waitFor();
    await page.locator('.right').hover();
    await order.filter({ hasText: 'by level, time to zone, score' }).waitFor();
    t.pass('and the order follows again');
  });

  await t.test('the log leads back to its oldest row, and each row to its track', async (t) => {
    const log = page.locator('.bottom .log');
    if (!(await log.isVisible()))
      await page.locator('.bottom').getByRole('button', { name: 'Log', exact: true }).click();
    await log.getByText(/^The log begins here, at \d\d:\d\d:\d\dZ\.$/).waitFor();
    await log.getByRole('button', { name: 'Show T-0001' }).first().click();
    t.ok(await panel.isVisible());
  });

  await t.test('a distance on the map is measured by two clicks', async (t) => {
    const [map, measured] = [page.locator('.map'), page.locator('.measured')];
    await page.getByRole('button', { name: 'Measure' }).click();
    t.match(await measured.innerText(), 'Click the first place.');
    await map.click({ position: { x: 200, y: 300 } });
    t.match(await measured.innerText(), 'Click the second place.');
    await map.click({ position: { x: 300, y: 300 } });
    await measured.filter({ hasText: /^[\d.]+ k?m, 090°$/ }).waitFor();
    await page.getByRole('button', { name: 'Measure' }).click();
    await measured.waitFor({ state: 'detached' });
  });

  await t.test('a dismissal is made where it was opened, and is seen in the table', async (t) => {
    await panel.getByRole('button', { name: 'Dismiss …' }).click();
    const form = panel.locator('.act-form');
    await form.locator('input:focus').waitFor();
    await form.getByLabel('bird').check();
    await form.getByLabel('1 h', { exact: true }).check();
    await form.getByRole('button', { name: 'Dismiss for 1 h' }).click();
    await page.getByRole('button', { name: 'Tracks table' }).click();
    const dismissed = page.locator('.tracks tr[data-dismissed="true"]');
    await dismissed.waitFor();
    t.match(await dismissed.innerText(), /dismissed until \d\d:\d\d/);
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    await panel.getByRole('button', { name: 'Take the dismissal back' }).click();
    await panel.getByRole('button', { name: 'Dismiss …' }).waitFor();
    // The stream leaves out these rows, whose severity is `info`.
    const log = page.locator('.bottom .log');
    await log.getByLabel('Rows:').selectOption({ label: 'what persons did' });
    await log.locator('li', { hasText: 'dismissed the threat of T-0001: bird' }).waitFor();
    t.equal(await log.locator('li', { hasText: 'Alert:' }).count(), 0);
    await log.getByLabel('Rows:').selectOption({ label: 'notices and worse' });
  });

  const other = await openPage(t, daemon.url);
  const row = (of: typeof page) => of.locator('.row.alert', { hasText: alert.text.slice(0, 30) }).first();
  await row(other).waitFor();
  await row(page).getByRole('button', { name: 'Acknowledge' }).click();
  await other.locator('.row.alert[data-seen="true"]').first().waitFor();
  const alerts = await daemon.get<Alert[]>('/api/alerts');
  t.ok(
    alerts.some(({ acknowledged }) => acknowledged !== null),
    'the box knows who saw it',
  );

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
    await page.locator('.badge.link.stale').waitFor({ timeout: 60_000 });
    t.equal(await propose.getAttribute('aria-disabled'), 'true');
    t.match(await propose.getAttribute('title'), /stale/);
    t.equal(await page.locator('.hold.stop').getAttribute('aria-disabled'), 'false', 'STOP ALL is never held back');

    await page.locator('.badge.link.no_link').waitFor({ timeout: 60_000 });
    // By then the page has given up the connection, whose end has a text of the browser's own.
    await page.locator('.row.threat', { hasText: /(1[89]|[2-9]\d) s ago/ }).waitFor({ timeout: 60_000 });
    t.match(
      await page.locator('.no-link').innerText(),
      /^No link for \d+ s: the box sends nothing\. The picture is old/,
    );
    cable.release();
    await page.locator('.badge.link.up_to_date').waitFor({ timeout: 60_000 });
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
  await page.getByLabel('Your name for the log').fill('anna');
  await page.getByLabel('Your name for the log').press('Enter');
  await page.locator('.report').filter({ hasText: 'The log names you anna.' }).waitFor();
  const place = await button.boundingBox();
  await button.click();
  await button.click({ delay: 500 });
  t.same(stopped, [], 'a press that is let go early does nothing');
  t.equal(await button.innerText(), 'Hold for 1 s', 'it says what is missing');
  const answered = page.waitForResponse((response) => response.url().endsWith('/engagement/stop_all'));
  await button.click({ delay: 1_300 });
  t.equal((await answered).status(), 200);
  t.same(stopped, ['POST'], 'one hold is one request');
  await page.locator('.report').filter({ hasText: 'Stopped: 0 vehicles hold, 0 plans' }).waitFor();
  const sign = page.locator('.badge.stopped');
  await sign.waitFor();
  t.match(await sign.innerText(), /^STOPPED \d\d:\d\d:\d\dZ$/, 'a sign stays in the bar');
  // After an early release it says for some seconds how long to hold it.
  await button.filter({ hasText: 'STOP ALL' }).waitFor();
  const { x, y } = (await button.boundingBox()) ?? {};
  t.same({ x, y }, { x: place?.x, y: place?.y }, 'the button does not move');
  await page.reload();
  await sign.waitFor();
});

t.test('a person who expects a flight ends its alert from the track panel', { skip: noBrowser }, async (t) => {
  const { daemon, alert, drones } = await intruded(t);
  const page = await openPage(t, daemon.url);

  await t.test('a dismissal that the level ended is told at the threat and at its alert', async (t) => {
    const kite = '1581F5FKD2294D000002';
    drones.fly(kite, hovering(placeAt(site, 0, 2_000)));
    const { track_id: id } = await until(async () => {
      const threats = await daemon.get<Threat[]>('/api/threats');
      return threats.find(({ track_id }) => !alert.track_ids.includes(track_id)) ?? null;
    }, 'it is a threat');
    const before = await must<Threat>(daemon, `/api/threats/${id}/dismiss`, { reason: 'a kite' });
    drones.fly(kite, hovering(placeAt(site, 180, 50)));
    const ended = page.locator('.row.threat .flag', { hasText: 'dismissal ended: level rose from' });
    await ended.waitFor();
    const { dismissal_ended: end, level } = await daemon.get<Threat>(`/api/threats/${id}`);
    t.match(end, { reason: 'level_rose', from_level: before.level, by: before.dismissed?.by });
    t.match(await ended.innerText(), `from ${before.level} to ${end?.to_level}`);
    t.not(level, before.level);
    await page.locator('.row.alert .flag', { hasText: 'dismissal ended' }).first().waitFor();
    drones.ground(kite);
    await must(daemon, `/api/threats/${id}/acknowledge`, {});
    await ended.waitFor({ state: 'detached' });
    await must(daemon, `/api/tracks/${id}/drop`, { reason: 'the test is over' });
  });

  await page.locator('.row.threat', { hasText: 'T-0001' }).click();
  await page.getByRole('button', { name: 'Set affiliation' }).first().click();
  const form = page.locator('.act-form');
  await t.test('a refusal moves nothing that a person is about to press', async (t) => {
    const send = form.getByRole('button', { name: 'Set affiliation' });
    // Whole pixels: a figure above may be a quarter of a pixel lower in another font weight.
    const boxes = async () => {
      const all = [await send.boundingBox(), await page.locator('.left').boundingBox()];
      return all.map((one) => Object.values(one ?? {}).map(Math.round));
    };
    await form.getByLabel('Reason').fill('x'.repeat(2_000));
    await send.scrollIntoViewIfNeeded();
    const before = await boxes();
    await send.click();
    await page.locator('.refusal').waitFor();
    t.same(await boxes(), before);
    await page.locator('.refusal').getByRole('button', { name: 'Close' }).click();
  });
  await form.getByLabel('friend').check();
  await form.getByLabel('Reason').fill('roof survey');
  await form.getByRole('button', { name: 'Set affiliation' }).click();
  const over = await until(async () => {
    const now = await daemon.get<Alert>(`/api/alerts/${alert.id}`);
    return now.state === 'cleared' ? now : null;
  }, 'the alert is over');
  t.equal(over.cleared_reason, 'friend');
  const [trackId] = alert.track_ids;
  const track = await daemon.get<Track>(`/api/tracks/${trackId}`);
  t.match(track.affiliation_set, { affiliation: 'friend', reason: 'roof survey' });
  t.ok(track.affiliation_set?.expires_at, 'it has an end');
});
