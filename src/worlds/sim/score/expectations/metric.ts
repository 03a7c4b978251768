import type { RunExpectation } from '../../../../model/run.ts';
import type { RunMetric } from '../../../../model/scenario.ts';
import type { Of, Told, Watcher } from './watcher.ts';
import { figure } from './words.ts';

const units: Partial<Record<RunMetric, string>> = {
  gospa_m: ' m',
  ospa_m: ' m',
  position_rmse_m: ' m',
  first_detect_s: ' s',
  alert_latency_s: ' s',
};

/** A metric within bounds. What could not be measured is within none. */
export class MetricWatcher implements Watcher {
  readonly #wanted: Of<'metric'>;

  constructor(wanted: Of<'metric'>) {
    this.#wanted = wanted;
  }

  result({ metrics, refused }: Told): RunExpectation {
    const { metric, at_least: least, at_most: most } = this.#wanted;
    const value = metrics[metric];
    const told = (number: number): string => `${figure(number)}${units[metric] ?? ''}`;
    const bounds = [
      ...(least === undefined ? [] : [`at least ${told(least)}`]),
      ...(most === undefined ? [] : [`at most ${told(most)}`]),
    ];
    const asked = bounds.length === 0 ? '' : `; ${bounds.join(' and ')} was asked for`;
    if (value === null)
      return { text: `${metric} could not be measured: there was nothing of the kind${asked}`, met: false };
    const met = value >= (least ?? Number.NEGATIVE_INFINITY) && value <= (most ?? Number.POSITIVE_INFINITY);
    // A refused order is a task that failed: its reason is told nowhere else.
    const [first] = metric === 'tasks_failed' && !met ? refused : [];
    return { text: `${metric} is ${told(value)}${asked}${first ? `: ${first.text}` : ''}`, met };
  }
}
