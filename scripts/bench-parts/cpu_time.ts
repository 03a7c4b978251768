import { cpuUsage } from 'node:process';
import { median } from './row.ts';

const RUNS = 5;

/** Microseconds of CPU time that `work` takes for each of the `count` things it does: the median after a run that warms up. */
export function microsecondsEach(count: number, work: () => void): number {
  const runs: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const before = cpuUsage();
    work();
    const { user, system } = cpuUsage(before);
    if (run > 0) runs.push((user + system) / count);
  }
  return median(runs);
}
