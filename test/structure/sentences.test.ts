import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { commentsOf } from './comments.ts';
import { sentencesOf, sentencesOfPage, wordsOf } from './sentences.ts';

const MOST_WORDS = 25;

const filesIn = (room: string, name: RegExp) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !/(?:^|\/)(?:build|node_modules)\//.test(path))
    .map((path) => join(room, path));
const isLong = (sentence: string) => wordsOf(sentence) > MOST_WORDS;

t.test('no sentence of a comment is longer than 25 words', async (t) => {
  const sources = ['src', 'native', 'test', 'scripts'].flatMap((room) => filesIn(room, /\.(?:tsx?|mjs|cc|h)$/));
  t.ok(sources.length > 1_000, 'the sources were found');
  const found = sources.flatMap((file) =>
    commentsOf(readFileSync(file, 'utf8')).flatMap(({ line, body }) =>
      sentencesOf(body)
        .filter(isLong)
        .map((sentence) => `${file}:${line}: ${wordsOf(sentence)} words: ${sentence}`),
    ),
  );
  t.same(found, []);
});

t.test('no sentence of a document is longer than 25 words', async (t) => {
  const pages = ['README.md', 'CHANGELOG.md', ...filesIn('docs', /\.md$/)];
  t.ok(pages.length > 10, 'the pages were found');
  const found = pages.flatMap((page) =>
    sentencesOfPage(readFileSync(page, 'utf8'))
      .filter(isLong)
      .map((sentence) => `${page}: ${wordsOf(sentence)} words: ${sentence}`),
  );
  t.same(found, []);
});

t.test('sentences end at stops, list items and table cells, and code in backticks is one word', async (t) => {
  const page = [
    'One track: it flies. A `code of four words`, e.g. this one',
    'goes on.',
    '- first item',
    '- second item',
    '',
    '| cell | other |',
    '```',
    'left out',
    '```',
    '**Bold.** After [a link](to/a.md)',
  ].join('\n');
  t.same(
    sentencesOfPage(page).map((sentence) => [sentence, wordsOf(sentence)]),
    [
      ['One track:', 2],
      ['it flies.', 2],
      ['A X, e.g this one goes on.', 7],
      ['- first item', 2],
      ['- second item', 2],
      ['| cell', 1],
      ['other', 1],
      ['**Bold.**', 1],
      ['After a link', 3],
    ],
  );
});
