import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, cpuUsage, pid } from 'node:process';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createHistoryLog, type HistoryLog } from '../../src/store/log/history.ts';
import { detectionAt, detectionRow, pointAt } from '../../test/support/store/history_rows.ts';

export type StoreResult = {
  name: string;
  /** Rows appended for each second of CPU time of the main thread: packing, and handing over in batches. */
  per_main_cpu_s: number;
  /** Rows committed for each second of CPU time of all other threads: the writer, and V8's helpers. */
  per_thread_cpu_s: number;
  /** Size of the closed day file for each row. */
  bytes_per_row: number;
};

const RUNS = 5;
const ROWS = 50_000;
/** Rows appended in one turn of the loop. */
const TURN = 100;
const TRACKS = 300;

/** What history costs: each figure the median of five runs into an empty folder. Takes about 20 s. */
export async function benchStore(): Promise<StoreResult[]> {
  const startMs = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const sensors = Array.from({ length: 20 }, () => randomUUID());
  const tracks = Array.from({ length: TRACKS }, () => randomUUID());
  // Made beforehand: what a feed spends on making a document is not the history's.
  const detections = Array.from({ length: 5_000 }, (_, i) => {
    const [sensor_id = '', track_id = null] = [sensors[i % 20], tracks[i % TRACKS]];
    return detectionRow(detectionAt(startMs + i, { sensor_id, track_id, link_id: sensor_id }));
  });
  const point = pointAt(startMs, '');
  return [
    await bench('append detections', (log, i) => {
      log.append('detection', detections[i % detections.length] ?? detectionRow(detectionAt(startMs)));
    }),
    await bench('append points', (log, i) => {
      point.trackId = tracks[i % TRACKS] ?? '';
      point.atMs = startMs + Math.floor(i / TRACKS) * 1_000;
      log.append('point', point);
    }),
  ];
}

async function bench(name: string, append: (log: HistoryLog, i: number) => void): Promise<StoreResult> {
  const runs: Omit<StoreResult, 'name'>[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await once(append));
  const middle = (figure: (run: Omit<StoreResult, 'name'>) => number): number => Math.round(median(runs.map(figure)));
  return {
    name,
    per_main_cpu_s: middle((run) => run.per_main_cpu_s),
    per_thread_cpu_s: middle((run) => run.per_thread_cpu_s),
    bytes_per_row: middle((run) => run.bytes_per_row),
  };
}

async function once(append: (log: HistoryLog, i: number) => void): Promise<Omit<StoreResult, 'name'>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dunlin-bench-'));
  try {
    const log = createHistoryLog({
      dataDir,
      retention: { prunedBefore: null, bytes: 1e10 },
      onFault: (fault) => {
        throw fault;
      },
    });
    await log.start();
    const [mainBefore, allBefore] = [mainCpuS(), allCpuS()];
    for (let i = 0; i < ROWS; i++) {
      append(log, i);
      if (i % TURN !== 0) continue;
      await turn();
      while (log.status().queued > 10_000) await sleep(10);
    }
    const mainS = mainCpuS() - mainBefore;
    await log.lastEventSeq();
    const otherS = allCpuS() - allBefore - (mainCpuS() - mainBefore);
    await log.stop();
    const { written } = log.status();
    if (written !== ROWS) throw new Error(`${written} of ${ROWS} rows were written`);
    return { per_main_cpu_s: ROWS / mainS, per_thread_cpu_s: ROWS / otherS, bytes_per_row: sizeOf(dataDir) / ROWS };
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

function sizeOf(dataDir: string): number {
  const folder = join(dataDir, 'history');
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** CPU time of the main thread, whose id is the process's, as Linux counts it. */
function mainCpuS(): number {
  return Number(readFileSync(`/proc/self/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
}

function allCpuS(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

if (argv[1] === fileURLToPath(import.meta.url)) console.table(await benchStore());
