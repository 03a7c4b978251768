import t from 'tap';
import type { Scenario } from '../../src/model/scenario.ts';
import type { Track } from '../../src/model/track.ts';
import type { Zone } from '../../src/model/zone.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { must } from '../support/daemon/alerts.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { LIVE_SITE, play, show } from '../support/daemon/shown_worlds.ts';
import { Drones, hovering } from '../support/sky/drones.ts';
import { noBrowser, openPage } from './support/browser.ts';

takeTime(t, 240);

const zone = (name: string, northM: number, level: string) => {
  const { lat, lon } = placeAt(LIVE_SITE, 0, northM);
  const geometry = { type: 'Point', coordinates: [lon, lat], radius_m: 200 };
  return { name, kind: 'warning', geometry, alarm: { level, on: ['enter'] } };
};

t.test('the world that is shown is never in doubt', { skip: noBrowser }, async (t) => {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const carPark = await must<Zone>(daemon, '/api/zones', zone('Car park', 0, 'warning'));
  await must(daemon, '/api/zones', zone('Turbine hall', 2_000, 'critical'));
  const scenarios = await daemon.get<Scenario[]>('/api/scenarios');
  const intruder = scenarios.find(({ name }) => name === 'Lone intruder') as Scenario;
  const drones = new Drones(t, daemon).fly('1581F5FKD2294D000001', hovering(placeAt(LIVE_SITE, 180, 3_000)));
  await until(async () => (await daemon.get<Track[]>('/api/tracks')).length === 1, 'it is tracked');

  const page = await openPage(t, daemon.url);
  const world = page.locator('.badge.world');
  const ribbon = page.locator('.ribbon');
  const bar = page.locator('.live-alert');
  const inWorld = (mode: string) => page.locator(`.watch[data-mode="${mode}"]`).waitFor();
  await inWorld('live');
  t.equal(await ribbon.count(), 0);
  t.equal(await page.title(), 'Dunlin');

  await t.test('a played scenario says on every side that it is not real', async (t) => {
    await play(daemon, intruder);
    await inWorld('sim');
    t.match(await ribbon.innerText(), 'SIMULATION. Nothing on this screen is real');
    t.equal(await world.innerText(), 'SIM');
    t.match(await page.title(), /^SIM · /, 'the word comes first');
    await page.locator('.hold.stop').click({ delay: 1_300 });
    await page.locator('.badge.stopped').waitFor();
    await page.locator('.bottom').getByRole('button', { name: 'Log' }).click();
    const stops = page.locator('.bottom .log .row', { hasText: 'stopped everything' });
    const ofLive = stops.filter({ hasText: /real world, \d\d:\d\d:\d\dZ:/ });
    await ofLive.waitFor();
    await stops.nth(1).waitFor();
    t.same([await stops.count(), await ofLive.count()], [2, 1], 'one row for each world');
    await page.locator('.bottom').getByRole('button', { name: 'Log' }).click();
  });

  await t.test('an alert of the live world is seen, and one press away', async (t) => {
    t.equal(await bar.count(), 0);
    drones.fly('1581F5FKD2294D000002', hovering(placeAt(LIVE_SITE, 90, 50)));
    await bar.waitFor();
    t.match(await bar.innerText(), /^LIVE ALERT: .*Car park/);
    t.equal(await world.innerText(), 'SIM', 'a warning moves nobody');
    await page.reload();
    await bar.waitFor();
    t.match(await bar.innerText(), /^LIVE ALERT: .*Car park/, 'who opens the page later sees it too');
    await bar.getByRole('button', { name: 'Show live' }).click();
    await inWorld('live');
    t.equal(await ribbon.count(), 0);
    t.notMatch(await page.title(), 'SIM');
    await page.locator('.row.alert.warning', { hasText: 'Car park' }).waitFor();
    t.equal(await bar.count(), 0);
  });

  await t.test('an alert of the live world that ends leaves the bar', async (t) => {
    await show(daemon, 'sim');
    await inWorld('sim');
    await bar.waitFor();
    t.equal((await daemon.request(`/api/zones/${carPark.id}`, { method: 'DELETE' })).status, 200);
    await bar.waitFor({ state: 'detached' });
    t.equal(await world.innerText(), 'SIM', 'the simulation stays in view');
    await must(daemon, '/api/sim/mode', { mode: 'live' });
    await inWorld('live');
  });

  await t.test('no alert of the simulation keeps its place in the list of the live world', async (t) => {
    await show(daemon, 'sim');
    await must(daemon, '/api/sim/rate', { rate: 10 });
    await inWorld('sim');
    await page.locator('.row.alert').first().hover();
    await page.getByText('order held').last().waitFor();
    await must(daemon, '/api/sim/mode', { mode: 'live' });
    await inWorld('live');
    t.equal(await page.locator('.row.alert', { hasText: 'no longer in the list' }).count(), 0);
  });

  await t.test('what is critical in the live world is shown at once, whatever was played', async (t) => {
    await show(daemon, 'sim');
    await inWorld('sim');
    drones.fly('1581F5FKD2294D000003', hovering(placeAt(LIVE_SITE, 0, 2_050)));
    await page.locator('.row.alert.critical', { hasText: 'Turbine hall' }).waitFor();
    await inWorld('live');
    t.equal(await ribbon.count(), 0);
  });
});
