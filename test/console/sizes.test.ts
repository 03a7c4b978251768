import type { Page } from 'playwright-core';
import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { noBrowser, openPage } from './support/browser.ts';
import { intruded } from './support/intruded.ts';

takeTime(t, 180);

/** Parts of the screen, none of which covers another. Dialogs and what lies on the map on purpose are not among them. */
const parts = ['.top', '.left .threats', '.left .alerts', '.centre', '.right', '.bottom'];

/**
 * Faults of the layout, as sentences: parts that overlap or leave the window, controls that lie over each other or are too
 * small for a finger, and what scrolls sideways.
 */
const faultsOf = async (page: Page): Promise<string[]> =>
  JSON.parse(
    String(
      await page.evaluate(`(() => {
  scrollTo(0, 0);
  const faults = [];
  const { clientWidth, clientHeight, scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push('the page is ' + scrollWidth + ' px wide in ' + clientWidth);
    if (scrollHeight > clientHeight ) faults.push('the page is ' + scrollHeight + ' px high in ' + clientHeight);
  const boxOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const isShown = ({ left, top, right, bottom }) => right - left > 0 && bottom - top > 0;
  const apart = (a, b) =>
    a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const boxes = ${JSON.stringify(parts)}
    .map((name) => ({ name, element: document.querySelector(name) }))
    .filter(({ element }) => element !== null)
    .map(({ name, element }) => ({ name, box: boxOf(element) }))
    .filter(({ box }) => isShown(box));
  for (const [i, a] of boxes.entries()) {
    if (a.box.left < -1 || a.box.top < -1 || a.box.right > clientWidth + 1 || a.box.bottom > clientHeight + 1)
      faults.push(a.name + ' leaves the window: ' + JSON.stringify(a.box));
    for (const b of boxes.slice(i + 1)) if (!apart(a.box, b.box)) faults.push(a.name + ' lies over ' + b.name);
  }
  for (const area of ['.bar-items > *:not(.menu), .hold.stop', '.tab-list > *, .more-tabs', '.map-tools > *, .switch', '.strip > *', '.right .acts > *']) {
    const controls = [...document.querySelectorAll(area)].map((element) => ({ element, box: boxOf(element) }));
    const shown = controls.filter(({ box }) => isShown(box));
    for (const [i, a] of shown.entries())
      for (const b of shown.slice(i + 1))
        if (!apart(a.box, b.box))
          faults.push(area + ': ' + a.element.textContent.slice(0, 20) + ' lies over ' + b.element.textContent.slice(0, 20));
  }
  for (const scroller of document.querySelectorAll('.panel, .tab-panel, .centre, .log'))
    if (scroller.scrollWidth > scroller.clientWidth + 1)
      faults.push(scroller.className + ' scrolls sideways: ' + scroller.scrollWidth + ' in ' + scroller.clientWidth);
  for (const heading of document.querySelectorAll('h2'))
    if (heading.scrollHeight > heading.clientHeight + 1)
      faults.push('cut in height: ' + heading.textContent + ', ' + heading.clientHeight + ' of ' + heading.scrollHeight);
  for (const button of document.querySelectorAll('button:not(.link), select, input:not([type=radio], [type=checkbox])')) {
    const { left, top, right, bottom } = boxOf(button);
    const isSmall = clientWidth <= 700 || clientHeight <= 500;
    const least = button.matches('.sheet-handle') || !isSmall ? 24 : 43;
    if (right > left && (bottom - top < least || right - left < 24))
      faults.push('too small: ' + (button.ariaLabel ?? button.textContent) + ' ' + (right - left) + ' x ' + (bottom - top));
  }
  return JSON.stringify(faults);
})()`),
    ),
  );

t.test('everything has its place on each size of screen', { skip: noBrowser }, async (t) => {
  const { daemon } = await intruded(t);
  const sizes = [
    { name: '1920 x 1080', width: 1_920, height: 1_080 },
    { name: '1366 x 768', width: 1_366, height: 768 },
    { name: 'a low window, whose lists scroll', width: 1_100, height: 510 },
    { name: 'a phone', width: 390, height: 844 },
    { name: 'a phone on its side', width: 844, height: 390 },
    // What a browser of 1366 x 768 at 200 % has: the same pixels for half the points.
    { name: '200 % zoom', width: 683, height: 384 },
  ];
  for (const { name, ...size } of sizes)
    await t.test(name, async (t) => {
      const isSmall = size.width <= 700 || size.height <= 500;
      const page = await openPage(t, daemon.url, size);
      const openTab = async (name: string): Promise<void> => {
        const tab = page.getByRole('tab', { name });
        if (!(await tab.isVisible())) await page.getByRole('button', { name: 'More' }).click();
        await tab.click();
      };
      await page.locator('.row.threat').first().click();
      await page.locator('article.track').waitFor();
      t.same(await faultsOf(page), [], 'a track');
      for (const tab of ['Approvals', 'Fleet', 'Zones', 'Health']) {
        await openTab(tab);
        t.same(await faultsOf(page), [], tab);
      }
      await openTab('Zones');
      await page.locator('.right').getByRole('button', { name: 'Edit' }).click();
      t.same(await faultsOf(page), [], 'the editor of a zone');
      await page.getByRole('button', { name: 'Discard' }).click();
      if (isSmall) {
        for (const name of ['Threats', 'Alerts']) {
          await openTab(name);
          t.same(await faultsOf(page), [], name);
          const [panel, row] = await Promise.all([
            page.locator('.tab-panel').boundingBox(),
            page
              .locator(name === 'Threats' ? '.row.threat' : '.row.alert')
              .first()
              .boundingBox(),
          ]);
          const isWhole = panel && row && row.y + row.height <= panel.y + panel.height + 1;
          t.ok(isWhole, `${name}: a whole row with its buttons: ${JSON.stringify({ panel, row })}`);
        }
      }
      if (isSmall) {
        const bar = await page.locator('.bar').boundingBox();
        t.ok(bar && bar.height <= 110, `the bar is ${bar?.height} px high`);
        await page.getByRole('button', { name: 'Menu' }).click();
        t.same(await faultsOf(page), [], 'the menu');
        t.ok(await page.locator('.counts').isVisible(), 'the counts are in the menu');
        const [before, menu] = [await page.locator('.bar').boundingBox(), page.locator('.menu-button')];
        const asking = await menu.boundingBox();
        await page.getByLabel('Your name for the log').fill('Maria Sommer-Huber');
        await page.getByLabel('Your name for the log').press('Enter');
        await page.locator('.menu-button[data-asks="false"]').waitFor();
        t.same(await page.locator('.bar').boundingBox(), before, 'a name does not change the bar');
        t.same(await menu.boundingBox(), asking, 'nor does it move the button of the menu');
        if (size.width > size.height) t.ok(before && before.height < 60, `one row: ${before?.height} px`);
        await openTab('Log');
        t.same(await faultsOf(page), [], 'the log');
        await page.locator('.right .ticks').click();
        await page.locator('.right .log .chosen').waitFor();
      }
      await page.getByRole('button', { name: 'Settings' }).click();
      const dialog = await page.getByRole('dialog', { name: 'Settings' }).boundingBox();
      t.ok(dialog && dialog.x >= 0 && dialog.x + dialog.width <= size.width, 'the settings fit');
      await page.keyboard.press('Escape');
      t.ok(await page.locator('.hold.stop').isVisible(), 'STOP ALL is on the screen');
    });
});
