import type { Page } from 'playwright-core';
import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { noBrowser, openPage } from './support/browser.ts';
import { intruded } from './support/intruded.ts';

takeTime(t, 180);

const MOST_STEPS = 200;
/** The element with the focus: its tag, and what it is called. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const { tagName, ariaLabel, textContent, title } = document.activeElement;
    return tagName + ' ' + (ariaLabel ?? textContent.trim().slice(0, 40) ?? title);
  })()`);

/** Steps of Tab until the focus is on what is looked for; fails where it comes round without it. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    if (wanted.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${wanted}`);
}

t.test('a watch without a pointer', { skip: noBrowser }, async (t) => {
  const { daemon, alert } = await intruded(t);
  const page = await openPage(t, daemon.url);
  const panel = page.locator('article.track');
  await page.locator('.row.threat').first().waitFor();

  await t.test('the focus comes round the whole screen, and back', async (t) => {
    const seen: string[] = [];
    await page.keyboard.press('Tab');
    const first = await focused(page);
    do {
      seen.push(await focused(page));
      await page.keyboard.press('Tab');
    } while (!(await focused(page)).startsWith('BODY') && (await focused(page)) !== first && seen.length < MOST_STEPS);
    t.ok(seen.length < MOST_STEPS, 'no control keeps the focus');
    const inOrder = [
      /Start watch/,
      /STOP ALL/,
      /T-0001/,
      /Acknowledge/,
      /Map of the site/,
      /Tracks table/,
      /Track/,
      /Log/,
    ];
    const places = inOrder.map((wanted) => seen.findIndex((name) => wanted.test(name)));
    t.notOk(places.includes(-1), JSON.stringify(seen));
    t.same(
      places.slice(0, 5),
      places.slice(0, 5).toSorted((a, b) => a - b),
      'in the order of reading',
    );
  });

  await t.test('keys select, show and acknowledge', async (t) => {
    await page.keyboard.press('j');
    await panel.waitFor();
    t.match(await panel.innerText(), /T-0001/);
    await page.keyboard.press('n');
    // A key acknowledges no alert that came a moment ago.
    await until(async () => {
      await page.keyboard.press('a');
      return (await daemon.get<Alert>(`/api/alerts/${alert.id}`)).acknowledged;
    }, 'the newest alert is acknowledged');
    await page.locator('.row.alert[data-seen="false"]').first().waitFor({ state: 'detached' });
    // The answer to the last order can come after this key, and its sentence takes the place of this one.
    await until(async () => {
      await page.keyboard.press('a');
      return (await page.locator('.notices').innerText()).includes('No alert in the list waits to be acknowledged.');
    }, 'nothing is left to acknowledge');
    await page.keyboard.press('h');
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'Health' }).waitFor();
    await page.keyboard.press(']');
    t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'night');
    await page.keyboard.press('[');
  });

  await t.test('keys lead to the lists, to a form and to what is sought', async (t) => {
    await page.keyboard.press('t');
    t.match(await focused(page), /T-0001/);
    await page.keyboard.press('l');
    t.match(await focused(page), /^BUTTON Show/);
    await page.keyboard.press('d');
    const form = panel.locator('.act-form');
    await form.locator('input:focus').waitFor();
    t.match(await form.innerText(), /Give a reason/, 'what is missing is said before anything is sent');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.locator('.tabs').getByRole('tab', { name: 'Track' }).focus();
    await page.keyboard.press('d');
    await form.locator('input:focus').waitFor();
    await page.keyboard.press('/');
    const dialog = page.getByRole('dialog', { name: 'Find' });
    await dialog.waitFor();
    await page.keyboard.type('nobody');
    await dialog.getByText('Nothing has this name or number.').waitFor();
    for (let i = 0; i < 6; i++) await page.keyboard.press('Backspace');
    await page.keyboard.type('depot');
    await dialog.getByRole('button', { name: 'Depot' }).waitFor();
    for (let i = 0; i < 5; i++) await page.keyboard.press('Backspace');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    t.match(await panel.innerText(), /T-0001/);
  });

  await t.test('arrow keys lead from tab to tab, and E to the approvals', async (t) => {
    const open = page.locator('[role=tab][aria-selected=true]');
    await page.getByRole('tab', { name: 'Track' }).focus();
    await page.keyboard.press('ArrowLeft');
    await open.filter({ hasText: 'Health' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await open.filter({ hasText: 'Approvals' }).waitFor();
    t.match(await focused(page), /Approvals/);
    await page.keyboard.press('f');
    await page.keyboard.press('e');
    await open.filter({ hasText: 'Approvals' }).waitFor();
  });

  await t.test('a track is reached through the table, by Tab and Enter alone', async (t) => {
    await page.getByRole('tab', { name: 'Health' }).focus();
    await tabTo(page, /^BUTTON Tracks table/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^BUTTON T-0001$/);
    await page.keyboard.press('Enter');
    await panel.waitFor();
    t.match(await panel.innerText(), /Why this score/);
  });

  await t.test('a dialog takes the focus and gives it back', async (t) => {
    await tabTo(page, /^BUTTON Settings/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.waitFor();
    t.ok(await page.evaluate("document.activeElement.closest('dialog') !== null"));
    await page.keyboard.press('j');
    t.equal(await page.locator('.refusal').count(), 0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    t.match(await focused(page), /^BUTTON Settings/);
  });

  await t.test('letters that are typed are no keys', async (t) => {
    await page.keyboard.press('h');
    await tabTo(page, /^INPUT Your name/);
    await page.keyboard.type('ajfn');
    t.equal(await page.getByLabel('Your name for the log').inputValue(), 'ajfn');
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'Health' }).waitFor();
  });

  await t.test('STOP ALL is held by Space as by a finger', async (t) => {
    const stopped: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/engagement/stop_all')) stopped.push(request.method());
    });
    await tabTo(page, /STOP ALL/);
    await page.keyboard.press('Space');
    t.same(stopped, []);
    const answered = page.waitForResponse((response) => response.url().endsWith('/engagement/stop_all'));
    await page.keyboard.down('Space');
    t.equal((await answered).status(), 200);
    await page.keyboard.up('Space');
    t.same(stopped, ['POST']);
    await page.locator('[aria-live=assertive]', { hasText: 'Stopped: 0 vehicles hold' }).waitFor();
  });

  await t.test('Shift+X stops everything from anywhere, when it is held', async (t) => {
    await page.getByRole('tab', { name: 'Track' }).focus();
    const answered = page.waitForResponse((response) => response.url().endsWith('/engagement/stop_all'));
    await page.keyboard.press('Shift+X');
    await page.locator('.hold.stop', { hasText: 'Hold for 1 s' }).waitFor();
    await page.keyboard.down('Shift');
    await page.keyboard.down('X');
    t.equal((await answered).status(), 200);
    await page.keyboard.up('X');
    await page.keyboard.up('Shift');
  });

  await t.test('STOP ALL works in a dialog, by key and by pointer', async (t) => {
    const answered = () => page.waitForResponse((response) => response.url().endsWith('/engagement/stop_all'));
    await tabTo(page, /^BUTTON Settings/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.waitFor();
    const byKey = answered();
    await page.keyboard.down('Shift');
    await page.keyboard.down('X');
    t.equal((await byKey).status(), 200);
    await page.keyboard.up('X');
    await page.keyboard.up('Shift');
    const place = await page.locator('header .hold.stop').boundingBox();
    const byPointer = answered();
    await page.mouse.move((place?.x ?? 0) + 20, (place?.y ?? 0) + 15);
    await page.mouse.down();
    t.equal((await byPointer).status(), 200, 'at the place of the button in the top bar');
    await page.mouse.up();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
