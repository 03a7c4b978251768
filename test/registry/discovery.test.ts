import t from 'tap';
import { sampleLink } from '../../src/http/openapi/samples.ts';
import { systemActor } from '../../src/model/actor.ts';
import { defaultPolicy } from '../../src/model/decision_defaults.ts';
import type { Link } from '../../src/model/link.ts';
import { DiscoverySwitch } from '../../src/registry/discovery.ts';
import { Registry } from '../../src/registry/registry.ts';
import { openRegistry, type Told } from '../support/registry/registry.ts';

t.test('one switch is seen by every workspace, each with its own links, and rewrites none of them', async (t) => {
  const { state, ledger, workspaceId } = openRegistry(t);
  const discovery = new DiscoverySwitch(state);
  const told: Told[] = [];
  const registryOf = (links: Link[]): Registry =>
    new Registry({
      state,
      ledger,
      workspaceId,
      environment: () => 'live',
      publish: {
        row: () => {},
        rows: () => {},
        removed: () => {},
        announce: (kind, row) => void told.push({ kind, row }),
      },
      box: { tracking: defaultPolicy.tracking, settings: () => [], discovery, links: () => links },
    });
  const open: Link = { ...sampleLink, command: 'allow' };
  const closed: Link = { ...sampleLink, name: 'closed', discover: 'off' };
  const [one, other] = [registryOf([open, closed]), registryOf([{ ...sampleLink, state: 'disabled' }])];
  const off = { discover: 'off', command: 'deny' };
  t.match(one.discovery.view(), { enabled: false, links: [{ discover: 'list', effective: off }, { effective: off }] });

  const view = one.discovery.set(true, systemActor);
  t.match(view, {
    enabled: true,
    links: [
      { command: 'allow', effective: { discover: 'list', command: 'allow', reason: null } },
      {
        effective: {
          discover: 'off',
          command: 'deny',
          reason: /own policy shows only adopted vehicles and lets no command out/,
        },
      },
    ],
  });
  t.match(other.discovery.view(), { enabled: true, links: [{ effective: { ...off, reason: /disabled/ } }] });
  t.same(
    told.map(({ kind, row }) => [kind, (row as { links: unknown[] }).links.length]),
    [
      ['discovery_change', 2],
      ['discovery_change', 1],
    ],
  );
  one.discovery.set(true, systemActor);
  t.equal(told.length, 2, 'what does not change is no news');
  t.equal(new DiscoverySwitch(state).enabled, true, 'and it is on the disk');
  t.equal(one.discovery.set(false, systemActor).enabled, false);
  t.same([open.discover, open.command], ['list', 'allow']);
});

t.test('links that were issued for an asset go with it, and only where the asset really went', async (t) => {
  const { registry, state, ledger, workspaceId } = openRegistry(t);
  const { links } = registry;
  const asset = '5e0f6a52-0d3c-4a11-9c55-0000000000f1';
  const row = { id: asset, workspaceId, at: ledger.nowText() };
  state.db
    .prepare(
      `INSERT INTO assets (id, workspace_id, environment, name, kind, spec, version, created_at, updated_at)
       VALUES (@id, @workspaceId, 'live', 'north', 'platform', '{}', 1, @at, @at)`,
    )
    .run(row);
  const body = { transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink' } as const;
  const spec = {
    ...body,
    baud: 57_600,
    enabled: true,
    discover: 'list',
    command: 'deny',
    options: {},
    sources_allow: [],
    max_msgs_per_s: 10,
    signing: 'none',
    silence_s: 30,
    tls: null,
  } as const;
  const make = (name: string, issued_for: string | null) =>
    links.create({ ...spec, sources_allow: [], name, issued_for }, systemActor);
  const [its, free] = [make('its', asset), make('free', null)];
  const revoked: string[] = [];
  links.onRevoked((id) => revoked.push(id));
  t.throws(() =>
    ledger.change('The asset north', () => {
      links.deleteIssuedFor(asset, systemActor);
      throw new Error('no');
    }),
  );
  await Promise.resolve();
  t.same([links.list().length, revoked.length], [2, 0], 'a change that is taken back leaves them');
  ledger.change('The asset north', () => ({ result: links.deleteIssuedFor(asset, systemActor), deed: null }));
  await Promise.resolve();
  t.same(revoked, [its.id]);
  t.same(
    links.list().map(({ id }) => id),
    [free.id],
  );
  const kinds = state.db.prepare('SELECT kind, reason FROM audit ORDER BY seq').all();
  t.match(kinds.at(-1), { kind: 'link.deleted', reason: /asset/ });
});
