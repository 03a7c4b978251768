import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';

/** Words that stand for nothing in names any more, with the words that do: see docs/glossary.md. */
const retired: Readonly<Record<string, string>> = {
  desk: 'service',
  shelf: 'store',
  keeper: 'store, supervisor or scorer, by what it does',
  book: 'log, map or table, by what it is',
  rim: 'dependencies (deps)',
  theatre: 'world services',
  twin: 'simulated vehicle, reference implementation or duplicate',
  told: 'published or reported',
  tell: 'publish or report',
  heard: 'received',
  hear: 'receive',
  briefing: 'core configuration',
  owe: 'due or pending',
  owed: 'due or pending',
  hurry: 'run until',
  surely: 'try to persist, or likely',
  taps: 'recorder hook',
};
/** Names that a protocol or the given interface has. */
const allowed: readonly string[] = [];

const sources = ['src', 'native'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|cc|h)$/.test(path) && !path.startsWith('build'))
    .map((path) => join(room, path)),
);

/** Words of a name: `ClaimBook` and `claim_book` are claim and book. */
function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

/** Identifiers of a source: neither comments nor texts count. */
function identifiersOf(source: string): Set<string> {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, '')
    .replace(/\/\/[^\n]*/g, '')
    .replace(/`(?:\\.|[^`\\])*`/g, '');
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}

function retiredIn(name: string): string[] {
  if (allowed.includes(name)) return [];
  return wordsOf(name).filter((word) => Object.hasOwn(retired, word));
}

t.test('no identifier and no file is named by a retired word', async (t) => {
  t.ok(sources.length > 500, 'the sources were found');
  const found = sources.flatMap((path) => {
    const names = [basename(path).replace(/\..*$/, ''), ...identifiersOf(readFileSync(path, 'utf8'))];
    return names.flatMap((name) => retiredIn(name).map((word) => `${path}: ${name}; use ${retired[word]}`));
  });
  t.same(found, []);
});

t.test('a retired word is found in a name, and not in a part of a word, a text or a comment', async (t) => {
  const source = "const claimBook = 'the desk'; // told\n/* twin */ const retell = `heard`; class KeeperOf {}";
  t.same([...identifiersOf(source)].flatMap(retiredIn), ['book', 'keeper']);
});
