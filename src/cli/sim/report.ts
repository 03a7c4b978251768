import type { RunMetrics } from '../../model/run.ts';
import type { Played } from './play.ts';

/** What a person reads of a run that is over. */
export function reportLines({
  scenario,
  seed,
  metrics,
  expect,
  logHash,
  simulatedS,
  tookS,
}: Played & { scenario: string; seed: number }): string[] {
  const times = simulatedS / Math.max(tookS, 1e-3);
  return [
    `${scenario}, seed ${seed}: ${simulatedS.toFixed(0)} s in ${tookS.toFixed(1)} s, ${times.toFixed(1)} times real time`,
    '',
    ...Object.entries(metrics).map(([name, value]) => `  ${name.padEnd(18)}${figure(name as keyof RunMetrics, value)}`),
    '',
    ...expect.map(({ text, met }) => `  ${met ? 'met    ' : 'NOT MET'}  ${text}`),
    ...(expect.length > 0 ? [''] : []),
    `log_hash ${logHash}`,
  ];
}

function figure(name: keyof RunMetrics, value: number | null): string {
  if (value === null) return 'nothing to measure';
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(name === 'completeness' ? 3 : 1);
}
