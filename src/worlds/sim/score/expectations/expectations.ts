import type { RunExpectation, RunMetrics } from '../../../../model/run.ts';
import type { Expectation } from '../../../../model/scenario.ts';
import type { Act } from '../act.ts';
import type { ToldAlert } from '../alert_log.ts';
import type { AlertJudge } from '../alert_score.ts';
import type { Cast } from '../cast.ts';
import type { Sighting } from '../sighting.ts';
import { AffiliationWatcher } from './affiliation.ts';
import { AlertWatcher } from './alert.ts';
import { ApartWatcher } from './apart.ts';
import { FlagWatcher } from './flag.ts';
import { MetricWatcher } from './metric.ts';
import { NearWatcher } from './near.ts';
import { TaskWatcher } from './task.ts';
import { ThreatWatcher } from './threat.ts';
import type { Told, Watcher } from './watcher.ts';

/** What a scenario says must come about, in its order. */
export class Expectations {
  readonly #watchers: readonly Watcher[];
  readonly #cast: Cast;

  constructor(wanted: readonly Expectation[], cast: Cast) {
    this.#watchers = wanted.map(watcherOf);
    this.#cast = cast;
  }

  look(sighting: Sighting): void {
    for (const watcher of this.#watchers) watcher.look?.(sighting, this.#cast);
  }

  act(act: Act): void {
    for (const watcher of this.#watchers) watcher.act?.(act, this.#cast);
  }

  /** Actors about whom an alert has to come. */
  namedInAlerts(): Set<string> {
    return new Set(this.#alerts().flatMap(({ owedFor }) => (owedFor === null ? [] : [owedFor])));
  }

  asksFor(alert: ToldAlert, judge: AlertJudge): boolean {
    return this.#alerts().some((watcher) => watcher.asksFor(alert, judge));
  }

  results(metrics: RunMetrics, told: Omit<Told, 'metrics'>): RunExpectation[] {
    return this.#watchers.map((watcher) => watcher.result({ ...told, metrics }, this.#cast));
  }

  #alerts(): AlertWatcher[] {
    return this.#watchers.filter((watcher) => watcher instanceof AlertWatcher);
  }
}

function watcherOf(wanted: Expectation): Watcher {
  switch (wanted.kind) {
    case 'metric':
      return new MetricWatcher(wanted);
    case 'alert':
      return new AlertWatcher(wanted);
    case 'threat':
      return new ThreatWatcher(wanted);
    case 'affiliation':
      return new AffiliationWatcher(wanted);
    case 'flag':
      return new FlagWatcher(wanted);
    case 'near':
      return new NearWatcher(wanted);
    case 'task':
      return new TaskWatcher(wanted);
    case 'apart':
      return new ApartWatcher(wanted);
  }
}
