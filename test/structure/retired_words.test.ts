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

/** A comment, a string or a number; a brace or backtick, which may begin or end a text; or an identifier. */
const inCode =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\d[\w']*|[`{}]|[A-Za-z_$][\w$]*|[\s\S]/y;
/** Text of a template; its end, or code within it. */
const inTemplate = /(?:\\[\s\S]|[^`\\$]|\$(?!\{))+|`|\$\{/y;

/** Identifiers of a source, also in the code of templates: neither comments nor texts count. */
function identifiersOf(source: string): Set<string> {
  const found = new Set<string>();
  const open: ('`' | '{')[] = [];
  for (let at = 0; at < source.length; ) {
    const token = open.at(-1) === '`' ? inTemplate : inCode;
    token.lastIndex = at;
    const [text] = token.exec(source) ?? [''];
    if (text === '') break;
    at = token.lastIndex;
    if (token === inTemplate) {
      if (text === '`') open.pop();
      else if (text === '${') open.push('{');
    } else if (text === '`' || text === '{') open.push(text);
    else if (text === '}') open.pop();
    else if (/^[A-Za-z_$]/.test(text)) found.add(text);
  }
  return found;
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
  const source = [
    "const claimBook = 'the desk'; // told",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a source with a template
    '/* twin */ const retell = `heard it’s // ${isTold ? `a ${shelf}` : "rim"} { /*`; class KeeperOf {}',
    "int desk = 1'000, owed = 2'000;",
  ].join('\n');
  t.same([...identifiersOf(source)].flatMap(retiredIn), ['book', 'told', 'shelf', 'keeper', 'desk', 'owed']);
});
