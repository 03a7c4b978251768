import t from 'tap';
import { onlyInFull, until } from '../support/basics/patience.ts';
import { outletTrack, startRunner } from '../support/outlet/rig.ts';
import { takServer } from '../support/outlet/tak.ts';

onlyInFull(t);

t.test('a server that stops reading is cut off after 10 s, costs less than 5 MB, and is dialled again', async (t) => {
  const server = await takServer(t, { reads: false });
  const address = `127.0.0.1:${server.port}`;
  const pace = { track_s: 0.1, max_msgs_per_s: 10_000 };
  const rig = startRunner(t, { transport: 'tcp_client', address, pace });
  await until(async () => server.sockets.length === 1, 'the outlet is connected');
  const beforeBytes = process.memoryUsage().arrayBuffers;
  let round = 0;
  let worstBytes = 0;
  let worstMs = 0;
  await until(async () => {
    const beganMs = performance.now();
    for (let i = 0; i < 300; i++) rig.put(outletTrack(i, { quality: round % 16 }));
    worstMs = Math.max(worstMs, performance.now() - beganMs);
    round++;
    worstBytes = Math.max(worstBytes, process.memoryUsage().arrayBuffers - beforeBytes);
    return rig.notes.some((note) => note.startsWith('down'));
  }, 'the server is cut off');
  t.match(rig.notes.join('\n'), /is down: .* accepted no data for 10 s/);
  t.ok(worstBytes < 5e6, `${(worstBytes / 1e6).toFixed(1)} MB of buffers`);
  t.ok(worstMs < 1_000, `the news of 300 tracks take ${worstMs.toFixed(0)} ms at most`);
  t.ok(rig.runner.counts.dropped.blocked > 0);
  await until(async () => server.sockets.length === 2, 'it is dialled again');
});
