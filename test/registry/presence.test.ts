import t from 'tap';
import { blankObservation } from '../../src/edge/feed/blank.ts';
import { systemActor } from '../../src/model/actor.ts';
import type { Observation } from '../../src/model/observation.ts';
import { Registry } from '../../src/registry/registry.ts';
import { openRegistry } from '../support/registry/registry.ts';

const key = 'mavlink:5e0f6a52-0d3c-8a11-9c55-0000000000a1:12:1';

function telemetry(value: string, atMs: number): Observation {
  const observation = blankObservation('sensor', 'link', atMs);
  const identities = [{ type: 'mavlink', value, transport: 'mavlink' } as const];
  return {
    ...observation,
    identities,
    authentic: true,
    latDeg: 47,
    lonDeg: 8,
    timeMs: atMs,
    speedMps: 10,
    courseDeg: 90,
  };
}

const at = (metresEast: number, atMs: number) => {
  const lonDeg = 8 + metresEast / (111_320 * Math.cos((47 * Math.PI) / 180));
  return { suspect: false, duplicate: false, place: { latDeg: 47, lonDeg, hM: 3, atMs, receivedMs: atMs } };
};

t.test('an asset is online while it speaks, then stale, then offline, and each is told once', async (t) => {
  const { registry, told } = openRegistry(t);
  const asset = registry.assets.create({ name: 'a', spec: { remote_id_serial: key } }, systemActor);
  const connections = () =>
    told.flatMap(({ kind, row }) => (kind === 'assets' ? [(row as { connection: string }).connection] : []));
  for (let ms = 0; ms < 3_000; ms += 250) registry.presence.received(telemetry(key, ms));
  for (let ms = 3_000; ms <= 60_000; ms += 1_000) registry.presence.tick(ms);
  registry.presence.received(telemetry(key, 61_000));
  t.same(connections(), ['never', 'online', 'stale', 'offline', 'online']);
  t.equal(registry.assets.get(asset.id).connection, 'online');
});

t.test('who has spoken once is no friend by its name any more, not after a restart either', async (t) => {
  const { registry } = openRegistry(t);
  const asset = registry.assets.create({ name: 'a', spec: { remote_id_serial: key } }, systemActor);
  const ids = [asset.id];
  t.match(registry.presence.decide(at(0, 0), ids, 0), { affiliation: 'friend', affiliation_basis: 'remote_id' });
  registry.presence.received(telemetry(key, 0));
  t.match(registry.presence.decide(at(0, 0), ids, 0), { affiliation: 'friend', affiliation_basis: 'telemetry' });
  t.match(registry.presence.decide(at(30, 3_000), ids, 3_000), { affiliation_basis: 'telemetry' }, 'it flies on');
  t.match(registry.presence.decide(at(3_000, 3_000), ids, 3_000), { cloned: { id: asset.id } });
  t.match(registry.presence.decide(at(0, 9_000), ids, 9_000), { affiliation: 'unknown', asset_id: asset.id });
  const again = new Registry(registry.deps);
  t.match(again.presence.decide(at(0, 9_000), ids, 9_000), { affiliation: 'unknown', asset_id: asset.id });
  t.equal(again.assets.get(asset.id).connection, 'offline');
});

t.test(
  'a row that names a system and component is who speaks as them on the link that was issued for it',
  async (t) => {
    const { registry } = openRegistry(t);
    const { assets, presence } = registry;
    const identities = [{ type: 'mavlink', value: key } as const];
    const asset = assets.create({ name: 'a', spec: { mavlink: { sysid: 12 } } }, systemActor);
    let issued: string | null = null;
    presence.received(telemetry(key, 0), issued);
    t.same(presence.match(identities), [], 'half of all autopilots say so: on a link for anybody it is nobody');
    const other = assets.create({ name: 'b', spec: { mavlink: { sysid: 13 } } }, systemActor);
    issued = other.id;
    presence.received(telemetry(key, 100), issued);
    t.same(presence.match(identities), [], 'nor on the link of another asset');
    issued = asset.id;
    t.same(presence.match(identities), [], 'what was not heard says nothing');
    presence.received(telemetry(key, 200), issued);
    t.same(presence.match(identities), [asset.id]);
  },
);

t.test('a key is compared as plain letters of either case, and a callsign is none', async (t) => {
  const { registry } = openRegistry(t);
  const { assets, presence } = registry;
  const asset = assets.create({ name: 'a', spec: { remote_id_serial: '1581ssn0001' } }, systemActor);
  t.same(presence.match([{ type: 'serial', value: '1581SSN0001' }]), [asset.id]);
  t.same(presence.match([{ type: 'serial', value: '1581\u017f\u017fN0001' }]), [], 'a lookalike');
  t.same(presence.match([{ type: 'callsign', value: '1581SSN0001' }]), [], 'what a pilot types');
});

t.test('any change of a key changes the generation, so that tracks are asked about again', async (t) => {
  const { registry } = openRegistry(t);
  const { assets, presence } = registry;
  const asset = assets.create({ name: 'a', spec: {} }, systemActor);
  let last = presence.generation;
  const acts = [
    () => assets.bind(asset.id, { key: 'X1' }, systemActor),
    () => assets.update(asset.id, { spec: {} }, systemActor),
    () => assets.learnAlias(asset.id, 'X2', systemActor),
    () => assets.remove(asset.id, systemActor),
  ];
  for (const act of acts) {
    act();
    t.not(presence.generation, last);
    last = presence.generation;
  }
});

t.test('a key that somebody was learnt to speak by is as free as after a restart', async (t) => {
  const { registry } = openRegistry(t);
  const { assets, assignments, presence } = registry;
  const identities = [{ type: 'mavlink', value: key } as const];
  const speaker = assets.create({ name: 'speaker', spec: { mavlink: { sysid: 12 } } }, systemActor).id;
  presence.received(telemetry(key, 0), speaker);
  t.same(presence.match(identities), [speaker]);
  const heir = assets.create({ name: 'heir', spec: { remote_id_serial: key } }, systemActor).id;
  t.same(presence.match(identities), [heir], 'who carries the key is heard by it');
  assets.remove(heir, systemActor);
  presence.received(telemetry(key, 1_000), speaker);
  t.same(presence.match(identities), [speaker]);
  const confirmed = assignments.confirm({ serial: key, affiliation: 'friend' }, systemActor);
  t.not(confirmed.asset_id, speaker, 'a serial that no asset carries makes one');
  t.same(new Registry(registry.deps).presence.match(identities), [confirmed.asset_id]);
});

t.test('how old and how far off telemetry may be is what the decision config says, from then on', async (t) => {
  const { registry } = openRegistry(t);
  const asset = registry.assets.create({ name: 'a', spec: { remote_id_serial: key } }, systemActor);
  registry.presence.received({ ...telemetry(key, 0), speedMps: 0 });
  const decided = (metresEast: number, atMs: number) =>
    registry.presence.decide(at(metresEast, atMs), [asset.id], atMs).affiliation;
  t.same([decided(50, 4_000), decided(50, 8_000), decided(120, 4_000)], ['friend', 'unknown', 'unknown']);
  const { version: _v, updated_at: _a, updated_by: _b, ...policy } = registry.decision.get();
  const identity = { ...policy.identity, telemetry_fresh_s: 20, telemetry_agree_m: 200 };
  registry.decision.save({ ...policy, identity }, systemActor);
  t.same([decided(50, 8_000), decided(120, 4_000), decided(50, 21_000)], ['friend', 'friend', 'unknown']);
  registry.presence.tick(15_000);
  t.equal(registry.assets.get(asset.id).connection, 'online');
});

t.test('an expired assignment does not count while the disk refuses to store its end', async (t) => {
  const { registry, state } = openRegistry(t);
  const asset = registry.assets.create({ name: 'a', spec: { remote_id_serial: 'ABC' } }, systemActor);
  registry.assignments.confirm({ serial: 'ABC', affiliation: 'hostile', expires_at: null }, systemActor);
  t.match(registry.presence.decide(at(0, 0), [asset.id], 0), { affiliation_basis: 'assignment' });
  state.db.exec("UPDATE assignments SET expires_at = '2020-01-01T00:00:00.000Z'");
  state.db.pragma('query_only = 1');
  const again = new Registry(registry.deps);
  t.throws(() => again.assignments.expire());
  t.match(again.presence.decide(at(0, 0), [asset.id], 0), { affiliation: 'friend', affiliation_basis: 'remote_id' });
  state.db.pragma('query_only = 0');
});
