import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { type Cpu, shares } from './process.ts';
import type { Row } from './row.ts';
import { Senders, send } from './senders.ts';
import { readStream } from './stream_reader.ts';

/**
 * Loads of a box on a battery, with the share of a core that each may take, %. V8 compiles the hot paths within `warmS`.
 * At 10 observations a second that takes 5 min, in which the share falls by a third; a box runs for years.
 */
const loads = [
  { name: 'idle, one open link', perS: 0, senders: 0, warmS: 60, mostPercent: 0.6 },
  { name: '10 observations a second of 10 aircraft', perS: 10, senders: 10, warmS: 300, mostPercent: 2.5 },
  { name: '2 000 observations a second of 300 aircraft', perS: 2_000, senders: 300, warmS: 60, mostPercent: 22 },
] as const;
const RUN_S = 60;
const MOST_IDLE_MB = 130;

/** Shares of a core that the daemon takes at rest and under load, one reader of the stream included. */
export async function benchLoad(): Promise<Row[]> {
  const rows: Row[] = [{ name: 'a bare Node.js, woken by a timer', value: await bareWakeUs(), unit: 'µs of a core' }];
  for (const load of loads)
    rows.push(...(await inFolder((dataDir) => withDaemon({ dataDir }, (daemon) => measure(daemon, load)))));
  return rows;
}

/**
 * CPU time of one wake of a process that does nothing, µs. It tells how quiet the machine is. On one virtual machine it was
 * 167 to 598 within an hour. The speed of a loop hardly changed meanwhile, but the share of an idle daemon did.
 */
async function bareWakeUs(): Promise<number> {
  const script = `let wakes = 0; const before = process.cpuUsage(); const timer = setInterval(() => {
    if (++wakes < 500) return;
    clearInterval(timer);
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / wakes);
  }, 20);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  return Number(stdout);
}

async function measure(daemon: BenchDaemon, { name, perS, senders, warmS, mostPercent }: (typeof loads)[number]) {
  const close = perS === 0 ? () => {} : await readStream(daemon.url, () => {});
  const aircraft = new Senders(Math.max(senders, 1));
  const run = (seconds: number): Promise<unknown> =>
    perS === 0 ? wait(seconds * 1_000) : send({ port: daemon.port, senders: aircraft, perS, seconds });
  await run(warmS);
  const [before, beganMs] = [daemon.cpu(), performance.now()];
  await run(RUN_S);
  const cpu = shares(before, daemon.cpu(), (performance.now() - beganMs) / 1_000);
  const mb = daemon.rssMb();
  close();
  const target = perS === 0 ? { target: { atMost: MOST_IDLE_MB } } : {};
  return [
    { name, value: cpu.all, unit: '% of a core', target: { atMost: mostPercent } },
    ...threads.map((thread) => ({ name: `${name}: ${thread}`, value: cpu[thread], unit: '% of a core' })),
    { name: `${name}: resident`, value: mb, unit: 'MB', ...target },
  ];
}

const threads = ['main', 'core', 'history', 'other'] as const satisfies readonly (keyof Cpu)[];
