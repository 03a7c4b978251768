import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Pages and what they show, in the source tree and below /usr/share/doc/dunlin. */
const places: Record<string, string> = {
  'README.md': 'README.md',
  'docs/use': 'use',
  'docs/glossary.md': 'glossary.md',
  'docs/samples': 'samples',
  'docs/images/console.png': 'images/console.png',
  'config/dunlin.yaml': 'examples/dunlin.yaml',
  'CHANGELOG.md': 'changelog.gz',
};
const compressed = ['CHANGELOG.md'];

/**
 * Copies the pages for users to `doc`. Their links lead to the places of the package; a link to a part of the source tree
 * that the package lacks becomes plain text.
 */
export function stagePages(doc: string): void {
  for (const [from, to] of Object.entries(places))
    if (!compressed.includes(from)) cpSync(from, join(doc, to), { recursive: true });
  const pages = readdirSync(doc, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  for (const page of pages) {
    const text = readFileSync(join(doc, page), 'utf8');
    writeFileSync(join(doc, page), withLinksOf(text, page));
  }
}

/** Returns the text of a page with the links of the package. `page` is its path below the pages' folder. */
export function withLinksOf(text: string, page: string): string {
  const [source] = Object.entries(places).find(([, to]) => page === to || page.startsWith(`${to}/`)) ?? [];
  if (source === undefined) throw new Error(`${page} is not one of the pages of the package`);
  const folder = dirname(join(source, relative(places[source] ?? '', page)));
  return text.replace(
    /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g,
    (whole, image: string, label: string, target: string) => {
      if (/^(?:[a-z]+:|#)/.test(target)) return whole;
      const [path = '', fragment] = target.split('#');
      const of = join(folder, path);
      if (!existsSync(of)) throw new Error(`${page} has a link to ${of}, which does not exist`);
      const found = placeOf(of);
      if (found === null && image !== '') throw new Error(`${page} shows ${of}, which the package lacks`);
      if (found === null) return label;
      const to = relative(dirname(page), found);
      return `${image}[${label}](${to}${fragment === undefined ? '' : `#${fragment}`})`;
    },
  );
}

function placeOf(path: string): string | null {
  for (const [from, to] of Object.entries(places))
    if (path === from || path.startsWith(`${from}/`)) return join(to, relative(from, path));
  return null;
}
