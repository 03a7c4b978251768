import t from 'tap';
import { z } from 'zod';
import { pathText, sentenceOfIssues } from '../../src/model/issue.ts';

const schema = z.strictObject({
  name: z.string().min(1).max(5),
  lat: z.number().min(-90).max(90),
  course: z.number().min(0).lt(360),
  hits: z.int(),
  state: z.enum(['on', 'off']),
  one: z.literal(1),
  id: z.uuid(),
  at: z.iso.datetime({ offset: true }),
  flag: z.boolean(),
  list: z.array(z.strictObject({ n: z.number() })).max(1),
});
const good = {
  name: 'x',
  lat: 1,
  course: 2,
  hits: 3,
  state: 'on',
  one: 1,
  id: '5e0f6a52-0d3c-8a11-9c55-000000000001',
  at: '2025-06-01T12:00:00.000Z',
  flag: true,
  list: [],
};

function sentence(change: Record<string, unknown> | unknown[]): string {
  const input = Array.isArray(change) ? change : { ...good, ...change };
  const read = schema.safeParse(input);
  return read.success ? 'valid' : sentenceOfIssues(read.error.issues, 'the body', input);
}

t.test('each rule has a sentence that names the field', async (t) => {
  const cases: [Record<string, unknown> | unknown[], string][] = [
    [[], 'the body must be an object, not a list'],
    [{ name: undefined }, "'name' is missing: it must be a string"],
    [{ name: 7 }, "'name' must be a string, not a number"],
    [{ name: '' }, "'name' must have at least 1 character"],
    [{ name: 'abcdef' }, "'name' must have at most 5 characters"],
    [{ lat: null }, "'lat' must be a number, not null"],
    [{ lat: 90.5 }, "'lat' must be at most 90"],
    [{ lat: -91 }, "'lat' must be at least -90"],
    [{ lat: Number.POSITIVE_INFINITY }, "'lat' must be a number, not a number without a finite value"],
    [{ course: 360 }, "'course' must be less than 360"],
    [{ hits: 1.5 }, "'hits' must be a whole number, not a fraction"],
    [{ state: 'no' }, "'state' must be one of on, off"],
    [{ one: 2 }, "'one' must be 1"],
    [{ id: 'x' }, "'id' must be a UUID"],
    [{ at: 'noon' }, "'at' must be a time in the form of RFC 3339, for example 2025-06-01T12:00:00.000Z"],
    [{ flag: 'yes' }, "'flag' must be true or false, not a string"],
    [{ list: [{ n: 'x' }] }, "'list[0].n' must be a number, not a string"],
    [{ list: [{ n: 1, m: 2 }] }, "'list[0].m' is not a known field"],
    [{ list: [{ n: 1 }, { n: 2 }] }, "'list' must have at most 1 entry"],
    [{ extra: 1 }, "'extra' is not a known field"],
    [{ name: 7, lat: 91 }, "'name' must be a string, not a number (and 1 more fault)"],
  ];
  for (const [change, text] of cases) t.equal(sentence(change), text);
});

t.test('a key that is no plain word is quoted and cut', async (t) => {
  t.equal(pathText(['a', 'b c"']), 'a["b c\\""]');
  t.equal(pathText(['k'.repeat(100)]).length, 64);
});
