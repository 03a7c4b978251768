import t from 'tap';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track } from '../../src/model/track.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { linkOf, picture, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { paced } from '../support/links/senders.ts';
import { FakeNode, placeOf, ulid } from '../support/sapient/node.ts';

const daemon = await startDaemon(t, {
  args: ['--link', 'name=boxes,transport=tcp_server,address=127.0.0.1:0,protocol=sapient,options.fusion=true'],
});
const port = await daemon.port('boxes');
const fusion = [{ node_type: 'FUSION_NODE' }] as const;
const rejects = async () => (await linkOf(daemon, 'boxes')).rejects;
const { node_id: ownId } = await daemon.get<{ node_id: string }>('/');
const SERIAL = '1581F5FH7245N002K0AB';

const boxes: FakeNode[] = [];

/** A box at a fence, and what it sends of its one object. */
async function box(name: string, dependentNodes: string[] = []): Promise<FakeNode> {
  const node = await FakeNode.dial(t, port);
  await node.register({ node_definition: fusion, short_name: name, dependent_nodes: dependentNodes });
  boxes.push(node);
  return node;
}

type Flight = { site: { lat: number; lon: number }; startMs: number };
const sd = { x_error: 5, y_error: 5, z_error: 8 };
const velocity = { east_rate: 10, north_rate: 0, up_rate: 0, east_rate_error: 1, north_rate_error: 1 };

/** The report of an aircraft that flies east at 10 m/s, with an offset of the box's own axes. */
function seen({ site, startMs }: Flight, offsetM = 0, sidewaysM = 0) {
  const flown = placeAt(site, 90, ((Date.now() - startMs) / 1000) * 10);
  const place = placeAt(placeAt(flown, 45, offsetM), 0, sidewaysM);
  return { location: { ...placeOf(place.lat, place.lon, 600), ...sd }, enu_velocity: velocity, state: 'confirmed' };
}

const near = (tracks: readonly Track[], { site }: Flight) =>
  tracks.filter(({ position }) => position !== null && metresBetween(position, site) < 5_000);
const identityOf = (node: FakeNode, object: string) => `${node.id.slice(0, 8)}/${object}`;

t.test('one aircraft that two boxes report is one track, whose lineage shows both', async (t) => {
  const radar = crypto.randomUUID();
  const [one, other] = [await box('EAST', [radar]), await box('WEST')];
  const flight = { site: { lat: 47.2, lon: 8.73 }, startMs: Date.now() };
  const [a, b, source] = [ulid(), ulid(), ulid()];
  const derived_detection = [{ node_id: radar, object_id: source }];
  await paced(6, 500, async () => {
    await one.detect({ object_id: a, ...seen(flight), derived_detection });
    await other.detect({ object_id: b, ...seen(flight, 6) });
  });
  const [east, west] = [await sensorOf(daemon, 'EAST'), await sensorOf(daemon, 'WEST')];
  t.match(east, { modality: 'external', dependent_nodes: [radar] } satisfies Partial<Sensor>);
  const track = await trackOf(daemon, identityOf(one, a), ({ lineage }) => lineage.length === 2);
  t.equal(near((await picture(daemon)).tracks, flight).length, 1, 'nothing is counted twice');
  t.match(track, { state: 'confirmed', cooperative: 'coop_only', affiliation: 'unknown' });
  t.same(track.integrity.verdict, 'unchecked', 'two systems confirm no claim');
  const derived_from = [{ node_id: radar, object_id: source }];
  t.match(track.lineage, [
    { sensor_id: east.id, node_id: one.id, object_id: a, identity: null, derived_from },
    { sensor_id: west.id, node_id: other.id, object_id: b, identity: null, derived_from: [] },
  ]);
  t.ok((track.uncertainty?.h_m ?? 0) >= 5, `${track.uncertainty?.h_m} m: never better than one report`);

  t.test('while one box is cut off the other keeps the track; it comes back to the same one', async (t) => {
    one.close();
    await paced(4, 500, () => other.detect({ object_id: b, ...seen(flight, 6) }));
    const alone = await trackOf(daemon, identityOf(other, b), ({ state }) => state === 'confirmed');
    t.equal(alone.id, track.id);
    const back = await FakeNode.dial(t, port, one.id);
    await back.register({ node_definition: fusion, short_name: 'EAST', dependent_nodes: [radar] });
    const hits = ({ contributors }: Track) => contributors.find(({ sensor_id }) => sensor_id === east.id)?.hits ?? 0;
    const before = hits(alone);
    await paced(4, 500, async () => {
      await back.detect({ object_id: a, ...seen(flight), derived_detection });
      await other.detect({ object_id: b, ...seen(flight, 6) });
    });
    const both = await trackOf(daemon, identityOf(other, b), (one) => hits(one) >= before + 4);
    t.equal(both.id, track.id);
    t.equal(near((await picture(daemon)).tracks, flight).length, 1);
    t.equal(both.lineage.length, 2);
  });
});

t.test('reports of one detection, passed on again and again, keep no track alive', async (t) => {
  const relay = await box('RELAY');
  const place = placeOf(50.2, 11.73, 600);
  for (const [index, more] of [{}, { id: '1581F5FH7245N002K0RG' }].entries()) {
    const object = ulid();
    const seenMs = Date.now();
    const report = () => {
      const value = ((Date.now() - seenMs) / 1_000).toFixed(2);
      const object_info = [
        { type: 'age s', value: '0.00' },
        { type: 'seen s', value },
      ];
      const location = { ...place, y: place.y + index, ...sd };
      return relay.detect({
        object_id: object,
        location,
        enu_velocity: velocity,
        state: 'confirmed',
        object_info,
        ...more,
      });
    };
    await paced(4, 250, report);
    const name = identityOf(relay, object);
    const found = async (): Promise<Track | undefined> =>
      (await picture(daemon)).tracks.find(({ identities }) => identities.some(({ value }) => value === name));
    // A tentative track of one detection lives a few seconds, and may be gone before it is looked at.
    const track = await until(async () => {
      const one = await found();
      if (one === undefined) await report();
      return one ?? null;
    }, 'the reports make a track');
    t.ok(Math.abs(Date.parse(track.last_seen_at) - seenMs) < 1_500, `${track.last_seen_at}`);
    await paced(24, 250, report);
    // The track is not confirmed any more, or gone: reports that repeat one detection may begin a tentative one.
    await until(async () => (await found())?.state !== 'confirmed', 'no track is kept alive');
    const left = await found();
    t.ok(left === undefined || Math.abs(Date.parse(left.last_seen_at) - seenMs) < 1_500, 'the detection is no newer');
  }
});

t.test('two aircraft side by side that both boxes report are two tracks', async (t) => {
  const [one, other] = [await box('NORTH'), await box('SOUTH')];
  const flight = { site: { lat: 48.2, lon: 9.73 }, startMs: Date.now() };
  const objects = [ulid(), ulid(), ulid(), ulid()] as const;
  await paced(8, 500, async () => {
    const utcMs = Date.now();
    await one.detect({ object_id: objects[0], ...seen(flight, 0, 0) }, { utcMs });
    await one.detect({ object_id: objects[1], ...seen(flight, 0, 60) }, { utcMs });
    await other.detect({ object_id: objects[2], ...seen(flight, 5, 0) }, { utcMs });
    await other.detect({ object_id: objects[3], ...seen(flight, 5, 60) }, { utcMs });
  });
  const isDone = (tracks: Track[]) => tracks.length === 2 && tracks.every(({ lineage }) => lineage.length === 2);
  const tracks = await until(async () => {
    const found = near((await picture(daemon)).tracks, flight);
    return isDone(found) ? found : null;
  }, 'two tracks of two boxes each');
  const numbers = tracks.map(({ lineage }) => lineage.map(({ object_id }) => object_id).sort());
  t.same(numbers.sort(), [[objects[0], objects[2]].sort(), [objects[1], objects[3]].sort()].sort());
});

t.test('a serial that two boxes claim is one track where the positions agree, and is a claim', async (t) => {
  const [one, other] = [await box('S1'), await box('S2')];
  const flight = { site: { lat: 49.2, lon: 10.73 }, startMs: Date.now() };
  const [a, b] = [ulid(), ulid()];
  await paced(6, 500, async () => {
    await one.detect({ object_id: a, id: SERIAL, ...seen(flight) });
    await other.detect({ object_id: b, id: SERIAL, ...seen(flight, 20) });
  });
  const track = await trackOf(daemon, SERIAL, ({ lineage }) => lineage.length === 2);
  t.equal(near((await picture(daemon)).tracks, flight).length, 1);
  t.match(track, { state: 'confirmed', affiliation: 'unknown', flags: [], integrity: { verdict: 'unchecked' } });
  t.match(
    track.lineage.map(({ identity }) => identity),
    [SERIAL, SERIAL],
  );
});

t.test('the serial of an own asset makes a friend by claim over a box, and never by proof', async (t) => {
  const serial = '1581F5FH7245N002K0AD';
  const { body } = await daemon.post('/api/assets', { name: 'Heron', spec: { remote_id_serial: serial } });
  const node = await box('OWN');
  const flight = { site: { lat: 53.2, lon: 14.73 }, startMs: Date.now() };
  const object = ulid();
  await paced(4, 500, () => node.detect({ object_id: object, id: serial, ...seen(flight) }));
  const track = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  t.match(track, { affiliation: 'friend', affiliation_basis: 'remote_id', integrity: { verdict: 'unchecked' } });
  t.match(body.data, { id: track.asset_id });
});

t.test('a box that knows the serial and one that does not make one track', async (t) => {
  const [one, other] = [await box('K1'), await box('K2')];
  const flight = { site: { lat: 50.2, lon: 11.73 }, startMs: Date.now() };
  const [a, b, serial] = [ulid(), ulid(), '1581F5FH7245N002K0AC'];
  await paced(12, 500, async () => {
    await other.detect({ object_id: b, ...seen(flight, 6) });
    await one.detect({ object_id: a, id: serial, ...seen(flight) });
  });
  const track = await trackOf(daemon, serial, ({ lineage }) => lineage.length === 2);
  t.same(
    near((await picture(daemon)).tracks, flight).map(({ id }) => id),
    [track.id],
  );
});

t.test('a track of this box that comes back is refused, and so is a node that depends on this box', async (t) => {
  const node = await box('ECHO');
  const { not_allowed } = await rejects();
  const flight = { site: { lat: 51.2, lon: 12.73 }, startMs: Date.now() };
  const derived_detection = [...Array(3)].map(() => ({ node_id: `${crypto.randomUUID()}`, object_id: ulid() }));
  derived_detection.push({ node_id: ownId, object_id: ulid() });
  await node.detect({ object_id: ulid(), ...seen(flight), derived_detection });
  await until(async () => (await rejects()).not_allowed === not_allowed + 1, 'it is counted');
  const sensor = await sensorOf(daemon, 'ECHO', ({ state }) => state === 'degraded');
  t.match(sensor.reasons, [
    'the node returns tracks of this box: disable the outlet to this node, or stop the node from returning them',
  ]);
  t.same(near((await picture(daemon)).tracks, flight), []);
  const looped = await FakeNode.dial(t, port);
  const answer = await looped.register({ node_definition: fusion, dependent_nodes: [ownId.toUpperCase()] });
  t.match(answer, { acceptance: false, ack_response_reason: [/depends on this box/] });
});

t.test('thousands of sources are bounded, and a coasting track and a bearing are none', async (t) => {
  const node = await box(
    'MANY',
    Array.from({ length: 3_000 }, (_, i) => `node ${i} ${'x'.repeat(200)}`),
  );
  const sensor = await sensorOf(daemon, 'MANY');
  t.equal(sensor.dependent_nodes.length, 64);
  t.ok(sensor.dependent_nodes.every(({ length }) => length <= 36));
  const flight = { site: { lat: 52.2, lon: 13.73 }, startMs: Date.now() };
  const object = ulid();
  const derived_detection = Array.from({ length: 4_000 }, () => ({ node_id: crypto.randomUUID(), object_id: ulid() }));
  await paced(3, 500, () => node.detect({ object_id: object, ...seen(flight), derived_detection }));
  const hits = ({ contributors: [first] }: Track) => first?.hits ?? 0;
  const track = await trackOf(daemon, identityOf(node, object), (one) => hits(one) === 3);
  t.equal(track.lineage[0]?.derived_from.length, 16);
  await node.detect({ object_id: object, ...seen(flight), state: 'coasting' });
  const { implausible } = await rejects();
  const range_bearing = { coordinate_system: 'DEGREES_M', datum: 'TRUE', azimuth: 20, range: 100 } as const;
  await node.detect({ object_id: object, range_bearing });
  await until(async () => (await rejects()).implausible === implausible + 1, 'the bearing is counted');
  await node.detect({ object_id: object, ...seen(flight) });
  t.equal(hits(await trackOf(daemon, identityOf(node, object), (one) => hits(one) > 3)), 4, 'one more, and no others');
});

t.test('an option that SAPIENT links do not have, and one of a wrong type, are refused', async (t) => {
  const link = { name: 'x', transport: 'tcp_server', address: '127.0.0.1:0', protocol: 'sapient' };
  for (const [options, sentence] of [
    [{ fusions: true }, /options\.fusions.*is unknown: the protocol sapient has only fusion/],
    [{ fusion: 'yes' }, /options\.fusion/],
  ] as const) {
    const { status, body } = await daemon.post('/api/links', { ...link, options });
    t.equal(status, 400);
    t.match(JSON.stringify(body), sentence);
  }
});

t.test('nothing that was sent to a box is malformed', async (t) => {
  t.same(
    boxes.flatMap(({ faults }) => faults),
    [],
  );
});
