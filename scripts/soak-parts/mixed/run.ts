import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../../../test/support/basics/owner.ts';
import { fieldBox, radarConfig, textOf } from '../../../test/support/daemon/field_box.ts';
import { metricOf, metricSum, rssMib } from '../../../test/support/daemon/program.ts';
import { startLoad } from './load.ts';
import { type Sample, verdictOf } from './verdict.ts';

const config = `${radarConfig}
  - {name: sbs, transport: tcp_server, address: 127.0.0.1:0, protocol: sbs}
  - {name: mavlink, transport: udp, address: 127.0.0.1:0, protocol: mavlink}
# Tracks end soon, so that what is left of them would show.
tracking: {coast_s: 5, lost_s: 10, close_s: 30}
stream: {blocked_s: 10}
`;

/** Interval of the samples, and number of printed lines. */
const sampleMs = 2_000;
const lines = 20;
const widths = [6, 8, 9, 12, 7, 7, 8];

/** `scripts/soak MINUTES`: a mixed load with garbage on the links; answers whether memory, loop and queues held. */
export async function runMixed(owner: Owner, minutes: number): Promise<boolean> {
  const daemon = await fieldBox(owner, config).spawn();
  const failures = await startLoad(owner, daemon);
  const beganMs = performance.now();
  const samples: Sample[] = [];
  console.log('   min  rss MiB  heap MiB  loop p99 ms  tracks  queued  dropped');
  const total = Math.ceil((minutes * 60_000) / sampleMs);
  for (let n = 1; n <= total; n++) {
    await sleep(Math.max(0, beganMs + n * sampleMs - performance.now()));
    const page = await textOf(daemon, '/metrics');
    const sample: Sample = {
      minute: (performance.now() - beganMs) / 60_000,
      rssMib: rssMib(daemon.process.pid),
      heapMib: metricOf(page, 'nodejs_heap_used_bytes') / 2 ** 20,
      loopP99Ms: metricOf(page, 'nodejs_eventloop_delay_p99_seconds') * 1_000,
      dropped:
        metricSum(page, 'dunlin_history_dropped_rows_total') + metricSum(page, 'dunlin_observations_dropped_total'),
    };
    samples.push(sample);
    if (n % Math.ceil(total / lines) === 0) print(sample, page);
  }
  const failed = failures.count;
  const code = await daemon.end();
  const { rows, held } = verdictOf(samples);
  for (const row of [...rows, `requests that failed: ${failed}`, `exit code of the daemon: ${code}`]) console.log(row);
  return held && code === 0;
}

function print({ minute, rssMib, heapMib, loopP99Ms, dropped }: Sample, page: string): void {
  const figures = [minute.toFixed(1), rssMib.toFixed(0), heapMib.toFixed(0), loopP99Ms.toFixed(1)];
  const counts = [metricSum(page, 'dunlin_tracks'), metricOf(page, 'dunlin_history_queued_rows'), dropped];
  console.log([...figures, ...counts.map(String)].map((cell, at) => cell.padStart(widths[at] ?? 0)).join(' '));
}
