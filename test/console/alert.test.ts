import type { Page } from 'playwright-core';
import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { must } from '../support/daemon/alerts.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { Drones, hovering } from '../support/sky/drones.ts';
import { Cable, noBrowser, openPage } from './support/browser.ts';

takeTime(t, 180);

const site = { lat: 47.1987, lon: 8.7302 };

/**
 * Notes each tone with its pitch. For the first batch with an alert it notes the number of tones, and the number of
 * queue rows in the next task. Both are properties of the code, not of the speed of the machine.
 */
const spy = `
  window.tones = [];
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    const oscillator = make.call(this);
    const start = oscillator.start;
    oscillator.start = (at) => {
      window.tones.push(oscillator.frequency.value);
      start.call(oscillator, at);
    };
    return oscillator;
  };
  const listen = Worker.prototype.addEventListener;
  Worker.prototype.addEventListener = function (type, handler) {
    listen.call(this, type, (event) => {
      const before = window.tones.length;
      handler(event);
      const isAlert = event.data.type === 'batch' && event.data.events.some(({ kind }) => kind === 'alert');
      if (!isAlert || window.first) return;
      window.first = { tones: window.tones.slice(before), rows: 0 };
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (window.first.rows = document.querySelectorAll('.row.alert').length);
      port2.postMessage(null);
    });
  };
`;
const tonesOf = async (page: Page): Promise<number[]> =>
  JSON.parse(String(await page.evaluate('JSON.stringify(tones)')));

t.test('an alert is seen and heard at once, until somebody has seen it', { skip: noBrowser }, async (t) => {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const geometry = { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 300 };
  const zone = { name: 'Depot', kind: 'warning', geometry, alarm: { level: 'critical', on: ['enter'] } };
  await must(daemon, '/api/zones', zone);
  const cable = await Cable.to(t, daemon.url);
  const page = await openPage(t, cable.url, { hasOwnClock: true, script: spy });
  await page.locator('.badge.link.up_to_date').waitFor();
  t.same(await tonesOf(page), [], 'a browser makes no sound before a person asked for it');
  await page.getByRole('button', { name: 'Start watch' }).click();
  await page.locator('.badge.sound', { hasText: 'SOUND ON' }).waitFor();
  t.same(await tonesOf(page), [440], 'the test tone');

  const drones = new Drones(t, daemon).fly('1581F5FKD2294D000001', hovering(placeAt(site, 90, 50)));
  const row = page.locator('.row.alert', { hasText: 'Depot' }).first();
  await row.waitFor();
  const first = await until(async () => {
    const noted = JSON.parse(String(await page.evaluate('JSON.stringify(first)')));
    return noted.rows > 0 && noted;
  }, 'the first alert was noted');
  t.same(first.tones, [880, 660, 880, 660, 880, 660], 'it sounds while its event is applied');
  t.equal(first.rows, 1, 'and its row is there with the next task');
  t.match(await row.innerText(), /critical/);
  await page.clock.fastForward(4_000);
  await page.locator('[aria-live=assertive]', { hasText: 'critical alert:' }).waitFor({ state: 'attached' });

  const before = (await tonesOf(page)).length;
  await page.clock.fastForward(9_000);
  await until(async () => (await tonesOf(page)).length >= before + 6, 'it sounds again');
  const [alert] = await daemon.get<Alert[]>('/api/alerts');
  await must(daemon, `/api/alerts/${alert?.id}/acknowledge`, {});
  await page.locator('.row.alert[data-seen="true"]', { hasText: 'Depot' }).waitFor();
  const seen = (await tonesOf(page)).length;
  await page.clock.fastForward(60_000);
  t.equal((await tonesOf(page)).length, seen, 'what somebody has seen makes no sound');
  const badge = page.locator('.badge.sound');
  await badge.click();
  await badge.filter({ hasText: 'SILENCED' }).waitFor();
  await badge.click();
  await badge.filter({ hasText: 'SOUND ON' }).waitFor();

  cable.hold();
  // Bytes under way have arrived once nothing came for five seconds.
  await page.locator('.badge.link.stale').or(page.locator('.badge.link.no_link')).waitFor({ timeout: 60_000 });
  await page.clock.fastForward(2_000);
  await until(async () => (await tonesOf(page)).length === seen + 3, 'the loss of the link is heard');
  t.same((await tonesOf(page)).slice(seen), [660, 440, 330]);
  cable.release();
  await page.locator('.badge.link.up_to_date').waitFor({ timeout: 60_000 });

  await page.reload();
  await page.locator('.row.alert[data-seen="true"]', { hasText: 'Depot' }).waitFor();
  t.match(await page.locator('.badge.sound').innerText(), /SOUND OFF/, 'that a reload ended the sound is seen');

  await t.test('a critical alert above the part of the list that is in view is announced', async (t) => {
    await page.setViewportSize({ width: 1_366, height: 505 });
    // One row is not enough to scroll: room below it stands for more rows.
    await page.evaluate("document.querySelector('.panel.alerts .rows').style.paddingBottom = '300px'");
    const isAway = "document.querySelector('.panel.alerts').scrollTop > 8";
    await page.evaluate("document.querySelector('.panel.alerts').scrollTo(0, 60)");
    t.ok(await page.evaluate(isAway), 'the list is scrolled down');
    const line = page.locator('.panel.alerts .unshown[aria-live="assertive"]');
    t.equal(await line.innerText(), '');
    drones.fly('1581F5FKD2294D000002', hovering(placeAt(site, 270, 80)));
    const button = line.getByRole('button', { name: '1 critical alert out of view' });
    await button.click();
    await button.waitFor({ state: 'detached' });
    const isInView = `(() => {
      const top = document.querySelector('.row.alert[data-seen="false"]').getBoundingClientRect().top;
      return top >= document.querySelector('.panel.alerts > h2').getBoundingClientRect().bottom;
    })()`;
    t.ok(await page.evaluate(isInView), 'a press shows it');
  });
});
