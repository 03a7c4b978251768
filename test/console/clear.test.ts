import fc from 'fast-check';
import t from 'tap';
import { type Camera, fitted, placeAt, project } from '../../src/console/map/camera.ts';
import { edgesOf, paddingBeside, wayOut } from '../../src/console/map/clear.ts';
import { takeTime } from '../support/basics/patience.ts';
import { until } from '../support/daemon/daemon.ts';
import { noBrowser, openPage } from './support/browser.ts';
import { intruded } from './support/intruded.ts';

takeTime(t, 120);

const column = [
  { left: 606, top: 12, right: 714, bottom: 39 },
  { left: 632, top: 48, right: 714, bottom: 165 },
];
const wide = { widthPx: 726, heightPx: 660 };
const row = [
  { left: 6, top: 6, right: 230, bottom: 50 },
  { left: 240, top: 6, right: 330, bottom: 50 },
];
const narrow = { widthPx: 335, heightPx: 245 };

t.test('a site that is fitted into the map lies beside its buttons', async (t) => {
  const site = { lat: 47.4, lon: 8.5 };
  const places = [0, 90, 180, 270].map((courseDeg) => placeAt(site, 900, courseDeg));
  for (const { size, buttons } of [
    { size: wide, buttons: column },
    { size: narrow, buttons: row },
  ]) {
    const camera: Camera = fitted({ ...site, zoom: 2, ...size }, places, paddingBeside(buttons, size));
    for (const place of places) {
      const spot = project(camera, place);
      t.equal(wayOut(spot, buttons, size), null, `${spot} is free`);
      t.equal(wayOut(spot, edgesOf(size), size), null, `${spot} is on the map`);
    }
  }
});

t.test('a spot below a button has a way out to a free spot of the map, and a free one stays', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 726 }), fc.integer({ min: 0, max: 660 }), (x, y) => {
      const way = wayOut([x, y], column, wide);
      if (way === null)
        return column.every((one) => x <= one.left || x >= one.right || y <= one.top || y >= one.bottom);
      return wayOut([x + way[0], y + way[1]], column, wide) === null;
    }),
  );
  t.same(wayOut([680, 160], column, wide), [0, 25], 'the shortest one: down, by the rest of the button and a symbol');
  t.equal(wayOut([300, 300], column, wide), null);
  const everywhere = [{ left: 0, top: 0, right: 726, bottom: 660 }];
  t.equal(wayOut([300, 300], everywhere, wide), null, 'where all is covered, nothing moves');
});

t.test('a pointer reads a track on the map, which does not stay under a button', { skip: noBrowser }, async (t) => {
  const { daemon } = await intruded(t);
  const page = await openPage(t, daemon.url);
  const tip = page.locator('.map-tip');
  await page.locator('.row.threat').first().click();
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map').boundingBox()) ?? {};
  const middle = [x + width / 2, y + height / 2] as const;
  /** Points at a spot of the map until the symbol there is found: it is drawn some time after it moved. */
  const pointAt = (spot: readonly [number, number]) =>
    until(async () => {
      await page.mouse.move(...spot);
      if ((await tip.count()) > 0) return true;
      await page.mouse.move(x + width + 50, y + 50);
      return false;
    }, `a track at ${spot}`);

  await pointAt(middle);
  t.match(await tip.textContent(), /^T-0001 · unknown · \d+ m AGL · \d+ m\/s$/);
  t.equal(await tip.getAttribute('aria-hidden'), 'true');
  await page.getByRole('tab', { name: 'Fleet' }).click();
  await page.mouse.click(...middle);
  await page.locator('article.track').waitFor();
  t.pass('a click beside the line takes the track');
  t.equal(await tip.count(), 0, 'and ends the line');
  const box = await page.locator('.map').boundingBox();
  t.same(box, { x, y, width, height }, 'nothing moved');

  const button = (await page.getByRole('button', { name: 'Measure' }).boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const [left, bottom] = [button.x + button.width / 2, button.y + button.height];
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(left, bottom - 5, { steps: 8 });
  await page.mouse.up();
  t.equal(await tip.count(), 0, 'it is under the button');
  await pointAt([left, bottom + 20]);
  t.pass('and comes out below it, once nobody points at the map');
});
