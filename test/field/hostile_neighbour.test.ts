import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import { takeTime } from '../support/basics/patience.ts';
import { isFull, timesOf } from '../support/basics/size.ts';
import { fieldBox, textOf } from '../support/daemon/field_box.ts';
import { metricOf, rssMib, smallHeap } from '../support/daemon/program.ts';
import { flySwarm } from '../support/daemon/swarm.ts';
import { readStream } from '../support/http/stream_reader.ts';

takeTime(t, 300);

const script = fileURLToPath(new URL('../support/links/hostile_neighbour.js', import.meta.url));
const seconds = timesOf({ usual: 2, full: 40 });
/** What an operator waits for an answer at most, ms, on a machine that may be starved by other tests. */
const answerWithinMs = 30_000;
const config = `
access: {trusted_networks: [127.0.0.1/32]}
sensors:
  - {name: mast, modality: radar, placement: {lat: 47.4, lon: 8.5, alt_hae_m: 450}}
links:
  - {name: rows, transport: udp, address: 127.0.0.1:0, protocol: obs_json, sources_allow: [127.0.0.1]}
  - {name: tcp, transport: tcp_server, address: 127.0.0.1:0, protocol: obs_json}
  - {name: udp, transport: udp, address: 127.0.0.1:0, protocol: mavlink}
`;

t.test('a neighbour who attacks every open port at line rate keeps no operator and no receiver out', async (t) => {
  const daemon = await fieldBox(t, config).spawn({ command: smallHeap });
  const stream = await readStream(t, daemon.url);
  flySwarm(t, await daemon.port('rows'), { count: 1, hz: 10, sensor: 'mast' });
  await stream.first('the aircraft', ({ kind }) => kind === 'track_new');
  const ports = [new URL(daemon.url).port, await daemon.port('tcp'), await daemon.port('udp')].map(String);
  const [from, beforeMib] = [stream.events.length, rssMib(daemon.process.pid)];
  const neighbour = spawn(process.execPath, [script, ...ports, String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  t.teardown(() => neighbour.kill('SIGKILL'));
  let said = '';
  neighbour.stdout.on('data', (text) => {
    said += text;
  });
  const over = once(neighbour, 'exit');
  const [answersMs, mib]: [number[], number[]] = [[], []];
  while (neighbour.exitCode === null) {
    const askedMs = performance.now();
    // A new connection each time, as a console makes that was just opened.
    const answer = await fetch(`${daemon.url}/api/tracks`, { headers: { connection: 'close' } });
    if (answer.status !== 200) t.fail(`an operator was answered ${answer.status}`);
    await answer.text();
    answersMs.push(performance.now() - askedMs);
    mib.push(rssMib(daemon.process.pid));
    await Promise.race([over, sleep(100)]);
  }
  const worstMs = Math.max(...answersMs);
  t.ok(worstMs < answerWithinMs, `${answersMs.length} answers, each within ${worstMs.toFixed(0)} ms`);
  const atMs = stream.events
    .slice(from)
    .filter(({ kind }) => kind === 'track_update')
    .map(({ arrivedMs }) => arrivedMs);
  const gapMs = Math.max(...atMs.slice(1).map((at, n) => at - (atMs[n] ?? 0)));
  t.ok(gapMs < answerWithinMs, `the receiver's aircraft was updated at least every ${gapMs.toFixed(0)} ms`);
  const grownMib = Math.max(...mib) - beforeMib;
  t.ok(grownMib < 96, `memory grew by ${grownMib.toFixed(0)} MiB`);
  const done = JSON.parse(said) as { connects: number; bytes: number; datagrams: number };
  t.ok(done.connects > timesOf({ usual: 200, full: 1_000 }) && done.bytes > 0 && done.datagrams > 0, said.trim());
  const page = await textOf(daemon, '/metrics');
  const refused = metricOf(page, 'dunlin_link_over_limit_total{link="tcp"}');
  // A starved machine accepts fewer than the limit in two seconds.
  t.ok(refused > 0 || !isFull, `${refused} connections beyond the limit are counted`);
  const alerts = await daemon.get<Alert[]>('/api/alerts');
  t.same(
    alerts.filter(({ rule_id, text }) => rule_id === 'sensor_silent' && /mast|rows/.test(text)),
    [],
  );
  t.same(
    daemon.lines.filter(({ level }) => Number(level) >= 50),
    [],
  );
  t.ok(daemon.lines.length < 200, `${daemon.lines.length} lines of log`);
  t.equal(await daemon.end(), 0);
});
