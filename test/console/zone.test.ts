import t from 'tap';
import type { Position } from '../../src/model/geometry.ts';
import type { Track } from '../../src/model/track.ts';
import type { Zone } from '../../src/model/zone.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { must } from '../support/daemon/alerts.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { Drones, hovering } from '../support/sky/drones.ts';
import { noBrowser, openPage } from './support/browser.ts';

takeTime(t, 240);

t.test('a person draws what is to be protected', { skip: noBrowser }, async (t) => {
  const daemon = await startDaemon(t);
  const page = await openPage(t, daemon.url);
  const zones = () => daemon.get<Zone[]>('/api/zones');
  const form = page.getByRole('form', { name: 'Zones' });
  const save = async (): Promise<number> => {
    const answered = page.waitForResponse((response) => /\/api\/zones(\/|$)/.test(new URL(response.url()).pathname));
    await form.getByRole('button', { name: 'Save' }).click();
    return (await answered).status();
  };
  const row = (name: string) => page.locator('.right .row', { hasText: name });
  await page.getByRole('tab', { name: 'Zones' }).click();

  await t.test('a circle of the table is the circle of the box, and comes back as it was', async (t) => {
    await page.getByRole('button', { name: 'New zone' }).click();
    t.equal(await form.getByRole('button', { name: 'Save' }).getAttribute('title'), 'The zone needs a name.');
    await form.getByLabel('Name').fill('Depot');
    t.equal(await form.getByLabel('Kind').inputValue(), '', 'no kind is taken for the person');
    await form.getByLabel('Latitude, longitude').fill('47.1987, 8.7302');
    await form.getByRole('button', { name: 'Add point' }).click();
    await form.getByLabel('Radius').fill('250');
    t.equal(await form.getByRole('button', { name: 'Save' }).getAttribute('title'), 'The zone needs a kind.');
    await form.getByLabel('Kind').selectOption('protected');
    t.equal(await save(), 200);
    await row('Depot').waitFor();
    const [made] = await zones();
    t.match(made, { name: 'Depot', kind: 'protected', version: 1 });
    t.same(made?.geometry, { type: 'Point', coordinates: [8.7302, 47.1987], radius_m: 250 });

    await row('Depot').getByRole('button', { name: 'Edit' }).click();
    t.equal(await form.getByLabel('Radius').inputValue(), '250');
    await form.getByLabel('Ceiling').fill('120');
    t.equal(await save(), 200);
    const [changed] = await zones();
    const { updated_at: _, version, ceiling_m: ceilingM, ...rest } = changed as Zone;
    t.match({ version, ceilingM }, { version: 2, ceilingM: 120 });
    t.match(rest, { geometry: made?.geometry, alarm: made?.alarm, floor_m: made?.floor_m });
  });

  await t.test('hours, affiliations and events of the alarm are saved, and come back as they were', async (t) => {
    const around = { type: 'Point', coordinates: [8.73, 47.2], radius_m: 4_000 };
    await daemon.post('/api/regions', { name: 'Airfield', geometry: around, tz: 'Asia/Tokyo' });
    await page.locator('.right .row', { hasText: 'Airfield' }).waitFor();
    await row('Depot').getByRole('button', { name: 'Edit' }).click();
    await form.getByLabel('approaches').check();
    await form.getByLabel('enters').uncheck();
    await form.getByLabel('Predicted time').fill('90');
    await form.getByLabel('hostile').check();
    await form.getByLabel('Active only at these hours').check();
    t.equal(await form.getByLabel('Time zone').inputValue(), 'Asia/Tokyo', 'the time zone is that of the region');
    await form.getByLabel('From', { exact: true }).fill('22:00');
    await form.getByLabel(/^To/).fill('06:00');
    await form.getByLabel('sun').uncheck();
    await form.getByLabel('Time zone').fill('Mars/Olympus');
    t.equal(await save(), 400, 'the box judges the time zone');
    t.match(await page.locator('.refusal').innerText(), /time zone/);
    await form.getByLabel('Time zone').fill('Europe/Zurich');
    t.equal(await save(), 200);
    const [saved] = await zones();
    t.match(saved, {
      alarm: { on: ['approach'], eta_s: 90, dwell_s: 30 },
      applies_to: { affiliations: ['hostile'], cooperative: [] },
      schedule: { from: '22:00', to: '06:00', tz: 'Europe/Zurich' },
    });
    t.same(saved?.schedule?.days, ['mon', 'tue', 'wed', 'thu', 'fri', 'sat']);

    await row('Depot').getByRole('button', { name: 'Edit' }).click();
    t.equal(await form.getByLabel('From', { exact: true }).inputValue(), '22:00');
    await form.getByLabel('Active only at these hours').uncheck();
    await form.getByLabel('approaches').uncheck();
    t.equal(
      await form.getByRole('button', { name: 'Save' }).getAttribute('title'),
      'Choose at least one event of the alarm.',
    );
    await form.getByLabel('enters').check();
    await form.getByLabel('hostile').uncheck();
    t.equal(await save(), 200);
    t.match((await zones())[0], { alarm: { on: ['enter'] }, applies_to: { affiliations: [] }, schedule: null });
  });

  await t.test('a pasted outline is taken, and its points are dragged on the map', async (t) => {
    await row('Depot').getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'New zone' }).click();
    await form.getByLabel('Name').fill('Pasted');
    await form.getByText('Paste GeoJSON').click();
    await form.getByLabel('GeoJSON', { exact: true }).fill('{"type":"Polygon"');
    await form.getByRole('button', { name: 'Take this outline' }).click();
    await form.getByText('The text is no JSON.').waitFor();
    const ring = [
      [8.729, 47.198],
      [8.731, 47.198],
      [8.731, 47.199],
      [8.729, 47.198],
    ];
    await form.getByLabel('GeoJSON', { exact: true }).fill(JSON.stringify({ type: 'Polygon', coordinates: [ring] }));
    await form.getByRole('button', { name: 'Take this outline' }).click();
    t.equal(await form.locator('tbody tr').count(), 3);

    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map').boundingBox()) ?? {};
    // The depot's centre is the middle of the map: a fourth point there, dragged away.
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    await page.mouse.click(middleX, middleY);
    t.equal(await form.locator('tbody tr').count(), 4);
    const places = () => form.locator('tbody input').evaluateAll((all) => all.map((one) => Number(one.value)));
    const before = await places();
    await page.mouse.move(middleX, middleY);
    await page.mouse.down();
    await page.mouse.move(middleX + 30, middleY - 30, { steps: 5 });
    await page.mouse.move(middleX + 60, middleY - 60, { steps: 5 });
    await page.mouse.up();
    const after = await places();
    t.same(after.slice(0, 6), before.slice(0, 6), 'the others stay');
    t.ok((after[6] ?? 0) > (before[6] ?? 0) && (after[7] ?? 0) > (before[7] ?? 0), 'it went north and east');
    await page.mouse.click(middleX + 60, middleY - 60);
    t.equal(await form.locator('tbody tr').count(), 4, 'a click on a point adds none');
    await form.getByRole('button', { name: 'Undo' }).click();
    t.same(await places(), before, 'the drag is undone whole');
    await form.getByRole('button', { name: 'Discard' }).click();
  });

  await t.test('a ring that crosses itself is refused by the box, and its points are marked', async (t) => {
    await row('Depot').getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'New zone' }).click();
    await form.getByLabel('Name').fill('Yard');
    await form.getByLabel('Kind').selectOption('warning');
    await form.getByRole('combobox', { name: 'Shape' }).selectOption('polygon');
    const map = page.locator('.map');
    const { width = 0, height = 0 } = (await map.boundingBox()) ?? {};
    // Two edges cross in the middle: 1 to 2, and 3 to 4.
    for (const [right, down] of [
      [-90, -90],
      [90, 90],
      [90, -90],
      [-90, 90],
    ] as const)
      await map.click({ position: { x: width / 2 + right, y: height / 2 + down } });
    t.equal(await form.locator('tbody tr').count(), 4, 'each click is a point');
    t.equal(await save(), 400);
    const refusal = await page.locator('.refusal').innerText();
    t.match(refusal, /the edges from positions 0 and 2 meet/);
    t.equal(await form.locator('.crossing').count(), 4, 'the points of both edges');
    t.equal((await zones()).length, 1);
    t.equal(await form.getByLabel('Name').inputValue(), 'Yard', 'what was drawn stays');

    await form.getByRole('button', { name: 'Remove point 4' }).click();
    t.equal(await form.locator('.crossing').count(), 0);
    await form.getByRole('button', { name: 'Undo' }).click();
    t.equal(await form.locator('tbody tr').count(), 4);
    await form.getByRole('button', { name: 'Remove point 4' }).click();
    t.equal(await save(), 200);
    await row('Yard').waitFor();
  });

  await t.test('a point is moved by the table, and the others stay where they are', async (t) => {
    const ringOf = async (): Promise<Position[]> => {
      const geometry = (await zones()).find(({ name }) => name === 'Yard')?.geometry;
      return geometry?.type === 'Polygon' ? (geometry.coordinates[0] ?? []) : [];
    };
    const before = await ringOf();
    t.equal(before.length, 4, 'a closed ring of three');
    await row('Yard').getByRole('button', { name: 'Edit' }).click();
    const latitude = form.getByLabel('Latitude of point 2');
    t.equal(Number(await latitude.inputValue()), before[1]?.[1]);
    await latitude.fill('47.19');
    await latitude.press('Tab');
    t.equal(await save(), 200);
    const after = await ringOf();
    t.same(
      after,
      before.map(([lon, lat], index) => [lon, index === 1 ? 47.19 : lat]),
    );
  });

  await t.test('what another person changed meanwhile is not overwritten', async (t) => {
    await row('Yard').getByRole('button', { name: 'Edit' }).click();
    const yard = (await zones()).find(({ name }) => name === 'Yard') as Zone;
    await must(daemon, `/api/zones/${yard.id}`, { ceiling_m: 60, version: yard.version });
    await form.getByLabel('Ceiling').fill('80');
    t.equal(await save(), 409);
    await page.locator('.refusal').waitFor();
    t.equal(await form.getByLabel('Ceiling').inputValue(), '80');
    await form.getByRole('button', { name: 'Discard' }).click();
  });

  await t.test('the side view has the heights with their datum, and the tracks over the outline', async (t) => {
    await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
    const site = { lat: 47.1987, lon: 8.7302 };
    const drones = new Drones(t, daemon).fly('1581F5FKD2294D000001', hovering(placeAt(site, 90, 50), 60));
    await until(async () => (await daemon.get<Track[]>('/api/tracks')).length === 1, 'the first is tracked');
    drones.fly('1581F5FKD2294D000002', hovering(placeAt(site, 270, 50), 300));
    drones.fly('1581F5FKD2294D000003', hovering(placeAt(site, 0, 2_000), 90));
    await row('Depot').getByRole('button', { name: 'Edit' }).click();
    const view = form.locator('figure.profile');
    const rows = (): Promise<string[]> => view.locator('li').allInnerTexts();
    const says = (part: RegExp): Promise<unknown> =>
      until(async () => part.test((await view.getByRole('img').getAttribute('aria-label')) ?? ''), `it says ${part}`);
    await says(/from the ground to 120 m\. Heights are above ground \(AGL\)/);
    await until(async () => (await rows()).length === 2, 'both over the outline are listed');
    t.same(await rows(), ['T-0002: 300 m AGL, above', 'T-0001: 60 m AGL, inside']);
    t.match(await view.locator('figcaption').innerText(), '2 tracks are over this outline, 1 within its heights');
    t.equal(await view.locator('.mark.inside').count(), 1);

    await form.getByLabel('Floor').fill('80');
    await says(/from 80 m to 120 m/);
    t.match((await rows())[1], '60 m AGL, below');
    await form.getByLabel('Ceiling').fill('');
    await until(async () => /300 m AGL, inside/.test((await rows())[0] ?? ''), 'an open ceiling has room for it');
    t.match(await view.locator('svg').innerHTML(), 'Open: 1000 m AGL', 'as high as the scores count');

    await form.getByLabel('Heights above').selectOption('hae');
    await says(/above ellipsoid \(HAE\)\. The ground is not known/);
    const geometry = { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 1_000 };
    await must(daemon, '/api/regions', { name: 'Site', geometry, ground_alt_hae_m: 480 });
    await says(/The ground is at 480 m/);
    t.match(await view.locator('svg').innerHTML(), 'Floor 80 m HAE');
    await form.getByRole('button', { name: 'Discard' }).click();
  });

  await t.test('a protected zone is deleted only by its name', async (t) => {
    const depot = row('Depot');
    await depot.getByRole('button', { name: 'Delete …' }).click();
    const last = depot.getByRole('button', { name: 'Delete zone' });
    await last.click({ force: true });
    t.equal(await last.getAttribute('aria-disabled'), 'true');
    await depot.getByLabel('Type the zone’s name').fill('Depot');
    await last.click();
    await depot.waitFor({ state: 'detached' });
    t.same(
      (await zones()).map(({ name }) => name),
      ['Yard'],
    );
  });
});
