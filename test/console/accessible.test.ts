import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { isFull } from '../support/basics/size.ts';
import { noBrowser, openPage } from './support/browser.ts';
import { intruded } from './support/intruded.ts';

takeTime(t, 300);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
type Violation = { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] };

/** Violations of WCAG 2.2 A and AA that axe finds on the page as it is. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then((result) => result.violations)",
  )) as Violation[];
  return found.flatMap(({ id, impact, nodes }) => nodes.map(({ target }) => `${id} (${impact}): ${target.join(' ')}`));
}

const tab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click();
const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
const pressEscape = (page: Page) => page.keyboard.press('Escape');

/** The side view of its heights is loaded with the editor. */
async function editZone(page: Page): Promise<void> {
  await page.locator('.right .row').first().getByRole('button', { name: 'Edit' }).click();
  await page.locator('figure.profile li').first().waitFor();
}

type Screen = { name: string; open: (page: Page) => Promise<void>; close?: (page: Page) => Promise<void> };
/** The screens in the order in which the test opens them; a dialog is closed before the next screen. */
const track: Screen = { name: 'the selected track', open: (page) => page.locator('article.track').waitFor() };
const health: Screen = { name: 'health', open: tab('Health') };
const screens: readonly Screen[] = [
  track,
  health,
  { name: 'approvals', open: tab('Approvals') },
  { name: 'fleet', open: tab('Fleet') },
  { name: 'zones', open: tab('Zones') },
  { name: 'the editor of a zone', open: editZone, close: button('Discard') },
  { name: 'the editor of a region', open: button('New region'), close: button('Discard') },
  { name: 'the tracks table', open: button('Tracks table') },
  { name: 'the log', open: button('Log'), close: button('Log') },
  { name: 'settings', open: button('Settings'), close: pressEscape },
  { name: 'find', open: (page) => page.keyboard.press('/'), close: pressEscape },
  { name: 'keys', open: button('Keys'), close: pressEscape },
  { name: 'sign in', open: button('Sign in …'), close: pressEscape },
];

t.test('the menu of a small screen has no fault of accessibility', { skip: noBrowser }, async (t) => {
  const { daemon } = await intruded(t);
  const page = await openPage(t, daemon.url, { width: 683, height: 384, reducedMotion: 'reduce' });
  await page.getByRole('tab', { name: 'Threats' }).waitFor();
  t.same(await violations(page), [], 'before it is open');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByLabel('Your name for the log').waitFor();
  t.same(await violations(page), [], 'the menu');
});

for (const theme of ['day', 'dusk', 'night'] as const)
  t.test(`no screen has a fault of accessibility, theme ${theme}`, { skip: noBrowser }, async (t) => {
    const { daemon } = await intruded(t);
    const page = await openPage(t, daemon.url, { reducedMotion: 'reduce' });
    await page.locator('.row.threat').first().click();
    await page.evaluate(`document.documentElement.setAttribute('data-theme', '${theme}')`);
    for (const { name, open, close } of theme === 'night' || isFull ? screens : [track, health]) {
      await open(page);
      t.same(await violations(page), [], name);
      await close?.(page);
    }
  });
