import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { until } from '../support/basics/patience.ts';
import { outletTrack, startRunner } from '../support/outlet/rig.ts';
import { childOf, streamReader, TakEvents, takServer } from '../support/outlet/tak.ts';

t.test('a server gets every track at each opening, and the end of a track as stale event and delete', async (t) => {
  const server = await takServer(t);
  const rig = startRunner(t, { transport: 'tcp_client', address: `127.0.0.1:${server.port}` });
  const [one, two] = [outletTrack(1), outletTrack(2)];
  rig.put(one);
  rig.put(two);
  const { events } = server;
  await events.find(({ uid }) => uid.endsWith(one.id));
  await events.find(({ uid }) => uid.endsWith(two.id));
  rig.end(two.id);
  const gone = await events.find(({ type }) => type === 't-x-d-d');
  t.match(childOf(gone, 'link')?.attributes, { uid: /\.5e0f/, relation: 'p-p', type: 'a-u-A-M-H-Q' });
  t.ok(childOf(gone, '__forcedelete'));
  const last = events.all.filter(({ uid }) => uid.endsWith(two.id)).at(-1);
  t.equal(last?.stale, last?.time, 'it is stale at its end');
  const before = events.all.length;
  server.sockets[0]?.destroy();
  await events.find(({ uid }) => uid.endsWith(one.id), before);
  t.match(rig.notes.join('\n'), /open notice .*\n.*down notice .* is down: .*\n.*open notice/);
});

t.test(
  'each client of a listening outlet gets the picture, and one that does not read costs the others nothing',
  async (t) => {
    const rig = startRunner(t, { transport: 'tcp_server', address: '127.0.0.1:0', pace: { max_msgs_per_s: 10_000 } });
    const port = await until(async () => Number(rig.runner.status().boundTo?.split(':')[1]) || null, 'it listens');
    const deaf = connect({ host: '127.0.0.1', port });
    await once(deaf, 'connect');
    deaf.pause();
    const events = new TakEvents();
    const reader = connect({ host: '127.0.0.1', port });
    t.teardown(() => {
      deaf.destroy();
      reader.destroy();
    });
    reader.on('data', streamReader(events));
    await until(async () => rig.runner.peers.length === 2, 'both are there');
    const beforeBytes = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 300; i++) rig.put(outletTrack(i, { quality: round % 16 }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await events.find(({ uid }) => uid.endsWith('299'));
    t.equal(events.faults.length, 0);
    const moreBytes = process.memoryUsage().arrayBuffers - beforeBytes;
    t.ok(moreBytes < 5e6, `the one that does not read costs ${(moreBytes / 1e6).toFixed(1)} MB of buffers`);
    const question = '<event version="2.0" uid="x" type="t-x-c-t" how="m-g"/>';
    reader.write(question);
    rig.runner.everySecond();
    await until(async () => {
      rig.runner.everySecond();
      return events.all.some(({ type }) => type === 't-x-c-t-r');
    }, 'a question is answered');
  },
);

t.test('a listener that nobody dialled takes no test item, and says why', async (t) => {
  const rig = startRunner(t, { transport: 'tcp_server', address: '127.0.0.1:0' });
  await until(async () => rig.runner.status().state === 'open', 'it listens');
  await t.rejects(rig.runner.test(), { code: 'conflict', message: /no client is connected/ });
});
