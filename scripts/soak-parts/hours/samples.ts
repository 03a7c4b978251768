import { appendFileSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonProcess } from '../../../test/support/daemon/daemon_process.ts';
import { textOf } from '../../../test/support/daemon/field_box.ts';
import { metricOf, metricSum } from '../../../test/support/daemon/program.ts';
import { quantile } from '../../bench-parts/row.ts';
import type { Box } from './box.ts';
import type { Probe } from './probe.ts';
import { mean } from './statistics.ts';

/**
 * Columns of the CSV file, in order; memory in MB (millions of bytes). Resident and anonymous memory are means of the
 * interval, because garbage collection makes single readings vary by several MB; `rss_median_mb` is the median of the last
 * `COMPACTED_EVERY_MS`.
 */
export const columns = [
  'time_s',
  'box_hours',
  'rss_mb',
  'rss_median_mb',
  'pss_mb',
  'anonymous_mb',
  'heap_mb',
  'external_mb',
  'descriptors',
  'threads',
  'files',
  'data_mb',
  'temporary_files',
  'loop_p99_ms',
  'latency_p50_ms',
  'latency_p95_ms',
  'latency_count',
  'http_p50_ms',
  'http_p95_ms',
  'cpu_s',
  'waited_percent',
  'tracks',
  'alerts',
  'streams',
  'queued_rows',
  'dropped',
  'udp_waiting_kb',
  'udp_dropped',
  'refused',
] as const;
/** The daemon compacts its heaps and returns free memory once in this time (src/host/free_memory.ts). */
export const COMPACTED_EVERY_MS = 60_000;
export type Sample = Record<(typeof columns)[number], number>;

/** Reads the CSV file of a run. */
export function readSamples(folder: string): Sample[] {
  const [names = '', ...lines] = readFileSync(join(folder, 'samples.csv'), 'utf8').trim().split('\n');
  const keys = names.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(keys.map((key, n) => [key, cells[n] === '' ? Number.NaN : Number(cells[n])])) as Sample;
  });
}

/** Looks at a daemon from outside, and writes each sample to a CSV file. */
export class Sampler {
  readonly samples: Sample[] = [];
  readonly #daemon: DaemonProcess;
  readonly #box: Box;
  readonly #path: string;
  readonly #beganMs = performance.now();
  #last = { waitedMs: Number.NaN, atMs: 0 };
  #resident: Resident[] = [];
  /** Readings of the last `COMPACTED_EVERY_MS`, MB. */
  #lately: { atMs: number; rssMb: number }[] = [];

  constructor(daemon: DaemonProcess, box: Box) {
    this.#daemon = daemon;
    this.#box = box;
    this.#path = join(box.out, 'samples.csv');
    writeFileSync(this.#path, `${columns.join(',')}\n`);
  }

  /** Share of the time since the last call that the main thread was ready and had no processor, %. */
  #waited(pid: number): number {
    const nowMs = performance.now();
    const ms = Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
    const { waitedMs, atMs } = this.#last;
    this.#last = { waitedMs: ms, atMs: nowMs };
    return Number.isNaN(waitedMs) ? 0 : (100 * (ms - waitedMs)) / (nowMs - atMs);
  }

  /** Notes the resident memory for the next sample. */
  read(): void {
    const reading = residentOf(this.#daemon.process.pid ?? 0);
    this.#resident.push(reading);
    const atMs = performance.now();
    this.#lately = this.#lately.filter((past) => atMs - past.atMs < COMPACTED_EVERY_MS);
    this.#lately.push({ atMs, rssMb: reading.rssMb });
  }

  async take(probe: Probe | null, httpMs: readonly number[]): Promise<Sample> {
    const page = await textOf(this.#daemon, '/metrics');
    const pid = this.#daemon.process.pid ?? 0;
    this.read();
    const resident = this.#resident;
    this.#resident = [];
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const files = filesBelow(this.#box.dataDir);
    const descriptors = descriptorsOf(pid);
    const udp = udpOf(descriptors);
    const latency = probe?.take() ?? { p50: Number.NaN, p95: Number.NaN, count: 0 };
    const sample: Sample = {
      time_s: (performance.now() - this.#beganMs) / 1_000,
      box_hours: this.#box.shift.hours,
      rss_mb: mean(resident.map(({ rssMb }) => rssMb)),
      rss_median_mb: quantile(
        this.#lately.map(({ rssMb }) => rssMb),
        0.5,
      ),
      pss_mb: kilobytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss'),
      anonymous_mb: mean(resident.map(({ anonymousMb }) => anonymousMb)),
      heap_mb: metricOf(page, 'nodejs_heap_used_bytes') / 1e6,
      external_mb: metricOf(page, 'nodejs_external_memory_bytes') / 1e6,
      descriptors: descriptors.length,
      threads: Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1]),
      files: files.length,
      data_mb: files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
      temporary_files: filesBelow(this.#box.temporary).length,
      loop_p99_ms: metricOf(page, 'nodejs_eventloop_delay_p99_seconds') * 1_000,
      latency_p50_ms: latency.p50,
      latency_p95_ms: latency.p95,
      latency_count: latency.count,
      http_p50_ms: quantile(httpMs, 0.5),
      http_p95_ms: quantile(httpMs, 0.95),
      cpu_s: metricOf(page, 'process_cpu_seconds_total'),
      waited_percent: this.#waited(pid),
      tracks: metricSum(page, 'dunlin_tracks'),
      alerts: metricSum(page, 'dunlin_alerts'),
      streams: metricOf(page, 'dunlin_stream_clients'),
      queued_rows: metricOf(page, 'dunlin_history_queued_rows'),
      dropped:
        metricSum(page, 'dunlin_history_dropped_rows_total') + metricSum(page, 'dunlin_observations_dropped_total'),
      udp_waiting_kb: udp.waiting / 1e3,
      udp_dropped: udp.dropped,
      refused: metricOf(page, 'dunlin_http_server_errors_total'),
    };
    this.samples.push(sample);
    appendFileSync(this.#path, `${columns.map((column) => cellOf(sample[column])).join(',')}\n`);
    return sample;
  }
}

type Resident = { rssMb: number; anonymousMb: number };

function residentOf(pid: number): Resident {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { rssMb: kilobytes(status, 'VmRSS'), anonymousMb: kilobytes(status, 'RssAnon') };
}

/** Counts that must be equal at rest, before and after: descriptors by what they are, threads, files by folder. */
export type Rest = { descriptors: Map<string, number>; threads: number; files: Map<string, number> };

export function restOf(daemon: DaemonProcess, { dataDir, temporary }: Box): Rest {
  const pid = daemon.process.pid ?? 0;
  const kinds = descriptorsOf(pid).map((target) =>
    target.startsWith(dataDir) ? folderOf(target.slice(dataDir.length + 1)) : target.replace(/:?\[\d+\]$/, ''),
  );
  const files = filesBelow(dataDir).map(({ path }) => folderOf(path.slice(dataDir.length + 1)));
  return {
    descriptors: counted(kinds),
    threads: readdirSync(`/proc/${pid}/task`).length,
    files: counted([...files, ...filesBelow(temporary).map(() => 'temporary')]),
  };
}

/** Days and recordings come and go, so they count by folder; other files by name. */
function folderOf(path: string): string {
  const [top = '', ...more] = path.split('/');
  return more.length > 0 ? `${top}/` : top;
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
}

/** What the kernel holds for the UDP sockets of a process, and what it dropped: the process did not read in time. */
function udpOf(descriptors: readonly string[]): { waiting: number; dropped: number } {
  const inodes = new Set(descriptors.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []));
  const counts = { waiting: 0, dropped: 0 };
  for (const line of readFileSync('/proc/net/udp', 'utf8').trim().split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    if (!inodes.has(fields[9] ?? '')) continue;
    counts.waiting += Number.parseInt(fields[4]?.split(':')[1] ?? '0', 16);
    counts.dropped += Number(fields[12]);
  }
  return counts;
}

function filesBelow(folder: string): { path: string; bytes: number }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : sizeOf(path);
    });
  } catch {
    // The folder was removed meanwhile, a recording perhaps.
    return [];
  }
}

function sizeOf(path: string): { path: string; bytes: number }[] {
  try {
    return [{ path, bytes: statSync(path).size }];
  } catch {
    return [];
  }
}

/** A line of /proc in kB, as MB. */
function kilobytes(text: string, name: string): number {
  return (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1_024) / 1e6;
}

function cellOf(value: number): string {
  return Number.isNaN(value) ? '' : String(Math.round(value * 1_000) / 1_000);
}
