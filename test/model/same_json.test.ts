import fc from 'fast-check';
import t from 'tap';
import { sameJson } from '../../src/model/same_json.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

/** Pairs that differ nowhere, or in one place only, beside those that differ everywhere. */
const pair = fc.jsonValue().chain((value) => {
  const text = JSON.stringify(value);
  return fc.tuple(
    fc.constant(value),
    fc.oneof(
      fc.constant(JSON.parse(text) as unknown),
      fc.jsonValue(),
      fc.nat(text.length).map((at) => changedAt(text, at)),
    ),
  );
});

function changedAt(text: string, at: number): unknown {
  try {
    return JSON.parse(text.replace(/\d|true|null/g, (found, offset: number) => (offset >= at ? '7' : found)));
  } catch {
    return null;
  }
}

t.test('two values are the same where their texts are, fields in order', async (t) => {
  fc.assert(
    fc.property(pair, ([a, b]) => sameJson(a, b) === (inOrder(a) === inOrder(b))),
    { seed: seedOf(t), numRuns: sized(2_000) },
  );
});

t.test('what is undefined is absent, and what is no number is the same as itself', async (t) => {
  t.ok(sameJson({ a: 1, b: undefined }, { a: 1 }));
  t.ok(sameJson({ a: 1 }, { b: undefined, a: 1 }));
  t.notOk(sameJson({ a: null }, {}));
  t.notOk(sameJson({}, { a: 0 }));
  t.ok(sameJson([Number.NaN, -0], [Number.NaN, 0]));
  t.notOk(sameJson([], {}));
  t.notOk(sameJson({ 0: 1 }, [1]));
});

t.test('a field may be called as something is that every object has', async (t) => {
  for (const field of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    const named = JSON.parse(`{"a": 1, "${field}": {}}`) as object;
    t.notOk(sameJson({ a: 1 }, named), field);
    t.notOk(sameJson(named, { a: 1 }), field);
    t.ok(sameJson(named, JSON.parse(JSON.stringify(named))), field);
  }
});

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
