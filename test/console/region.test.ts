import t from 'tap';
import type { Region } from '../../src/model/region.ts';
import { takeTime } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { noBrowser, openPage } from './support/browser.ts';

takeTime(t, 240);

t.test('a person draws where the ground and the clock are known', { skip: noBrowser }, async (t) => {
  const daemon = await startDaemon(t);
  // The map opens on a zone: clicks are some hundred metres apart.
  const geometry = { type: 'Point', coordinates: [8.7302, 47.1987], radius_m: 800 };
  await must(daemon, '/api/zones', { name: 'Depot', kind: 'warning', geometry });
  const page = await openPage(t, daemon.url);
  const regions = () => daemon.get<Region[]>('/api/regions');
  const form = page.getByRole('form', { name: 'Regions' });
  const map = page.locator('.map');
  const row = (name: string) => page.locator('.right .row', { hasText: name });
  const save = async (): Promise<{ status: number; error: string }> => {
    const answered = page.waitForResponse((response) => /\/api\/regions(\/|$)/.test(new URL(response.url()).pathname));
    await form.getByRole('button', { name: 'Save' }).click();
    const response = await answered;
    return { status: response.status(), error: (await response.json()).error };
  };
  const click = async (...spots: (readonly [number, number])[]): Promise<void> => {
    const { width = 0, height = 0 } = (await map.boundingBox()) ?? {};
    for (const [right, down] of spots) await map.click({ position: { x: width / 2 + right, y: height / 2 + down } });
  };
  await page.getByRole('tab', { name: 'Zones' }).click();
  await row('Depot').waitFor();

  await t.test('a polygon of clicks is the region of the box, with its ground and its clock', async (t) => {
    await page.getByRole('button', { name: 'New region' }).click();
    t.equal(await form.getByRole('button', { name: 'Save' }).getAttribute('title'), 'The region needs a name.');
    await form.getByLabel('Name').fill('Valley');
    await click([-120, -120], [120, -120], [120, 120], [-120, 120]);
    t.equal(await form.locator('tbody tr').count(), 4, 'each click is a point');
    await form.getByLabel('Ground, m').fill('480.5');
    await form.getByLabel('Time zone').fill('Europe/Zurich');
    t.equal((await save()).status, 200);
    await row('Valley').waitFor();
    const [made] = await regions();
    t.match(made, { name: 'Valley', ground_alt_hae_m: 480.5, tz: 'Europe/Zurich', posture: null, default_view: null });
    t.equal(made?.geometry.type === 'Polygon' && made.geometry.coordinates[0]?.length, 5, 'a closed ring of four');
    t.match(await row('Valley').innerText(), /ground 480.5 m above the ellipsoid \(HAE\) · Europe\/Zurich/);
  });

  await t.test('a changed field leaves the outline as it was; each step can be undone until it is saved', async (t) => {
    const [before] = await regions();
    await row('Valley').getByRole('button', { name: 'Edit' }).click();
    t.equal(await form.getByLabel('Ground, m').inputValue(), '480.5');
    await form.getByLabel('Posture').selectOption('elevated');
    await form.getByRole('button', { name: 'Take the map as it stands' }).click();
    await click([0, 0]);
    t.equal(await form.locator('tbody tr').count(), 5);
    await form.getByRole('button', { name: 'Undo' }).click();
    t.equal(await form.locator('tbody tr').count(), 4);
    t.equal((await save()).status, 200);
    const [after] = await regions();
    t.match(after, { version: 2, posture: 'elevated', tz: 'Europe/Zurich', geometry: before?.geometry as object });
    const { lat = 0, lon = 0 } = after?.default_view ?? {};
    t.ok(Math.abs(lat - 47.1987) < 0.01 && Math.abs(lon - 8.7302) < 0.01, `the view is about ${lat}, ${lon}`);
  });

  await t.test('what the box refuses stays as it was drawn, with its sentence', async (t) => {
    await row('Valley').getByRole('button', { name: 'Edit' }).click();
    await form.getByLabel('Time zone').fill('Mars/Olympus');
    const { status, error } = await save();
    t.equal(status, 400);
    t.match(error, /name of a time zone/);
    t.match(await page.locator('.refusal').innerText(), error);
    t.equal(await form.getByLabel('Time zone').inputValue(), 'Mars/Olympus');
    await form.getByRole('button', { name: 'Discard' }).click();

    await page.getByRole('button', { name: 'New region' }).click();
    await form.getByLabel('Name').fill('Crossed');
    await click([-90, -90], [90, 90], [90, -90], [-90, 90]);
    t.equal((await save()).status, 400);
    await form.locator('.crossing').first().waitFor();
    t.equal(await form.locator('.crossing').count(), 4, 'the points of both edges');
    await form.getByRole('button', { name: 'Discard' }).click();
    t.equal((await regions()).length, 1);
  });

  await t.test('what another person changed meanwhile is not overwritten', async (t) => {
    await row('Valley').getByRole('button', { name: 'Edit' }).click();
    const [valley] = await regions();
    await must(daemon, `/api/regions/${valley?.id}`, { ground_alt_hae_m: 470, version: valley?.version });
    await form.getByLabel('Ground, m').fill('490');
    t.equal((await save()).status, 409);
    t.equal(await form.getByLabel('Ground, m').inputValue(), '490');
    await form.getByRole('button', { name: 'Discard' }).click();
    t.equal((await regions())[0]?.ground_alt_hae_m, 470);
  });

  await t.test('a region is deleted by a second press, which says what is lost', async (t) => {
    await row('Valley').getByRole('button', { name: 'Delete …' }).click();
    t.match(await row('Valley').innerText(), /lose the height above ground/);
    t.equal((await regions()).length, 1);
    await row('Valley').getByRole('button', { name: 'Delete region' }).click();
    await row('Valley').waitFor({ state: 'detached' });
    t.same(await regions(), []);
  });
});
