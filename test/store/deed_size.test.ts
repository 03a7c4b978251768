import fc from 'fast-check';
import t from 'tap';
import { DEED_BYTES, deedValue } from '../../src/store/ledger.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { auditBench } from '../support/daemon/audit.ts';

onlyInFull(t);

t.test('what a row says of a thing is bounded, whatever the thing is; what is short is told as it is', async (t) => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const long = fc.oneof(
    value,
    fc.tuple(value, fc.nat(9_000)).map(([entry, n]) => Array.from({ length: n }, () => entry)),
    fc
      .tuple(value, fc.nat(9_000), fc.constantFrom('k', 'é'.repeat(90), '😀'.repeat(300)))
      .map(([entry, n, key]) => Object.fromEntries(Array.from({ length: n % 60 }, (_, at) => [`${key}${at}`, entry]))),
    fc.nat(40_000).map((n) => JSON.parse(`${'['.repeat(n % 3_000)}"${'é'.repeat(n)}"${']'.repeat(n % 3_000)}`)),
  );
  fc.assert(
    fc.property(long, (value) => {
      const said = deedValue(value);
      const text = JSON.stringify(value);
      const bytes = Buffer.byteLength(text);
      t.ok(Buffer.byteLength(JSON.stringify(said)) <= DEED_BYTES);
      if (bytes <= DEED_BYTES) t.equal(JSON.stringify(said), text);
      else t.match(said, { shortened: true, bytes });
    }),
    { seed: seedOf(t), numRuns: sized(100) },
  );
  t.equal(deedValue(undefined), null);
});

t.test('a long one is told by its counts and its first entries, in a row of the chain', async (t) => {
  const bench = auditBench(t);
  const assets = Array.from({ length: 900 }, (_, n) => ({ name: `Heron ${n}`, serial: `1581F5FKD2294A${n}` }));
  bench.note({ before: null, after: { created: 900, assets } });
  const [row] = bench.ledger.audit.since(0);
  t.equal(row?.before, null);
  t.match(row?.after, {
    shortened: true,
    counts: { entries: 2, assets: 900 },
    first: { created: 900, assets: [{ name: 'Heron 0' }, { name: 'Heron 1' }] },
  });
});
