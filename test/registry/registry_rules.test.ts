import fc from 'fast-check';
import t from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Assignment } from '../../src/model/assignment.ts';
import { Fault } from '../../src/model/fault.ts';
import { linkBodySchema } from '../../src/model/link.ts';
import { affiliations } from '../../src/model/track.ts';
import { Registry } from '../../src/registry/registry.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { openRegistry, type RegistryRig } from '../support/registry/registry.ts';

/** What operators do, of the assets and assignments there are: `which` picks one of them, `serial` one of a few. */
const act = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), serial: fc.integer({ min: -1, max: 4 }) }),
  fc.record({ kind: fc.constant('bind' as const), which: fc.nat(9), serial: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ kind: fc.constant('respec' as const), which: fc.nat(9), serial: fc.integer({ min: -1, max: 4 }) }),
  fc.record({ kind: fc.constant('remove' as const), which: fc.nat(9) }),
  fc.record({
    kind: fc.constant('confirm' as const),
    serial: fc.integer({ min: 0, max: 4 }),
    as: fc.constantFrom(...affiliations),
  }),
  fc.record({
    kind: fc.constant('assign' as const),
    which: fc.nat(9),
    as: fc.constantFrom(...affiliations),
    active: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('switch' as const), which: fc.nat(9), active: fc.boolean() }),
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const serialOf = (serial: number): string => `1581F5FKD2294A00000${serial}`;
const specOf = (serial: number) => (serial < 0 ? {} : { remote_id_serial: serialOf(serial) });
const pick = <T>(rows: readonly T[], which: number): T | undefined => rows[which % Math.max(rows.length, 1)];

function run({ assets, assignments }: Registry, one: Act): void {
  const asset = 'which' in one ? pick(assets.list(), one.which)?.id : undefined;
  if (one.kind === 'create') assets.create({ name: 'a', spec: specOf(one.serial) }, systemActor);
  else if (one.kind === 'confirm')
    assignments.confirm({ serial: serialOf(one.serial), affiliation: one.as }, systemActor);
  else if (one.kind === 'switch') {
    const assignment = pick(assignments.list(), one.which);
    if (assignment) assignments.update(assignment.id, { active: one.active }, systemActor);
  } else if (asset === undefined) return;
  else if (one.kind === 'bind') assets.bind(asset, { key: serialOf(one.serial) }, systemActor);
  else if (one.kind === 'respec') assets.update(asset, { spec: specOf(one.serial) }, systemActor);
  else if (one.kind === 'remove') assets.remove(asset, systemActor);
  else assignments.create({ asset_id: asset, affiliation: one.as, active: one.active }, systemActor);
}

/** What must hold of the rows, whatever was done. */
function check(assets: readonly Asset[], assignments: readonly Assignment[]): void {
  const serials = assets.flatMap(({ spec }) => spec.remote_id_serial ?? []);
  if (new Set(serials).size !== serials.length) throw new Error('a serial is carried twice');
  const active = assignments.filter((assignment) => assignment.active);
  if (new Set(active.map(({ asset_id }) => asset_id)).size !== active.length) throw new Error('two are active');
  for (const { asset_id } of active) if (!assets.some(({ id }) => id === asset_id)) throw new Error('of no asset');
  for (const { id, kind, affiliation, paired, spec } of assets) {
    const held = active.find(({ asset_id }) => asset_id === id)?.affiliation;
    if (affiliation !== (held ?? (kind === 'emitter' ? 'unknown' : 'friend'))) throw new Error('another affiliation');
    if (paired !== (spec.remote_id_serial !== undefined)) throw new Error('paired is not that it carries a serial');
  }
}

/** Rows that were told to clients, applied as they apply them. */
function told(rig: RegistryRig, list: string): unknown[] {
  const rows = new Map<string, unknown>();
  for (const { kind, id = '', row } of rig.told) {
    if (kind === list) rows.set(id, row);
    if (kind === `${list} removed`) rows.delete(id);
  }
  return [...rows.values()];
}

const byId = (rows: readonly unknown[]) => [...(rows as { id: string }[])].sort((a, b) => (a.id < b.id ? -1 : 1));

t.test(
  'whatever operators do, the rules of the registry hold, on the disk as in memory and at the clients',
  async (t) => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const ends: (() => unknown)[] = [];
        const rig = openRegistry({ teardown: (stop) => ends.push(stop) });
        const { registry } = rig;
        try {
          for (const one of acts) {
            const before = registry.assets.list();
            const audited = rig.ledger.audit.lastSeq();
            try {
              run(registry, one);
            } catch (thrown) {
              if (!(thrown instanceof Fault) || !['conflict', 'not_found'].includes(thrown.code)) throw thrown;
              t.same(registry.assets.list(), before, 'what was refused changed nothing');
              t.equal(rig.ledger.audit.lastSeq(), audited);
              continue;
            }
            check(registry.assets.list(), registry.assignments.list());
            for (const asset of registry.assets.list()) {
              const was = before.find(({ id }) => id === asset.id);
              const grew = asset.version - (was?.version ?? 0);
              if (grew !== 0 && grew !== 1) throw new Error(`the version grew by ${grew}`);
            }
          }
          const again = new Registry(rig.registry.deps);
          t.same(byId(again.assets.list()), byId(registry.assets.list()), 'the disk holds what memory does');
          t.same(byId(again.assignments.list()), byId(registry.assignments.list()));
          t.same(byId(told(rig, 'assets')), byId(registry.assets.list()), 'and clients were told all of it');
          t.same(byId(told(rig, 'assignments')), byId(registry.assignments.list()));
          return true;
        } finally {
          for (const end of ends) end();
        }
      }),
      { seed: seedOf(t), numRuns: sized(60) },
    );
  },
);

t.test('a disk that refuses leaves memory as it was', async (t) => {
  const rig = openRegistry(t);
  const { assets, assignments } = rig.registry;
  const asset = assets.create({ name: 'a', spec: { remote_id_serial: 'X1' } }, systemActor);
  rig.state.db.exec("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'no room'); END");
  t.throws(() => assets.create({ name: 'b', spec: { remote_id_serial: 'X2' } }, systemActor));
  t.throws(() => assets.remove(asset.id, systemActor));
  t.throws(() => assignments.confirm({ serial: 'X3', affiliation: 'hostile' }, systemActor));
  t.throws(() => assignments.confirm({ serial: 'X1', affiliation: 'hostile' }, systemActor));
  t.same(assets.list(), [asset]);
  t.same(assignments.list(), []);
  rig.state.db.exec('DROP TRIGGER full');
  assets.create({ name: 'b', spec: { remote_id_serial: 'X2' } }, systemActor);
});

t.test('an asset takes its links along, and an alias matches as its serial does', async (t) => {
  const { registry, ledger } = openRegistry(t);
  const { assets, links, presence } = registry;
  const asset = assets.create({ name: 'a', spec: { remote_id_serial: 'X1' } }, systemActor);
  const way = { transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink' };
  links.create(linkBodySchema.parse({ ...way, name: 'its own', issued_for: asset.id }), systemActor);
  const shared = links.create(linkBodySchema.parse({ ...way, name: 'shared' }), systemActor);
  assets.learnAlias(asset.id, 'mavlink:l:7:1', systemActor);
  t.same(presence.match([{ type: 'mavlink', value: 'mavlink:l:7:1' }]), [asset.id]);
  t.throws(
    () => assets.create({ name: 'b', spec: { remote_id_serial: 'MAVLINK:L:7:1' } }, systemActor),
    /belongs to the asset a/,
  );
  assets.remove(asset.id, systemActor);
  t.same(
    links.list().map(({ id }) => id),
    [shared.id],
  );
  t.same(presence.match([{ type: 'mavlink', value: 'mavlink:l:7:1' }]), []);
  assets.create({ name: 'b', spec: { remote_id_serial: 'mavlink:l:7:1' } }, systemActor);
  t.same(
    ledger.audit.since(0).map(({ kind }) => kind),
    [
      ...['asset.created', 'link.created', 'link.created', 'asset.alias'],
      ...['link.deleted', 'asset.deleted', 'asset.created'],
    ],
  );
});
