import t from 'tap';
import type { SimState } from '../../src/model/picture.ts';
import type { Recording } from '../../src/model/recording.ts';
import type { Track } from '../../src/model/track.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { must } from '../support/daemon/alerts.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { LIVE_SITE, simAs } from '../support/daemon/shown_worlds.ts';
import { Drones, hovering } from '../support/sky/drones.ts';
import { noBrowser, openPage } from './support/browser.ts';

takeTime(t, 240);

const zone = (name: string, northM: number, level: string) => {
  const { lat, lon } = placeAt(LIVE_SITE, 0, northM);
  const geometry = { type: 'Point', coordinates: [lon, lat], radius_m: 200 };
  return { name, kind: 'warning', geometry, alarm: { level, on: ['enter'] } };
};

t.test('a replay shows what was, and hides nothing that is', { skip: noBrowser }, async (t) => {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  await must(daemon, '/api/zones', zone('Car park', 0, 'warning'));
  await must(daemon, '/api/zones', zone('Turbine hall', 2_000, 'critical'));
  const tracks = (world = 'shown') => daemon.get<Track[]>(`/api/tracks${world === 'live' ? '?world=live' : ''}`);
  const confirmed = (count: number) =>
    until(async () => {
      const found = await tracks('live');
      return found.filter(({ state }) => state === 'confirmed').length >= count && found;
    }, `${count} are tracked`);

  const { id } = await must<Recording>(daemon, '/api/recordings', { name: 'evening' });
  const drones = new Drones(t, daemon).fly('1581F5FKD2294D000001', hovering(placeAt(LIVE_SITE, 180, 3_000), 70));
  const recorded = await confirmed(1);
  await must(daemon, `/api/recordings/${id}/stop`, {});
  drones.fly('1581F5FKD2294D000002', hovering(placeAt(LIVE_SITE, 180, 5_000)));
  const numbersNow = (await confirmed(2)).map(({ number }) => number).sort();
  const replay = () => must<SimState>(daemon, '/api/sim/mode', { mode: 'replay', recording_id: id, rate: 20 });

  const page = await openPage(t, daemon.url);
  const bar = page.locator('.live-alert');
  const ribbon = page.locator('.ribbon');
  const inWorld = (mode: string) => page.locator(`.watch[data-mode="${mode}"]`).waitFor();
  const cells = async (column: number): Promise<string[]> =>
    page.locator(`section.tracks tbody td:nth-child(${column})`).allInnerTexts();
  await inWorld('live');
  await page.getByRole('button', { name: 'Tracks table' }).click();
  await page.locator('section.tracks tbody tr').nth(1).waitFor();
  t.same((await cells(1)).sort(), numbersNow, 'the live world has both');

  await t.test('every side of the screen says that it is not now', async (t) => {
    const { sim_at: at } = await replay();
    await simAs(daemon, 'completed');
    await inWorld('replay');
    t.match(await ribbon.innerText(), `REPLAY of ${at?.slice(0, 10)}`);
    t.match(await ribbon.innerText(), /\d\d:\d\d:\d\dZ\. This is not now$/);
    t.equal(await page.locator('.badge.world').innerText(), 'REPLAY');
    t.match(await page.title(), /^REPLAY · /, 'the word comes first');
  });

  await t.test('the picture is the replayed one, and cannot be changed', async (t) => {
    const replayed = await tracks();
    t.same(
      replayed.map(({ number }) => number),
      recorded.map(({ number }) => number),
      'the box replays what was recorded, and nothing that came later',
    );
    t.ok(replayed.every(({ provenance }) => provenance === 'replayed'));
    await until(async () => (await cells(1)).length === replayed.length, 'the table has as many rows');
    t.same(
      await cells(1),
      replayed.map(({ number }) => number),
    );
    t.same(
      await cells(7),
      replayed.map(({ position }) => `${Math.round(position?.alt_agl_m ?? Number.NaN)} m`),
    );
    await page.getByRole('tab', { name: 'Zones' }).click();
    const create = page.getByRole('button', { name: 'New zone' });
    t.equal(await create.getAttribute('aria-disabled'), 'true');
    t.match(await page.locator('.right .reason').first().innerText(), 'A replay is shown: it is over');
  });

  await t.test('an alert of the live world is seen, and live is one press away', async (t) => {
    t.equal(await bar.count(), 0);
    drones.fly('1581F5FKD2294D000003', hovering(placeAt(LIVE_SITE, 90, 50)));
    await bar.waitFor();
    t.match(await bar.innerText(), /^LIVE ALERT: .*Car park/);
    t.equal(await page.locator('.badge.world').innerText(), 'REPLAY', 'a warning moves nobody');
    await bar.getByRole('button', { name: 'Show live' }).click();
    await inWorld('live');
    t.equal(await ribbon.count(), 0);
    t.notMatch(await page.title(), 'REPLAY');
    await page.locator('section.tracks tbody tr').nth(2).waitFor();
    const shown = await cells(1);
    t.ok(
      numbersNow.every((number) => shown.includes(number)),
      `${numbersNow} are among ${shown}`,
    );
  });

  await t.test('a critical alert of the live world ends the replay at once', async (t) => {
    await replay();
    await inWorld('replay');
    drones.fly('1581F5FKD2294D000004', hovering(placeAt(LIVE_SITE, 0, 2_050)));
    await page.locator('.row.alert.critical', { hasText: 'Turbine hall' }).waitFor();
    await inWorld('live');
    t.equal(await ribbon.count(), 0);
  });
});
