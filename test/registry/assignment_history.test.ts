import t from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import type { Assignment } from '../../src/model/assignment.ts';
import { idleSim } from '../../src/model/picture.ts';
import { PictureState } from '../../src/picture/picture.ts';
import { KEPT } from '../../src/registry/assignments.ts';
import { Registry } from '../../src/registry/registry.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { openRegistry, type RegistryRig } from '../support/registry/registry.ts';

onlyInFull(t);

/** History of an asset that is gone, written as it would stand after years. */
function writeHistory({ state, workspaceId }: RegistryRig, rows: number): void {
  state.db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO assignments (id, workspace_id, environment, asset_id, affiliation, active, source, confirmed,
         created_at, created_by, version, updated_at)
       SELECT printf('%08x-0000-4000-8000-000000000000', i), ?, 'live', '11111111-2222-4333-8444-555555555555', 'hostile',
         0, 'operator', 0, strftime('%Y-%m-%dT%H:%M:%S.000Z', 1577836800 + i / 7, 'unixepoch'), 'system', 1,
         '2020-01-01T00:00:00.000Z' FROM n`,
    )
    .run(rows, workspaceId);
}

const numberOf = ({ id }: Assignment): number => Number.parseInt(id.slice(0, 8), 16);

t.test('history is read of the table in pages, newest first, and the limit comes first', async (t) => {
  const rig = openRegistry(t);
  writeHistory(rig, 1_234);
  const { assignments } = rig.registry;
  const all = assignments.list();
  t.same(
    all.map(numberOf),
    Array.from({ length: 1_234 }, (_, n) => 1_234 - n),
  );
  for (const limit of [1, 199, 200, 201, 400, 2_000])
    t.equal([...assignments.texts(limit)].length, Math.min(limit, 1_234));
  t.same(
    [...assignments.texts(3)].map((text) => JSON.parse(text)),
    all.slice(0, 3),
  );
  t.same(assignments.active(), []);
  t.match(assignments.get(all[7]?.id ?? ''), { active: false, affiliation: 'hostile' });
  const texts = assignments.texts();
  for (let n = 0; n < 300; n++) texts.next();
  const made = assignments.confirm({ serial: 'X1', affiliation: 'friend' }, systemActor);
  t.equal([...texts].length, 934, 'a row that comes while it is read moves nothing');
  t.equal(assignments.list()[0]?.id, made.id);
});

t.test('the oldest history goes past what is kept, and what holds stays', async (t) => {
  const rig = openRegistry(t);
  const held = rig.registry.assignments.confirm({ serial: 'X1', affiliation: 'hostile' }, systemActor);
  rig.state.db.prepare("UPDATE assignments SET created_at = '2001-01-01T00:00:00.000Z' WHERE id = ?").run(held.id);
  writeHistory(rig, KEPT - 1);
  const count = (): number => rig.state.db.prepare<[], number>('SELECT count(*) FROM assignments').pluck().get() ?? 0;
  const { assignments } = new Registry(rig.registry.deps);
  const asset = held.asset_id;
  t.equal(count(), KEPT);
  assignments.create({ asset_id: asset, affiliation: 'neutral', active: false }, systemActor);
  t.ok(count() <= KEPT && count() >= KEPT - 2_000, `${count()} rows`);
  t.match(assignments.active(), [{ id: held.id }], 'the oldest of all, which holds');
  t.throws(() => assignments.get('00000001-0000-4000-8000-000000000000'), /no assignment/);
  t.match([...rig.ledger.audit.since(0)].map(({ kind }) => kind).slice(-2), [
    'assignment.pruned',
    'assignment.created',
  ]);
});

t.test('what has expired is seen at once and ended a hundred at a time, in one change', async (t) => {
  const rig = openRegistry(t);
  const { assignments, assets } = rig.registry;
  const soon = new Date(Date.now() + 60_000).toISOString();
  for (let n = 0; n < 150; n++) {
    assignments.confirm({ serial: `X${n}`, affiliation: 'hostile', expires_at: soon }, systemActor);
  }
  rig.state.db.exec("UPDATE assignments SET expires_at = '2020-01-01T00:00:00.000Z'");
  rig.told.length = 0;
  const changes: string[] = [];
  const write = rig.state.write.bind(rig.state);
  rig.state.write = (what, work) => {
    changes.push(what);
    return write(what, work);
  };
  const registry = new Registry(rig.registry.deps);
  const first = registry.assignments.list();
  t.ok(
    first.every(({ active }) => !active),
    'by time',
  );
  t.match(registry.assignments.get(first[0]?.id ?? ''), { active: false, version: 1 });
  t.same(changes, [], 'reading writes nothing');
  registry.assignments.expire();
  t.equal(changes.length, 1);
  t.equal(registry.assignments.list().filter(({ version }) => version === 2).length, 100);
  registry.assignments.expire();
  registry.assignments.expire();
  t.equal(changes.length, 2);
  t.ok(registry.assignments.list().every(({ version, active }) => version === 2 && !active));
  t.equal(rig.told.filter(({ kind }) => kind === 'assignments').length, 150);
  t.equal(rig.ledger.audit.since(0).filter(({ kind }) => kind === 'assignment.expired').length, 150);
  t.equal(assets.list().length, 150);
});

t.test('the picture shows the assignments that hold; one that ends is told and leaves', async (t) => {
  const { registry } = openRegistry(t);
  const deps = {
    nowMs: Date.now,
    publishMs: Date.now,
    sim: () => idleSim,
    timeText: () => '',
    mslOfHae: (hae: number) => hae,
    groundAltHaeM: () => null,
    ...{ alerts: () => [], engagements: () => [] },
    provenance: 'live',
  } as const;
  const picture = new PictureState({ epoch: 'e', workspaceId: 'w', trackHz: 4, environment: 'live' }, deps);
  const first = registry.assignments.confirm({ serial: 'X1', affiliation: 'hostile' }, systemActor);
  picture.listed.setRow('assignments', first);
  t.match(picture.snapshot().assignments, [{ id: first.id }]);
  registry.assignments.confirm({ serial: 'X1', affiliation: 'friend' }, systemActor);
  picture.listed.setRow('assignments', registry.assignments.get(first.id));
  t.same(picture.snapshot().assignments, []);
  const told = picture.flush().at(-1);
  t.match(told, { kind: 'assignment_update', body: { id: first.id, active: false } });
});

t.test('a workspace has so many assets at most, and an import says which rows found no room', async (t) => {
  const rig = openRegistry(t);
  rig.state.db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 19998)
       INSERT INTO assets (id, workspace_id, environment, name, kind, spec, version, created_at, updated_at)
       SELECT printf('%08x-0000-4000-8000-000000000000', i), ?, 'live', 'a' || i, 'platform', '{}', 1, '2020', '2020' FROM n`,
    )
    .run(rig.workspaceId);
  const registry = new Registry(rig.registry.deps);
  const values = ['b', 'c', 'd', 'a7'].map((name, at) => ({ row: at + 1, value: { name } }));
  t.match(await registry.assetImport.run(values, systemActor, true), { created: 2, rejected: [{ row: 3 }] });
  t.match(await registry.assetImport.run(values, systemActor, false), {
    created: 2,
    skipped: 1,
    rejected: [{ row: 3, error: /already has 20000 assets/ }],
  });
  t.throws(() => registry.assets.create({ name: 'd', spec: {} }, systemActor), { code: 'conflict' });
  t.throws(() => registry.assignments.confirm({ serial: 'X1', affiliation: 'friend' }, systemActor), /20000 assets/);
});

t.test('a catalog has so many entries at most', async (t) => {
  const rig = openRegistry(t);
  rig.state.db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
       INSERT INTO catalog_entries (id, workspace_id, kind, name, folded_name, spec, builtin, version, created_at, updated_at)
       SELECT printf('%08x-0000-4000-8000-000000000000', i), ?, 'platform', 'm' || i, 'm' || i, '{}', 0, 1, '2020', '2020' FROM n`,
    )
    .run(rig.workspaceId);
  const { catalog } = new Registry(rig.registry.deps);
  t.throws(() => catalog.seed(systemActor), { code: 'conflict' });
  catalog.create({ name: 'last', kind: 'platform', spec: {} }, systemActor);
  t.throws(() => catalog.create({ name: 'more', kind: 'platform', spec: {} }, systemActor), /at most 5000 are allowed/);
});
