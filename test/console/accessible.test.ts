import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { noBrowser, openPage } from './support/browser.ts';
import { intruded } from './support/intruded.ts';

takeTime(t, 180);

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

for (const theme of ['day', 'dusk', 'night'] as const)
  t.test(`the screen of a watch has no fault of accessibility, theme ${theme}`, { skip: noBrowser }, async (t) => {
    const { daemon } = await intruded(t);
    const page = await openPage(t, daemon.url, { reducedMotion: 'reduce' });
    await page.locator('.row.threat').first().click();
    await page.locator('article.track').waitFor();
    await page.evaluate(`document.documentElement.setAttribute('data-theme', '${theme}')`);
    t.same(await violations(page), [], 'the selected track');
    await page.getByRole('tab', { name: 'Health' }).click();
    t.same(await violations(page), [], 'health');
    await page.getByRole('tab', { name: 'Zones' }).click();
    t.same(await violations(page), [], 'zones and regions');
    await page.locator('.right .row').first().getByRole('button', { name: 'Edit' }).click();
    await page.locator('figure.profile li').first().waitFor();
    t.same(await violations(page), [], 'the editor of a zone');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'New region' }).click();
    await page.getByRole('form', { name: 'Regions' }).waitFor();
    t.same(await violations(page), [], 'the editor of a region');
  });
