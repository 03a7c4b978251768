import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { Track } from '../../src/model/track.ts';
import { takeTime } from '../support/basics/patience.ts';
import { until } from '../support/daemon/daemon.ts';
import { Cable, noBrowser, openPage } from './support/browser.ts';
import { intruded, serial } from './support/intruded.ts';

takeTime(t, 240);

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
    await page.locator('.badge.link.stale').waitFor({ timeout: 60_000 });
    t.equal(await propose.getAttribute('aria-disabled'), 'true');
    t.match(await propose.getAttribute('title'), /stale/);
    t.equal(await page.locator('.hold.stop').getAttribute('aria-disabled'), 'false', 'STOP ALL is never held back');

    await page.locator('.badge.link.no_link').waitFor({ timeout: 60_000 });
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
  await button.click();
  await button.click({ delay: 500 });
  t.same(stopped, [], 'a press that is let go early does nothing');
  t.equal(await button.innerText(), 'Hold for 1 s', 'it says what is missing');
  const answered = page.waitForResponse((response) => response.url().endsWith('/engagement/stop_all'));
  await button.click({ delay: 1_300 });
  t.equal((await answered).status(), 200);
  t.same(stopped, ['POST'], 'one hold is one request');
  await page.getByRole('status').filter({ hasText: 'Stopped: 0 vehicles hold, 0 engagements' }).waitFor();
});

t.test('a person who expects a flight ends its alert from the track panel', { skip: noBrowser }, async (t) => {
  const { daemon, alert } = await intruded(t);
  const page = await openPage(t, daemon.url);
  await page.locator('.row.threat').first().click();
  await page.getByRole('button', { name: 'Set affiliation' }).first().click();
  const form = page.locator('.act-form');
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
