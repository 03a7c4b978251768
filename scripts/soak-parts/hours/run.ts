import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../../../test/support/basics/owner.ts';
import type { DaemonProcess } from '../../../test/support/daemon/daemon_process.ts';
import { noFakeClock } from '../../../test/support/daemon/fake_clock.ts';
import { flyAirliners } from './airliners.ts';
import { Box } from './box.ts';
import { declareSite, startChores } from './chores.ts';
import { Client } from './client.ts';
import { type Account, openConsoles } from './consoles.ts';
import { expectedLoad } from './expected.ts';
import { Failures } from './failures.ts';
import { flyFriends } from './friends.ts';
import { Probe } from './probe.ts';
import { restOf, type Sample, Sampler } from './samples.ts';
import { type Check, judgeRest, judgeSamples } from './verdict.ts';
import { flyVisitors } from './visitors.ts';
import { WebhookReceiver } from './webhook_receiver.ts';
import { Work } from './work.ts';

export type HoursOptions = { hours: number; load: number; seed: number; out: string | null };

/** Tracks are closed a minute after their last report, and links and sensors come to rest. */
const REST_S = 100;
/** A daemon that has just started rests after this time. */
const SETTLE_MS = 10_000;
const HTTP_EVERY_MS = 2_000;
const MEMORY_EVERY_MS = 250;
const SAMPLES = 720;
const LINES = 40;

/** `scripts/soak --hours N`: a watch of N hours under a realistic load; prints what held and answers whether all did. */
export async function runHours(owner: Owner, { hours, load, seed, out }: HoursOptions): Promise<boolean> {
  const noClock = noFakeClock();
  if (noClock !== false) throw new Error(noClock);
  const folder = resolve(out ?? join('build', 'soak', new Date().toISOString().replace(/[:.]/g, '-')));
  mkdirSync(folder, { recursive: true });
  const expected = expectedLoad(load);
  const { remoteId, airliners, friends, receivers, consoles } = expected;
  console.log(`seed ${seed}: run again with --seed ${seed}; samples in ${folder}`);
  console.log(
    `load ${load}: ${remoteId} aircraft with Remote ID over ${receivers} receivers, ${airliners} with ADS-B, ${friends} own vehicles, ${consoles} consoles; ${hours} h`,
  );
  const failures = new Failures();
  const box = new Box(owner, folder);
  const daemon = await box.start();
  await sleep(SETTLE_MS);
  const before = restOf(daemon, box);
  const sampler = new Sampler(daemon, box);
  const work = new Work(failures, seed);
  owner.teardown(() => work.stop());
  const probe = await startLoad(work, box, daemon, expected, hours);
  await watch(work, daemon, sampler, probe, hours);
  await work.stop();
  const checks = judgeSamples(sampler.samples);
  await sleep(REST_S * 1_000);
  checks.push(...judgeRest(before, restOf(daemon, box)));
  const code = await daemon.end();
  checks.push({ text: `exit code of the daemon: ${code}`, verdict: code === 0 ? 'held' : 'MISSED' });
  checks.push(...complaints(daemon, failures));
  return report(checks, folder);
}

async function startLoad(
  work: Work,
  box: Box,
  daemon: DaemonProcess,
  expected: ReturnType<typeof expectedLoad>,
  hours: number,
) {
  const first = await box.addOwner('anna');
  const anna = new Client(daemon.url, '127.0.0.10', work.failures);
  work.atEnd(() => anna.leave());
  await anna.signIn(first.username, first.password);
  const webhooks = [await WebhookReceiver.open(work), await WebhookReceiver.open(work)];
  await declareSite(
    anna,
    webhooks.map(({ url }) => url),
  );
  const accounts: Account[] = [];
  for (let n = 1; n <= Math.ceil(expected.consoles / 2); n++) {
    const account = { username: `operator ${n}`, password: first.password };
    await anna.ask('POST', 'users', { ...account, role: 'operator' });
    accounts.push(account);
  }
  flyVisitors(work, await daemon.port('remote id'), expected.remoteId, expected.receivers);
  flyAirliners(work, await daemon.port('adsb'), expected.airliners);
  flyFriends(work, anna, await daemon.port('vehicles'), expected.friends);
  openConsoles(work, { url: daemon.url, accounts, shift: box.shift }, expected.consoles);
  startChores(work, box, anna, hours);
  return Probe.open(work, daemon.url, await daemon.port('vehicles'));
}

/** Takes samples until the time is over, or the daemon is. */
async function watch(work: Work, daemon: DaemonProcess, sampler: Sampler, probe: Probe, hours: number): Promise<void> {
  const client = new Client(daemon.url, '127.0.0.11', work.failures);
  let httpMs: number[] = [];
  work.again('http probe', async () => {
    await work.pause(HTTP_EVERY_MS);
    if (!work.isOver) httpMs.push(await client.time('/api/sensors'), await client.time('/api/picture'));
  });
  work.atEnd(() => client.leave());
  const isRunning = (): boolean => daemon.process.exitCode === null && daemon.process.signalCode === null;
  work.tick(MEMORY_EVERY_MS, () => isRunning() && sampler.read());
  const everyMs = Math.max(1_000, (hours * 3_600_000) / SAMPLES);
  const total = Math.ceil((hours * 3_600_000) / everyMs);
  const beganMs = performance.now();
  console.log(
    '   min  box h  rss MB  anon MB  heap MB  fds  files  loop p99  p50 ms  p95 ms  http p95  waited %  udp kB  tracks  alerts  streams',
  );
  for (let n = 1; n <= total && isRunning(); n++) {
    await sleep(Math.max(0, beganMs + n * everyMs - performance.now()));
    const sample = await sampler.take(probe, httpMs);
    httpMs = [];
    if (n % Math.ceil(total / LINES) === 0) print(sample);
  }
}

function print(sample: Sample): void {
  const figures = [
    (sample.time_s / 60).toFixed(1),
    sample.box_hours,
    sample.rss_mb.toFixed(1),
    sample.anonymous_mb.toFixed(1),
    sample.heap_mb.toFixed(1),
    sample.descriptors,
    sample.files,
    sample.loop_p99_ms.toFixed(1),
    sample.latency_p50_ms.toFixed(1),
    sample.latency_p95_ms.toFixed(1),
    sample.http_p95_ms.toFixed(1),
    sample.waited_percent.toFixed(1),
    sample.udp_waiting_kb.toFixed(0),
    sample.tracks,
    sample.alerts,
    sample.streams,
  ];
  const widths = [6, 6, 7, 8, 8, 4, 6, 9, 7, 7, 9, 9, 7, 7, 7, 8];
  console.log(figures.map((figure, at) => String(figure).padStart(widths[at] ?? 0)).join(' '));
}

function complaints(daemon: DaemonProcess, failures: Failures): Check[] {
  const errors = daemon.lines.filter((line) => Number(line.level) >= 50);
  const [first] = errors;
  const checks: Check[] = [
    {
      text: `errors in the log of the daemon: ${errors.length}${first ? `, first ${JSON.stringify(first)}` : ''}`,
      verdict: errors.length === 0 ? 'held' : 'MISSED',
    },
  ];
  if (failures.count === 0) checks.push({ text: 'unexpected answers: 0', verdict: 'held' });
  for (const line of failures.lines()) checks.push({ text: line, verdict: 'MISSED' });
  return checks;
}

/** Prints the checks, and writes them to `verdict.txt` of a folder. Returns whether none was missed. */
export function report(checks: readonly Check[], folder: string | null): boolean {
  const lines = checks.map(({ text, verdict }) => `${verdict.padEnd(6)}  ${text}`);
  const count = (wanted: Check['verdict']): number => checks.filter(({ verdict }) => verdict === wanted).length;
  lines.push(
    `${count('MISSED') === 0 ? 'PASS' : 'FAIL'}: ${count('held')} held, ${count('MISSED')} missed, ${count('open')} open`,
  );
  for (const line of lines) console.log(line);
  if (folder !== null) writeFileSync(join(folder, 'verdict.txt'), `${lines.join('\n')}\n`);
  return count('MISSED') === 0;
}
