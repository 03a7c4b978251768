import { COMPACTED_EVERY_MS, type Rest, type Sample } from './samples.ts';
import { type DayPoint, mean, type Point, pooled, type Slope, slopeOf, slopeOverDays } from './statistics.ts';

/** The verdict of one check: `open` where the run or the machine could not decide, `note` where nothing is judged. */
export type Check = { text: string; verdict: 'held' | 'MISSED' | 'open' | 'note' };

/** A leak counts from so much an hour on: 12 MB a day. */
const MEMORY_MB_AN_HOUR = 0.5;
const LOOP_MS = 200;
/** Latency may grow by a quarter from the first third to the last; other programs use the machine too. */
const LATENCY_RATIO = 1.25;
/** With the main thread kept from a processor for more of the time, a late loop says nothing about the daemon. */
const STARVED_PERCENT = 5;
/**
 * Share of a run that is warming up. The clock of the box has then passed a day, and the retention has dropped its first day
 * file: from then on the box keeps as many as it ever will. Each open one holds some MB of pages.
 */
const WARM_SHARE = 1 / 4;

/** Judges the samples of a run under load. */
export function judgeSamples(samples: readonly Sample[]): Check[] {
  const later = warm(samples);
  const memory = (name: string, column: keyof Sample): Check => {
    const points = pointsOf(later, column);
    return { text: growth(name, points, slopeOf(points)), verdict: 'note' };
  };
  return [
    resident(medians(later)),
    memory('resident memory, with garbage', 'rss_mb'),
    memory('anonymous memory, with garbage', 'anonymous_mb'),
    memory('JS heap', 'heap_mb'),
    memory('external memory', 'external_mb'),
    latency('report to event, p95', 'latency_p95_ms', later),
    latency('HTTP, p95', 'http_p95_ms', later),
    loop(later),
    none('dropped rows and observations', samples.at(-1)?.dropped ?? 0),
    none('answers of the status 5xx', samples.at(-1)?.refused ?? 0),
    none('temporary files at the most', Math.max(...samples.map((row) => row.temporary_files))),
    data(later),
    kernel(samples),
  ];
}

/** Judges the slopes of resident memory of several runs of one build together. */
export function judgeTogether(runs: readonly (readonly Sample[])[]): Check[] {
  const each = runs.map((samples) => resident(medians(warm(samples))));
  const { slope, error } = pooled(runs.map((samples) => slopeOverDays(medians(warm(samples)))));
  const text = `resident memory of ${runs.length} runs: ${slopeText({ slope, error })}`;
  return [...each.map(({ text }): Check => ({ text, verdict: 'note' })), { text, verdict: within({ slope, error }) }];
}

function warm(samples: readonly Sample[]): Sample[] {
  const warmS = WARM_SHARE * (samples.at(-1)?.time_s ?? 0);
  return samples.filter(({ time_s }) => time_s >= warmS);
}

/**
 * Median resident memory of each minute, MB, over hours. A leak raises it as much as the mean, and peaks do not: hashing a
 * password takes 32 MB for 0.3 s. The least reading follows a compaction, after which heaps grow by 10 MB within 5 s.
 */
function medians(samples: readonly Sample[]): DayPoint[] {
  const minutes = new Map<number, DayPoint>();
  for (const { time_s, box_hours, rss_median_mb: y } of samples)
    minutes.set(Math.floor((1_000 * time_s) / COMPACTED_EVERY_MS), { x: time_s / 3_600, y, hour: box_hours % 24 });
  return [...minutes.values()];
}

function resident(points: readonly DayPoint[]): Check {
  const limit = MEMORY_MB_AN_HOUR;
  const { slope, error } = slopeOverDays(points);
  const text = growth('resident memory, median of each minute', points, { slope, error });
  if (Number.isNaN(slope)) return { text: `${text}; the run is warming up for most of its time`, verdict: 'open' };
  const verdict = within({ slope, error });
  if (verdict === 'held') return { text: `${text}; within ±${limit}`, verdict };
  if (verdict === 'MISSED') return { text: `${text}; more than ${limit}`, verdict };
  // The error of a slope falls with the time to the power of 3/2.
  const hours = (points.at(-1)?.x ?? 0) * (error / limit) ** (2 / 3);
  return { text: `${text}; ±${limit} takes a run of about ${Math.ceil(hours)} hours`, verdict };
}

/** Held where the whole interval is within the limit, missed where none of it is, else open. */
function within({ slope, error }: Slope): 'held' | 'MISSED' | 'open' {
  if (Math.abs(slope) + error <= MEMORY_MB_AN_HOUR) return 'held';
  return slope - error > MEMORY_MB_AN_HOUR ? 'MISSED' : 'open';
}

function growth(name: string, points: readonly Point[], slope: Slope): string {
  const average = mean(points.map(({ y }) => y));
  return `${name}: ${slopeText(slope)}, ${average.toFixed(1)} MB in the mean`;
}

function slopeText({ slope, error }: Slope): string {
  return `${signed(slope)} ± ${error.toFixed(2)} MB an hour (95 %)`;
}

function latency(name: string, column: keyof Sample, samples: readonly Sample[]): Check {
  const points = pointsOf(samples, column);
  const { slope, error } = slopeOf(points);
  const third = Math.floor(points.length / 3);
  const early = mean(points.slice(0, third).map(({ y }) => y));
  const late = mean(points.slice(-third).map(({ y }) => y));
  const ratio = late / early;
  const grows = slope - error > 0 && ratio > LATENCY_RATIO;
  const text = `${name}: ${early.toFixed(1)} to ${late.toFixed(1)} ms, ratio ${ratio.toFixed(2)}; ${signed(slope)} ± ${error.toFixed(2)} ms an hour (95 %)`;
  if (Number.isNaN(slope)) return { text, verdict: 'open' };
  if (!grows) return { text, verdict: 'held' };
  const waits = samples.map((row) => row.waited_percent);
  const isBusier = mean(waits.slice(-third)) > LATENCY_RATIO * mean(waits.slice(0, third));
  return isBusier
    ? { text: `${text}; other programs took the processors from the daemon more and more`, verdict: 'open' }
    : { text, verdict: 'MISSED' };
}

function loop(samples: readonly Sample[]): Check {
  const sorted = samples.map((row) => row.loop_p99_ms).sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const text = `event-loop delay p99: ${middle.toFixed(1)} ms in the median, ${(sorted.at(-1) ?? Number.NaN).toFixed(1)} ms at the most; the median may be ${LOOP_MS} ms`;
  if (middle <= LOOP_MS) return { text, verdict: 'held' };
  const waited = mean(samples.map((row) => row.waited_percent));
  const isStarved = waited > STARVED_PERCENT;
  return isStarved
    ? { text: `${text}; the main thread waited ${waited.toFixed(0)} % of the time for a processor`, verdict: 'open' }
    : { text, verdict: 'MISSED' };
}

function none(name: string, count: number): Check {
  return { text: `${name}: ${count}; may be 0`, verdict: count === 0 ? 'held' : 'MISSED' };
}

function kernel(samples: readonly Sample[]): Check {
  const most = Math.max(...samples.map((row) => row.udp_waiting_kb));
  const dropped = samples.at(-1)?.udp_dropped ?? 0;
  const waited = mean(samples.map((row) => row.waited_percent));
  const text = `datagrams that the kernel dropped: ${dropped}; ${most.toFixed(0)} kB waited at the most; the main thread waited ${waited.toFixed(0)} % of the time for a processor`;
  return { text, verdict: 'note' };
}

function data(samples: readonly Sample[]): Check {
  const files = samples.map((row) => row.files);
  const text = `data folder: ${Math.min(...files)} to ${Math.max(...files)} files, ${(samples.at(-1)?.data_mb ?? Number.NaN).toFixed(0)} MB at the end`;
  return { text, verdict: 'note' };
}

/** History files of the days that the retention keeps, each with its journal and index. */
const MOST_HISTORY = 3 * 3;
/** Files that the retention, the rings of recordings and the note of the last backup limit: more than before the load. */
const limited: Readonly<Record<string, number>> = { 'history/': MOST_HISTORY, 'recordings/': 40, 'backup.last': 1 };

/** Compares the counts at rest before the load and after it. */
export function judgeRest(before: Rest, after: Rest): Check[] {
  return [
    compared('descriptors', before.descriptors, after.descriptors),
    {
      text: `threads: ${before.threads} before, ${after.threads} after`,
      verdict: before.threads === after.threads ? 'held' : 'MISSED',
    },
    compared('files', before.files, after.files),
  ];
}

function compared(name: string, before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Check {
  const total = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((sum, count) => sum + count, 0);
  const differences: string[] = [];
  let held = true;
  for (const kind of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(kind) ?? 0, after.get(kind) ?? 0];
    if (was === is) continue;
    differences.push(`${kind} ${was} to ${is}`);
    if (is > was && is > (limited[kind] ?? 0)) held = false;
  }
  const details = differences.length > 0 ? ` (${differences.join(', ')})` : '';
  return {
    text: `${name}: ${total(before)} before, ${total(after)} after${details}`,
    verdict: held ? 'held' : 'MISSED',
  };
}

function pointsOf(samples: readonly Sample[], column: keyof Sample) {
  return samples.map((row) => ({ x: row.time_s / 3_600, y: row[column] })).filter(({ y }) => !Number.isNaN(y));
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}
