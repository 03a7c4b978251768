import fc from 'fast-check';
import t from 'tap';
import { findJsonFault } from '../../src/host/json_fault.ts';
import { parseJson } from '../../src/http/json.ts';
import { Fault } from '../../src/model/fault.ts';
import { sized } from '../support/basics/size.ts';

const seed = 20250601;

t.test('the first fault of a text that is not JSON is found where it stands', async (t) => {
  const cases: [string, number][] = [
    ['', 0],
    ['{', 1],
    ['nul', 0],
    ['{"a":}', 5],
    ['{"a":1', 6],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{1:2}', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[}', 1],
    ['{]', 1],
    ['01', 1],
    ['1.', 1],
    ['-', 0],
    ['"a\nb"', 2],
    ['"\\x"', 1],
    ['"\\u12g4"', 1],
    ['"open', 5],
    ['{} x', 3],
  ];
  for (const [text, at] of cases) t.equal(findJsonFault(text), at, JSON.stringify(text));
});

t.test('a text that was cut off ends too early, at its end', async (t) => {
  t.comment(`seed ${seed}`);
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (value, share) => {
        const text = JSON.stringify(value);
        const cut = text.slice(0, Math.floor(share * (text.length - 1)));
        // Half a word or number or escape is wrong where it begins; anything else is wrong at its end.
        const at = findJsonFault(cut);
        return at <= cut.length && !/["\\[\]{}]/.test(cut.slice(at).replace(/^\\u?[\da-f]{0,3}/i, ''));
      },
    ),
    { seed, numRuns: sized(500) },
  );
});

t.test('no text makes the search throw or run past the end', async (t) => {
  t.comment(`seed ${seed}`);
  const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', '-', '.', 'e', 'true', ' ', '\n', 'é');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      const at = findJsonFaultUnlessValid(text);
      return at === null || (at >= 0 && at <= text.length);
    }),
    { seed, numRuns: sized(2_000) },
  );
});

function findJsonFaultUnlessValid(text: string): number | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    return findJsonFault(text);
  }
}

t.test('a million open brackets cost no stack', async (t) => {
  t.equal(findJsonFault('['.repeat(1_000_000)), 1_000_000);
});

t.test('the sentence names the position, the line and the column', async (t) => {
  t.throws(() => parseJson('{\n  "a": 1,\n}', 'the body', 16), {
    code: 'invalid_input',
    message: 'the body is not JSON: there is an unexpected character at position 12 (line 3, column 1)',
  });
});

t.test('sixteen levels are taken and seventeen are not', async (t) => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  t.ok(Array.isArray(parseJson(nested(16), 'the body', 16)));
  t.throws(() => parseJson(nested(17), 'the body', 16), Fault);
});

t.test('keys that could reach a prototype are refused at every depth', async (t) => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    t.throws(() => parseJson(`{"${key}":1}`, 'the body', 16), { code: 'invalid_input' });
    t.throws(() => parseJson(`[{"a":[{"${key}":{"x":1}}]}]`, 'the body', 16), { code: 'invalid_input' });
  }
  t.equal(({} as Record<string, unknown>).x, undefined);
});

t.test('half of a surrogate pair is refused, in a text and in a key, and a whole pair is not', async (t) => {
  for (const text of ['"\\ud800"', '{"a":["x\\udc00"]}', '{"\\uDBFF":1}', '"\\udc00\\ud800"']) {
    t.throws(() => parseJson(text, 'the body', 8), { code: 'invalid_input', message: /surrogate/ }, text);
  }
  t.equal(parseJson('"\\ud83d\\ude00"', 'the body', 8), '\u{1f600}');
});
