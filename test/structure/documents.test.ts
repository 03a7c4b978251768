import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';

const MOST_LINES = 250;

const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
];

t.test('no page of the documents is longer than 250 lines', async (t) => {
  t.ok(pages.length > 10, 'the pages were found');
  for (const page of pages) {
    const lines = readFileSync(page, 'utf8').split('\n').length - 1;
    t.ok(lines <= MOST_LINES, `${page} has ${lines} lines`);
  }
});

// The changelog grows with each version: it has links, and no limit.
t.test('each relative link of a page leads to a file and to a heading of it', async (t) => {
  for (const page of [...pages, 'CHANGELOG.md']) {
    for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path = '', heading] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!t.ok(existsSync(file), `${page}: ${target}`)) continue;
      if (heading !== undefined) t.ok(headingsOf(file).includes(heading), `${page}: ${target} is a heading`);
    }
  }
});

/** Names of headings as a forge makes them: lower case, words joined by a hyphen, other signs left out. */
function headingsOf(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
