import type { RunMetric } from '../../../model/run.ts';
import { figure, type Of, unmet, type Watcher } from './watcher.ts';

const units: Partial<Record<RunMetric, string>> = {
  gospa_m: ' m',
  ospa_m: ' m',
  position_rmse_m: ' m',
  first_detect_s: ' s',
  alert_latency_s: ' s',
};

/** A metric within bounds. A metric that could not be measured is within none. */
export function metricWatcher({ metric, at_least: least, at_most: most }: Of<'metric'>): Watcher {
  const text = (value: number): string => `${figure(value)}${units[metric] ?? ''}`;
  return {
    result({ metrics, refused }) {
      const value = metrics[metric];
      const bounds = [
        ...(least === undefined ? [] : [`at least ${text(least)}`]),
        ...(most === undefined ? [] : [`at most ${text(most)}`]),
      ];
      const asked = bounds.length === 0 ? '' : `; ${bounds.join(' and ')} was asked for`;
      if (value === null) return unmet(`${metric} could not be measured: there was nothing of the kind${asked}`);
      const met = value >= (least ?? Number.NEGATIVE_INFINITY) && value <= (most ?? Number.POSITIVE_INFINITY);
      // A refused order is a failed task, and its reason stands nowhere else.
      const [first] = metric === 'tasks_failed' && !met ? refused : [];
      return { text: `${metric} is ${text(value)}${asked}${first ? `: ${first.text}` : ''}`, met };
    },
  };
}
