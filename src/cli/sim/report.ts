import type { RunMetrics } from '../../model/run.ts';
import type { Played } from './play.ts';

type RunReport = Played & { scenario: string; seed: number };

/** One line of a finished run for scripts, with the names of the wire. */
export function jsonLine({ scenario, seed, metrics, expect, refused, logHash, simulatedS, tookS }: RunReport): string {
  const figures = { simulated_s: simulatedS, took_s: Math.round(tookS * 1_000) / 1_000 };
  return JSON.stringify({ scenario, seed, metrics, expect, refused, log_hash: logHash, ...figures });
}

/** Lines of a finished run for people. */
export function reportLines({
  scenario,
  seed,
  metrics,
  expect,
  refused,
  logHash,
  simulatedS,
  tookS,
}: RunReport): string[] {
  const times = simulatedS / Math.max(tookS, 1e-3);
  return [
    `${scenario}, seed ${seed}: ${simulatedS.toFixed(0)} s in ${tookS.toFixed(1)} s, ${times.toFixed(1)} times real time`,
    '',
    ...Object.entries(metrics).map(([name, value]) => `  ${name.padEnd(18)}${figure(name as keyof RunMetrics, value)}`),
    '',
    ...expect.map(({ text, met }) => `  ${met ? 'met    ' : 'NOT MET'}  ${text}`),
    ...refused.map((sentence) => `  REFUSED  ${sentence}`),
    ...(expect.length + refused.length > 0 ? [''] : []),
    `log_hash ${logHash}`,
  ];
}

function figure(name: keyof RunMetrics, value: number | null): string {
  if (value === null) return 'nothing to measure';
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(name === 'completeness' ? 3 : 1);
}
