import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { onlyInFull, until } from '../support/basics/patience.ts';
import { fieldBox, radarConfig, textOf } from '../support/daemon/field_box.ts';
import { metricOf, rssMib, smallHeap } from '../support/daemon/program.ts';
import { flySwarm } from '../support/daemon/swarm.ts';
import { readStream, type StreamReader } from '../support/http/stream_reader.ts';

const blockedClients = 30;
const python = `
import socket, sys
clients = []
for n in range(int(sys.argv[2])):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.connect(('127.0.0.1', int(sys.argv[1])))
    s.sendall(b'GET /api/stream HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
    s.recv(1024)
    clients.append(s)
print('blocked', flush=True)
sys.stdin.read()
`;

onlyInFull(t);

/** Clients that ask for the stream, read the first kilobyte and then no more; their windows are as small as the kernel lets them be. */
async function neverRead(t: Test, url: string): Promise<void> {
  const args = ['-c', python, new URL(url).port, String(blockedClients)];
  const child = spawn('python3', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}

const aircraft = 200;
const fast = `${radarConfig}
stream: {track_hz: 20, blocked_s: 4, heartbeat_s: 1, max_streams: 128}
feeds: {sender_msgs_per_s: 1000}
`;

/** Numbers that the reader was not told, and how late the events came, milliseconds at the given share. */
function judge({ events }: StreamReader, share: number) {
  let missed = 0;
  for (let at = 2; at < events.length; at++) missed += (events[at]?.seq ?? 0) - (events[at - 1]?.seq ?? 0) - 1;
  const lateMs = events.map(({ arrivedMs, at }) => arrivedMs - Date.parse(at)).sort((a, b) => a - b);
  return { missed, lateMs: Math.round(lateMs[Math.floor(share * lateMs.length)] ?? 0) };
}

t.test('clients that never read are cut, cost a bounded amount, and hold nobody up', async (t) => {
  const daemon = await fieldBox(t, fast).spawn({ command: smallHeap });
  const swarm = flySwarm(t, await daemon.port('rows'), { count: aircraft, hz: 10, sensor: 'mast' });
  const reader = await readStream(t, daemon.url);
  await reader.when('all tracks', () => reader.of('track_new').length === aircraft);
  const fullMib = rssMib(daemon.process.pid);

  await neverRead(t, daemon.url);
  let peakMib = 0;
  await until(
    async () => {
      peakMib = Math.max(peakMib, rssMib(daemon.process.pid));
      const page = await textOf(daemon, '/metrics');
      return metricOf(page, 'dunlin_stream_clients_cut_total') === blockedClients;
    },
    'all are cut',
    60_000,
  );
  t.pass('they are cut');
  const page = await textOf(daemon, '/metrics');
  t.equal(metricOf(page, 'dunlin_stream_clients'), 1, 'the one that reads stays');
  t.ok(peakMib - fullMib < 64, `resident memory went from ${fullMib.toFixed(0)} to ${peakMib.toFixed(0)} MiB at most`);
  const { missed, lateMs } = judge(reader, 0.99);
  t.equal(missed, 0, `it was told every one of ${reader.events.length} events`);
  t.ok(lateMs < 1_000, `99 of 100 within ${lateMs} ms`);
  t.equal(reader.hasEnded, false);
  swarm.stop();
  t.comment(`${swarm.sent()} observations, ${reader.events.length} events`);
  t.equal(await daemon.end(), 0);
});

t.test(
  'as many streams as one address may have, the next is told to wait, and a place that is left is free',
  async (t) => {
    const daemon = await fieldBox(t, `${radarConfig}\nstream: {max_streams: 256}\n`).spawn();
    const streams = await Promise.all(Array.from({ length: 64 }, () => readStream(t, daemon.url)));
    t.ok(
      streams.every(({ status }) => status === 200),
      '64 streams are open',
    );
    const refused = await daemon.request('/api/stream');
    t.equal(refused.status, 429);
    t.match(refused.body, { ok: false, code: 'rate_limited', error: /64 of 256 streams/ });
    t.match(refused.headers.get('retry-after'), /^\d+$/);
    t.equal((await daemon.request('/api/picture')).status, 200, 'everything else is still answered');
    streams[0]?.leave();
    const next = await until(async () => {
      const stream = await readStream(t, daemon.url);
      return stream.status === 200 ? stream : null;
    }, 'the place is free');
    await next.first('a picture', ({ kind }) => kind === 'snapshot');
  },
);

t.test('a client that comes back is told exactly what it missed', async (t) => {
  const daemon = await fieldBox(t, radarConfig).spawn();
  flySwarm(t, await daemon.port('rows'), { count: 20, hz: 5, sensor: 'mast' });
  const witness = await readStream(t, daemon.url);
  const first = await readStream(t, daemon.url);
  await first.when('some updates', () => first.of('track_update').length > 50);
  first.leave();
  const left = first.events.at(-1);
  await witness.when('more of them', () => (witness.events.at(-1)?.seq ?? 0) > (left?.seq ?? 0) + 100);
  const again = await readStream(t, daemon.url, left?.id);
  await again.when('what was missed', () => again.events.length > 200);
  t.match(again.events[0], { kind: 'resume', body: { from: left?.id } });
  const since = again.events.slice(1);
  t.equal(since[0]?.seq, (left?.seq ?? 0) + 1, 'from the next number on');
  const told = witness.events.filter(({ seq }) => seq > (left?.seq ?? 0) && seq <= (since.at(-1)?.seq ?? 0));
  const plain = ({ seq, kind, body }: (typeof told)[number]) => ({ seq, kind, body });
  t.same(since.slice(0, told.length).map(plain), told.map(plain), 'the same as who never left');

  const stranger = await readStream(t, daemon.url, 'ffffffffffff:7');
  await stranger.first('a picture', ({ kind }) => kind === 'snapshot');
  t.equal(stranger.events[0]?.kind, 'snapshot', 'a place in another epoch begins with the picture');
});
