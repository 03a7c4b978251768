import t from 'tap';
import { distanceAndCourse } from '../../src/console/map/camera.ts';
import { spoken } from '../../src/console/words/flight.ts';
import type { FleetRow } from '../../src/model/fleet.ts';
import { until } from '../support/basics/deadline.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { must } from '../support/daemon/alerts.ts';
import { begun, startFlights } from '../support/daemon/flights.ts';
import { ArduCopter } from '../support/vehicles/arducopter.ts';
import { noBrowser, openPage } from './support/browser.ts';
import { hold, press, requestsTo, stopTimers } from './support/hand.ts';

takeTime(t, 300);

const SITE = { lat: -35.363_262, lon: 149.165_237 };
/** No vehicle may fly there: it is about the middle of the map, since nothing else is drawn. */
const CLOSED = placeAt(SITE, 90, 400);

t.test('a person flies a vehicle from its card', { skip: noBrowser }, async (t) => {
  const rig = await startFlights(t);
  const { daemon } = rig;
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, at: SITE }));
  const assetId = await rig.adopt(copter, 'Heron');
  await rig.able(assetId, 'takeoff');
  const geometry = { type: 'Point', coordinates: [CLOSED.lon, CLOSED.lat], radius_m: 150 };
  await must(daemon, '/api/zones', { name: 'Closed', kind: 'keep_out', geometry });

  const page = await openPage(t, daemon.url, { hasOwnClock: true });
  const sent = requestsTo(page, `/assets/${assetId}/command`);
  await page.getByRole('tab', { name: 'Fleet' }).click();
  const card = page.getByRole('article', { name: 'Heron' });
  const verb = (name: string) => card.locator('.acts').getByRole('button', { name, exact: true });
  const form = card.locator('.act-form');
  const order = form.locator('.hold');
  const outcome = (text: RegExp) => card.locator('.outcome', { hasText: text }).waitFor();
  await verb('take off').waitFor();

  await t.test('a verb that cannot be used says why, with the words of the buttons', async (t) => {
    await page.getByLabel('Your name for the log').fill('anna');
    await page.getByLabel('Your name for the log').press('Enter');
    const rows = await daemon.get<FleetRow[]>('/api/fleet');
    const move = rows.flatMap(({ verbs }) => verbs).find((state) => state.verb === 'goto');
    t.equal(await verb('go to').getAttribute('aria-disabled'), 'true');
    t.equal(await verb('go to').getAttribute('title'), spoken(move?.text ?? ''));
    t.match(await card.locator('[title^="Mode of its autopilot: "]').innerText(), /^[A-Z_]+$/, 'its mode has a hint');
  });

  await stopTimers(page);
  await t.test('a movement is sent by a hold, with what the form says', async (t) => {
    await verb('take off').click();
    await form.getByLabel('Height').fill('100000');
    t.match(await order.getAttribute('title'), /Height.* is missing or not between/);
    await hold(page, order, 2_000);
    await form.getByLabel('Height').fill('20');
    await hold(page, order, 500);
    t.same(sent, [], 'not out of its bounds, and not by a press');
    await hold(page, order, 600);
    await form.waitFor({ state: 'detached' });
    t.match(sent, [{ verb: 'takeoff', params: { kind: 'value', height_m: 20 }, operator: 'anna' }]);
    await outcome(/take off: done/);
  });

  await t.test('a place is picked on the map; a refusal is the sentence of the box, and the form stays', async (t) => {
    await verb('go to').click();
    await form.getByRole('button', { name: 'Click on the map' }).click();
    await page.locator('.map').click();
    const place = form.getByLabel('Latitude, longitude');
    const [lat = Number.NaN, lon = Number.NaN] = (await place.inputValue()).split(',').map(Number);
    const awayM = distanceAndCourse({ lat, lon }, CLOSED).distanceM;
    t.ok(awayM < 60, `within the zone, whose middle is ${awayM} m away: the buttons take a side of the map`);
    const answered = page.waitForResponse((response) => response.url().endsWith('/command'));
    await hold(page, order, 600);
    const answer = await answered;
    t.equal(answer.status(), 409);
    const { error } = (await answer.json()) as { error: string };
    t.match(error, /Closed/);
    await page.locator('.refusal').waitFor();
    t.ok((await page.locator('.refusal').innerText()).includes(spoken(error)), error);
    const far = placeAt(SITE, 270, 60);
    await place.fill(`${far.lat}, ${far.lon}`);
    await hold(page, order, 600);
    await outcome(/go to: (accepted|executing)/);
    t.equal(await page.locator('.refusal').count(), 0, 'the refusal is over with the next act');
    t.match(sent.at(-1), { verb: 'goto', params: { kind: 'point', ...far, height_takeoff_m: 30 } });
  });

  await t.test('a press counts although a line of the card moves the button away under it', async () => {
    for (const name of ['hold', 'orbit']) {
      const button = verb(name);
      const shown = name === 'hold' ? 'Vibration is high' : 'Compass is noisy';
      await button.and(page.locator('[aria-disabled="false"]')).waitFor();
      const before = sent.length;
      await press(page, button);
      copter.say(shown, 4);
      await card.getByText(shown).waitFor();
      await page.mouse.up();
      if (name === 'hold') await until('the press is sent', () => sent.length > before);
      else await form.waitFor();
    }
    await verb('orbit').click();
    await form.waitFor({ state: 'detached' });
  });

  await t.test('a press that slides off its button does nothing', async (t) => {
    const before = sent.length;
    const stops = requestsTo(page, '/engagement/stop_all');
    for (const begin of [verb('hold'), page.locator('.bar .stop')]) {
      await press(page, begin);
      await page.mouse.move(40, 400);
      await page.clock.runFor(2_000);
      await page.mouse.up();
    }
    await verb('hold').click();
    await until('the press is sent', () => sent.length > before);
    t.match(sent.slice(before), [{ verb: 'hold' }]);
    t.equal(sent.length, before + 1);
    t.same(stops, []);
  });

  await t.test('a simulated pointer holds a button too', async () => {
    await verb('go to').click();
    const before = sent.length;
    await order.dispatchEvent('pointerdown', { pointerId: 99, button: 0, bubbles: true });
    await page.clock.runFor(600);
    await until('the order is sent', () => sent.length > before);
    await outcome(/go to: (accepted|executing|done)/);
  });

  await t.test('hold and return home are one press', async (t) => {
    for (const [name, wanted] of [
      ['hold', 'hold'],
      ['return home', 'return_home'],
    ] as const) {
      const before = sent.length;
      const answered = page.waitForResponse((response) => response.url().endsWith('/command'));
      await verb(name).click();
      t.equal((await answered).status(), 200);
      t.equal(sent.length, before + 1);
      t.match(sent.at(-1), { verb: wanted, params: { kind: 'none' } });
      await outcome(new RegExp(`${name}: (accepted|executing|done)`));
    }
  });
});
