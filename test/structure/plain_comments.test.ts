import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Comment, commentsOf, isHeadless } from './comments.ts';

/** Sentences that begin so for a reason, as `file: first words`. */
const allowed: readonly string[] = [];
const MOST_HEADLESS = 0.03;

const sources = ['src', 'native'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|cc|h)$/.test(path) && !/^(?:build|test)\//.test(path))
    .map((path) => join(room, path)),
);
const comments = sources.flatMap((file) =>
  commentsOf(readFileSync(file, 'utf8')).map((comment): Comment & { file: string } => ({ ...comment, file })),
);
const headless = comments.filter(({ text }) => isHeadless(text));

t.test('the first sentence of a docstring begins with the thing that it describes', async (t) => {
  t.ok(comments.length > 3_000, 'the comments were found');
  const found = headless
    .filter(
      ({ isDocstring, file, text }) => isDocstring && !allowed.some((each) => `${file}: ${text}`.startsWith(each)),
    )
    .map(({ file, line, text }) => `${file}:${line}: ${text.slice(0, 80)}`);
  t.same(found, []);
});

t.test('at most 3 % of all comments begin with a headless clause', async (t) => {
  const share = headless.length / comments.length;
  t.ok(share <= MOST_HEADLESS, `${(share * 100).toFixed(1)} % of ${comments.length}`);
});

t.test('a headless clause is found in blocks and in lines, a question and a string are none', async (t) => {
  const source = [
    '/** What is near. */',
    '  // Of each track',
    '  // the last.',
    "const url = 'http://who/'; // Whose turn it is.",
    '/** Who may sign in? */',
    '/* The track that is near. */',
    'const text = `// How`;',
    '/// What is near.',
  ].join('\n');
  t.same(
    commentsOf(source).map(({ line, text, isDocstring }) => [line, isHeadless(text), isDocstring]),
    [
      [1, true, true],
      [2, true, false],
      [4, true, false],
      [5, false, true],
      [6, false, false],
      [8, true, true],
    ],
  );
});
