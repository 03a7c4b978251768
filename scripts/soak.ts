import { setTimeout as sleep } from 'node:timers/promises';
import { fieldBox, radarConfig, textOf } from '../test/support/daemon/field_box.ts';
import { metricOf, metricSum, rssMib } from '../test/support/daemon/program.ts';
import { runFlood } from './soak-parts/flood.ts';
import { startLoad } from './soak-parts/load.ts';
import { type Sample, verdictOf } from './soak-parts/verdict.ts';

const config = `${radarConfig}
  - {name: sbs, transport: tcp_server, address: 127.0.0.1:0, protocol: sbs}
  - {name: mavlink, transport: udp, address: 127.0.0.1:0, protocol: mavlink}
# Tracks end soon, so that what is left of them would show.
tracking: {coast_s: 5, lost_s: 10, close_s: 30}
stream: {blocked_s: 10}
`;

/** How often memory is looked at, and how often a line is printed. */
const sampleMs = 2_000;
const lines = 20;

/** `scripts/soak flood [SECONDS]` floods an open link instead. */
async function flood(seconds: number): Promise<number> {
  const ends: (() => unknown)[] = [];
  try {
    return (await runFlood({ teardown: (act) => void ends.push(act) }, seconds)) ? 0 : 1;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function main(): Promise<number> {
  if (process.argv[2] === 'flood') return flood(Number(process.argv[3] ?? 60));
  const minutes = Number(process.argv[2] ?? 10);
  if (!(minutes > 0)) {
    console.error('usage: scripts/soak [MINUTES], or scripts/soak flood [SECONDS]');
    return 2;
  }
  const ends: (() => unknown)[] = [];
  const owner = { teardown: (act: () => unknown) => void ends.push(act) };
  try {
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
      if (n % Math.ceil(total / lines) !== 0) continue;
      const cells = [
        sample.minute.toFixed(1),
        sample.rssMib.toFixed(0),
        sample.heapMib.toFixed(0),
        sample.loopP99Ms.toFixed(1),
      ];
      cells.push(
        `${metricSum(page, 'dunlin_tracks')}`,
        `${metricOf(page, 'dunlin_history_queued_rows')}`,
        `${sample.dropped}`,
      );
      const widths = [6, 8, 9, 12, 7, 7, 8];
      console.log(cells.map((cell, at) => cell.padStart(widths[at] ?? 0)).join(' '));
    }
    const failed = failures.count;
    const code = await daemon.end();
    const { rows, held } = verdictOf(samples);
    for (const row of [...rows, `requests that failed: ${failed}`, `exit code of the daemon: ${code}`])
      console.log(row);
    return held && code === 0 ? 0 : 1;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

process.exit(await main());
