import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { stagePages, withLinksOf } from '../../scripts/package-parts/pages.ts';
import { folderOf } from '../support/basics/folder.ts';

t.test('every link of the pages in the package leads to a file of the package', async (t) => {
  const doc = folderOf(t);
  stagePages(doc);
  const pages = readdirSync(doc, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  t.ok(pages.length > 40);
  let count = 0;
  for (const page of pages)
    for (const [, target = ''] of readFileSync(join(doc, page), 'utf8').matchAll(/\]\(([^()\s]+)\)/g)) {
      if (/^(?:[a-z]+:|#)/.test(target)) continue;
      count += 1;
      const path = join(doc, dirname(page), target.replace(/#.*/, ''));
      if (!existsSync(path) && !path.endsWith('/changelog.gz')) t.fail(`${page}: ${target}`);
    }
  t.ok(count > 200, `${count} links`);
});

t.test('a link to what the package lacks becomes its text, and a dead link stops the package', async (t) => {
  t.equal(
    withLinksOf('see [Scoring](../build/scoring.md#factors), [Alerts](alerts.md#x)', 'use/scores.md'),
    'see Scoring, [Alerts](alerts.md#x)',
  );
  t.equal(withLinksOf('[the file](../../config/dunlin.yaml)', 'use/install.md'), '[the file](../examples/dunlin.yaml)');
  t.throws(
    () => withLinksOf('[no](nowhere.md)', 'use/install.md'),
    /has a link to docs\/use\/nowhere.md, which does not exist/,
  );
  t.throws(
    () => withLinksOf('![no](../images/console_day.png)', 'use/install.md'),
    /shows docs\/images\/console_day.png, which the package lacks/,
  );
});
