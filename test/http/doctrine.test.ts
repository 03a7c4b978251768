import fc from 'fast-check';
import t from 'tap';
import { parse, stringify } from 'yaml';
import { type Doctrine, type DoctrineBody, responses } from '../../src/model/doctrine.ts';
import { postures, threatLevels } from '../../src/model/posture.ts';
import { name } from '../../src/model/scalar.ts';
import { defaultDoctrine } from '../../src/registry/doctrine/defaults.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { type Answer, ask, type Rig, startRig } from '../support/http/server.ts';

const get = async (rig: Rig): Promise<Doctrine> => (await ask(`${rig.url}/api/doctrine`)).body.data as Doctrine;
const exported = async (rig: Rig): Promise<string> => (await ask(`${rig.url}/api/doctrine/export`)).text;
const send = (rig: Rig, text: string, query = ''): Promise<Answer> =>
  ask(`${rig.url}/api/doctrine/import${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/yaml' },
    body: text,
  });

function authored({ postures, release_table, rules, planning_profiles }: Doctrine | DoctrineBody): DoctrineBody {
  return { postures, release_table, rules, planning_profiles };
}

const plain = (body: DoctrineBody): string => stringify(body, { aliasDuplicateObjects: false });

t.test('the defaults hold until one is imported, and everything is in one answer', async (t) => {
  const rig = await startRig(t);
  const doctrine = await get(rig);
  t.equal(doctrine.version, 0);
  t.same(authored(doctrine), defaultDoctrine);
  t.same(
    doctrine.postures.map(({ id }) => id),
    postures,
  );
  for (const { matrix } of doctrine.postures) t.match(matrix.at(-1), { level: 'none', offer: ['none'] });
  t.same(Object.keys(doctrine.firing).sort(), doctrine.rules.map(({ id }) => id).sort());
  const coast = doctrine.settings.find(({ key }) => key === 'decision.tracking.coast_s');
  t.match(coast, { value: 5, default: 5, unit: 's', min: 0.1, max: 3_600, trace: [{ layer: 'default', value: 5 }] });
});

t.test('what a person decided stands in the trace of a setting, above what holds without', async (t) => {
  const rig = await startRig(t);
  const { decision, doctrine } = rig.registry.registry;
  const { version: _version, updated_at: _at, updated_by: _by, ...policy } = decision.get();
  const anna = { type: 'user', id: 'u1', name: 'anna', address: null } as const;
  decision.save({ ...policy, tracking: { ...policy.tracking, coast_s: 4 } }, anna);
  const coast = doctrine.get().settings.find(({ key }) => key === 'decision.tracking.coast_s');
  t.match(coast?.trace, [
    { layer: 'default', value: 5 },
    { layer: 'workspace', value: 4, by: 'user:anna', at: String },
  ]);
  t.equal(coast?.value, 4);
});

t.test('an export is imported as it is, and is another version of the same', async (t) => {
  const rig = await startRig(t);
  const before = await get(rig);
  const answer = await send(rig, await exported(rig));
  t.equal(answer.status, 200, answer.body.error ?? '');
  t.same(answer.body.data, { ...before, version: 1 });
  t.same(rig.registry.told.at(-1), { kind: 'doctrine_change', row: { version: 1, by: 'open:127.0.0.1' } });
  t.match(parse(await exported(rig)), { hash: /^sha256:[0-9a-f]{64}$/, version: 1 });
});

const some = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== '');
const share = fc.double({ min: 0, max: 1, noNaN: true });
const doctrines: fc.Arbitrary<DoctrineBody> = fc.record({
  postures: fc.tuple(
    ...postures.map((id) =>
      fc.record({
        id: fc.constant(id),
        description: some,
        autonomy_cap: fc.constantFrom('off' as const, 'advise' as const, 'observe_auto' as const),
        matrix: fc
          .array(
            fc.record({
              level: fc.constantFrom(...threatLevels),
              affiliation: fc.constantFrom('friend' as const, 'hostile' as const, 'any' as const),
              offer: fc.uniqueArray(fc.constantFrom(...responses), { minLength: 1 }),
              automatic: fc.constant([]),
              approvals: fc.constantFrom(0, 1, 2),
            }),
            { maxLength: 5 },
          )
          .map((rows) =>
            [...rows, { level: 'none', affiliation: 'any', offer: ['none'], automatic: [], approvals: 0 } as const].map(
              (row) => ({ ...row, offer: [...row.offer], automatic: [] }),
            ),
          ),
      }),
    ),
  ),
  release_table: fc.constant(defaultDoctrine.release_table),
  rules: fc.tuple(...defaultDoctrine.rules.map((rule) => fc.boolean().map((enabled) => ({ ...rule, enabled })))),
  planning_profiles: fc.uniqueArray(
    fc.record({
      id: some.map((text) => text.trim()).filter((text) => name.safeParse(text).success),
      weights: fc.record({ time: share, energy: share, sensor_fit: share, link_range: share, separation: share }),
      max_assets: fc.integer({ min: 1, max: 16 }),
      reserve_pct: fc.double({ min: 5, max: 90, noNaN: true }),
    }),
    { minLength: 1, maxLength: 4, selector: ({ id }) => id },
  ),
});

t.test('any doctrine survives being imported, exported and imported elsewhere', async (t) => {
  const [here, there] = [await startRig(t), await startRig(t)];
  const property = fc.asyncProperty(doctrines, async (body) => {
    const first = await send(here, plain(body), '?force=1');
    const again = await send(there, await exported(here));
    const same =
      JSON.stringify(authored(again.body.data as Doctrine)) === JSON.stringify(authored(first.body.data as Doctrine));
    return same && JSON.stringify(authored(await get(there))) === JSON.stringify(authored(body));
  });
  const result = await fc.check(property, { seed: seedOf(t), numRuns: sized(60) });
  t.notOk(result.failed, `${JSON.stringify(result.counterexample)?.slice(0, 1_000)}`);
});

t.test('a document that was changed by hand is taken only where that is meant', async (t) => {
  const rig = await startRig(t);
  const text = (await exported(rig)).replace('autonomy_cap: observe_auto', 'autonomy_cap: advise');
  t.match((await send(rig, text)).body, { code: 'invalid_input', error: /changed by hand.*\?force=1/ });
  t.equal((await get(rig)).version, 0);
  t.equal((await send(rig, text, '?force=1')).status, 200);
  t.equal((await get(rig)).postures[0]?.autonomy_cap, 'advise');
  const reordered = stringify(parse(await exported(rig)), { sortMapEntries: true, indent: 4 });
  t.equal((await send(rig, reordered)).status, 200, 'how it is written does not matter');
  t.match((await send(rig, plain(defaultDoctrine))).body.error, /no hash/);
});

t.test('what is wrong in a document is told by line and path', async (t) => {
  const rig = await startRig(t);
  const text = await exported(rig);
  const lineOf = (part: string): number => text.split('\n').findIndex((line) => line.includes(part)) + 1;
  const wrong = async (from: string, to: string, path: RegExp): Promise<void> => {
    const { status, body } = await send(rig, text.replace(from, to), '?force=1');
    t.equal(status, 400, to);
    t.match(body.error, path);
    t.match(body.error, new RegExp(`^line ${lineOf(from)}, column \\d+: `), `${to}: ${body.error}`);
  };
  await wrong('approvals: 1', 'approvals: 3', /'postures\[0\]\.matrix\[0\]\.approvals' must be at most 2/);
  await wrong('autonomy_cap: observe_auto', 'autonomy_cap: all', /'postures\[0\]\.autonomy_cap' must be one of/);
  await wrong('autonomy_cap: observe_auto', 'autonomy_cup: off', /autonomy_c[au]p'/);
  await wrong('severity: notice', 'severity: loud', /'rules\[2\]\.severity' must be one of/);
  t.match(
    (await send(rig, text.replace('id: zone_entry', 'id: zone_dwell'), '?force=1')).body.error,
    /'rules\[1\]\.id'.*twice/,
  );
  t.match((await send(rig, 'postures: [', '?force=1')).body.error, /^line 1, column \d+: /);
  t.match((await send(rig, '- a', '?force=1')).body.error, /'?the document'? must be an object|the document/);
  t.match((await send(rig, 'a: &x [1]\nb: *x', '?force=1')).body.error, /^line 2, column \d+: the alias/);
  const bomb = `a: &a [x, x]\n${Array.from({ length: 40 }, (_, i) => `b${i}: &b${i} [*a, *a]`).join('\n')}`;
  t.equal((await send(rig, bomb, '?force=1')).status, 400);
  t.equal((await send(rig, '['.repeat(50_000), '?force=1')).status, 400);
  t.equal((await send(rig, '__proto__: {polluted: 1}', '?force=1')).status, 400);
  t.equal((await send(rig, 'x'.repeat(300_000))).status, 413);
  const keys = Array.from({ length: 7_500 }, (_, i) => `key${i}: 1`).join('\n');
  const began = performance.now();
  t.equal((await send(rig, keys, '?force=1')).status, 400);
  t.ok(performance.now() - began < 5_000, 'thousands of keys take no minutes');
  t.match(
    (await send(rig, 'rules: []\nrules: []', '?force=1')).body.error,
    /^line 2, column 1: map keys must be unique/,
  );
  t.equal((await get(rig)).version, 0);
});

t.test('what would keep the parser long is refused at once, wherever it stands', async (t) => {
  const rig = await startRig(t);
  const filled = (part: string, head = ''): string => (head + part.repeat(128 * 1024)).slice(0, 128 * 1024);
  const texts: [string, string, RegExp][] = [
    ['brackets', filled('['), /^line 1: the document has more than 32 levels/],
    ['braces', filled('{a: ', 'postures:\n  normal: '), /^line 2: the document has more than 32 levels/],
    ['items in items', filled('- '), /has more than 32 levels/],
    ['keys of keys', filled('? '), /has more than 32 levels/],
    ['steps', Array.from({ length: 400 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), /has more than 32 levels/],
    ['commas', filled(',', '['), /more entries/],
    ['anchors', filled('&a '), /more entries/],
    ['lines', filled('\n', 'a: 1'), /more entries/],
  ];
  for (const [name, text, error] of texts) {
    const beganMs = performance.now();
    t.match((await send(rig, text, '?force=1')).body, { code: 'invalid_input', error }, name);
    t.ok(performance.now() - beganMs < 500, `${name}: ${performance.now() - beganMs} ms`);
  }
  t.equal((await send(rig, filled('[').repeat(2))).status, 413);
});
