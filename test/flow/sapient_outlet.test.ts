import t from 'tap';
import type { Outlet } from '../../src/model/outlet.ts';
import { until } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { paced } from '../support/links/senders.ts';
import { systems } from '../support/sapient/below.ts';
import { FakeNode, placeOf, statusOf, ulid } from '../support/sapient/node.ts';
import { FakeParent } from '../support/sapient/parent.ts';

const site = { lat: 47.2, lon: 8.73 };

/** Reports of one object to the box, until the node above has it as a track. */
async function seen(node: FakeNode, parent: FakeParent): Promise<{ object: string; turn: number }> {
  const object = ulid();
  let turn = 0;
  await until(async () => {
    turn++;
    const { lat, lon } = placeAt(site, 90, turn * 2.5);
    const location = { ...placeOf(lat, lon, 600), x_error: 3, y_error: 4, z_error: 6 };
    await paced(1, 250, () => node.detect({ object_id: object, location, detection_confidence: 0.9 }));
    return parent.count('detection_report') > 0;
  }, 'the node above has the track');
  return { object, turn };
}

t.test('a detection of a SAPIENT sensor goes through the box to the node above, with its origin', async (t) => {
  const daemon = await startDaemon(t, {
    args: ['--link', 'name=sap,transport=tcp_server,address=127.0.0.1:0,protocol=sapient'],
  });
  const node = await FakeNode.dial(t, await daemon.port('sap'));
  t.match(await node.register(), { acceptance: true });
  await node.send({ status_report: statusOf() });
  const parent = await FakeParent.start(t);
  const owner = await firstOwner(t, daemon);
  const spec = { name: 'higher', kind: 'sapient', transport: 'tcp_client', address: parent.address };
  const made = await owner.get<Outlet>('POST', '/v1/outlets', spec);
  t.match(made, { state: 'open', options: { name: null, short_name: 'DUN' } });
  const { node_id } = await daemon.get<{ node_id: string }>('/');
  const registration = await parent.next('registration');
  t.match(registration, {
    nodeId: node_id,
    body: { dependent_nodes: [node.id], name: `Dunlin ${node_id.slice(0, 8)}` },
  });
  const { object } = await seen(node, parent);
  const { body } = await parent.next('detection_report');
  t.match(body, { derived_detection: [{ node_id: node.id, object_id: object }], state: 'confirmed' });
  const filter = { affiliations: ['hostile'] };
  await owner.get('POST', `/v1/outlets/${made.id}`, { filter });
  const { body: last } = await parent.next('detection_report', ({ state }) => state === 'lost');
  t.equal(last.object_id, body.object_id, 'a track that leaves the filter is lost to the node above');
  t.equal(parent.connections.length, 1, 'a change of the filter keeps the connection');
  const renamed = await owner.get<Outlet>('POST', `/v1/outlets/${made.id}`, { options: { name: 'Hill' } });
  t.match(renamed.options, { name: 'Hill' });
  await parent.next('registration', ({ name }) => name === 'Hill');
  const disabled = await owner.get<Outlet>('POST', `/v1/outlets/${made.id}/disable`);
  t.equal(disabled.state, 'disabled');
  await parent.next('status_report', ({ system }) => system === systems.goodbye, 2);
  t.same(parent.faults, []);
  t.same(node.faults, []);
});

t.test('an outlet of the command line says goodbye at the end of the daemon', async (t) => {
  const parent = await FakeParent.start(t);
  const outlet = `name=higher,kind=sapient,transport=tcp_client,address=${parent.address},options.short_name=GATE`;
  const daemon = await startDaemon(t, { args: ['--outlet', outlet] });
  t.match((await parent.next('registration')).body, { short_name: 'GATE' });
  await parent.next('status_report');
  t.equal(await daemon.end(), 0);
  await parent.next('status_report', ({ system }) => system === systems.goodbye);
  t.same(parent.faults, []);
});

t.test(
  'a refusal is the state of the outlet and an event; a transport or option it does not have is 400',
  async (t) => {
    const parent = await FakeParent.start(t, { refuse: ['no fusion nodes here'] });
    const daemon = await startDaemon(t);
    const owner = await firstOwner(t, daemon);
    const spec = { name: 'higher', kind: 'sapient', transport: 'tcp_client', address: parent.address };
    for (const [wrong, words] of [
      [{ transport: 'udp' }, /transport.*tcp_client or tls_client/],
      [{ transport: 'tcp_server' }, /transport.*tcp_client or tls_client/],
      [{ options: { prefix: 'x' } }, /'options.prefix' is not a known field/],
      [{ options: { short_name: '' } }, /short_name/],
    ] as const)
      t.match(await owner.ask('POST', '/v1/outlets', { ...spec, ...wrong }), { status: 400, body: { error: words } });
    const made = await owner.get<Outlet>('POST', '/v1/outlets', spec);
    const refused = await until(async () => {
      const now = await owner.get<Outlet>('GET', `/v1/outlets/${made.id}`);
      return now.state === 'refused' && now;
    }, 'it is refused');
    t.match(refused, { refusals: 1, last_refusal: /no fusion nodes here/, last_error: /no fusion nodes here/ });
    t.match(await owner.ask('POST', `/v1/outlets/${made.id}/test`), { status: 409 });
    const rows = await owner.get<{ kind: string }[]>('GET', '/v1/events?limit=1000');
    t.ok(rows.some(({ kind }) => kind === 'outlet.refused'));
    t.same(parent.faults, []);
  },
);
