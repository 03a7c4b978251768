import { setTimeout as wait } from 'node:timers/promises';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { Watch } from './latency_watch.ts';
import { shares } from './process.ts';
import { median, quantile, type Row } from './row.ts';
import { macOf, Senders, send } from './senders.ts';
import { readStream } from './stream_reader.ts';

const loads = [
  { perS: 10, senders: 10 },
  { perS: 100, senders: 25 },
  { perS: 2_000, senders: 300 },
] as const;
const RUNS = 5;
const WARM_S = 4;
const RUN_S = 6;
/** What has not come by then is lost. */
const AFTER_MS = 1_000;
const TARGET_P95_MS = 22;

/**
 * Measures the latency from handing a datagram to the kernel until its event is read from a stream's socket. The track
 * rate holds back no update at the rates used. An update that a later one replaces counts until the later one arrives.
 */
export async function benchLatency(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { perS, senders } of loads) {
    const config = 'stream: { track_hz: 50 }';
    rows.push(...(await inFolder((dataDir) => withDaemon({ dataDir, config }, (d) => underLoad(d, perS, senders)))));
  }
  return rows;
}

async function underLoad(daemon: BenchDaemon, perS: number, count: number): Promise<Row[]> {
  const watch = new Watch(Array.from({ length: count }, (_, sender) => macOf(sender)));
  const close = await readStream(daemon.url, (event, atMs) => watch.take(event, atMs));
  const senders = new Senders(count);
  const sending = (sender: number, heightM: number): void => watch.sent(sender, heightM);
  const { port } = daemon;
  await send({ port, senders, perS, seconds: WARM_S, sending });
  let lost = 0;
  const runs: { p50: number; p95: number; p99: number }[] = [];
  const [before, beganMs] = [daemon.cpu(), performance.now()];
  for (let run = 0; run < RUNS; run++) {
    watch.reset();
    await send({ port, senders, perS, seconds: RUN_S, sending });
    await wait(AFTER_MS);
    const latencies = watch.latencies();
    lost += watch.lost;
    runs.push({ p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95), p99: quantile(latencies, 0.99) });
  }
  const cpu = shares(before, daemon.cpu(), (performance.now() - beganMs) / 1000);
  close();
  const name = `at ${perS} observations a second`;
  const percentile = (of: 'p50' | 'p95' | 'p99'): Row => ({
    name: `${of} ${name}`,
    value: median(runs.map((run) => run[of])),
    unit: 'ms',
    ...(perS === 2_000 && of === 'p95' ? { target: { atMost: TARGET_P95_MS } } : {}),
  });
  const share = (thread: keyof typeof cpu): Row => ({
    name: `CPU ${name}, ${thread}`,
    value: cpu[thread],
    unit: '% of a core',
  });
  return [
    ...(['p50', 'p95', 'p99'] as const).map(percentile),
    { name: `lost ${name}`, value: lost, unit: 'observations', target: { atMost: 0 } },
    ...(['main', 'core', 'history', 'all'] as const).map(share),
    { name: `main thread kept waiting ${name}`, value: cpu.waited, unit: '% of the time' },
  ];
}
