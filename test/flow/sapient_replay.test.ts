import t from 'tap';
import type { SimState } from '../../src/model/picture.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { sensorOf, trackOf } from '../support/daemon/watch.ts';
import { paced } from '../support/links/senders.ts';
import { FakeNode, placeOf, ulid } from '../support/sapient/node.ts';

t.test('a recording that begins after a node has registered plays its tracks', async (t) => {
  const link = 'name=sap,transport=tcp_server,address=127.0.0.1:0,protocol=sapient';
  const daemon = await startDaemon(t, { args: ['--link', link] });
  const node = await FakeNode.dial(t, await daemon.port('sap'));
  await node.register();
  await sensorOf(daemon, 'RDR-N');
  const { body } = await daemon.post('/api/recordings', { name: 'nodes' });
  const { id } = body.data as { id: string };
  const object = ulid();
  await paced(6, 250, () => node.detect({ object_id: object, location: placeOf(47.2, 8.73, 600) }));
  const identity = `${node.id.slice(0, 8)}/${object}`;
  await trackOf(daemon, identity, ({ contributors }) => contributors[0]?.hits === 6);
  await daemon.post(`/api/recordings/${id}/stop`, {});
  await daemon.post('/api/sim/mode', { mode: 'replay', recording_id: id, rate: 20 });
  await until(async () => (await daemon.get<SimState>('/api/sim')).run === 'completed', 'the recording is played');
  const played = await trackOf(daemon, identity);
  t.equal(played.provenance, 'replayed');
  t.match(played.contributors, [{ hits: 6 }]);
});
