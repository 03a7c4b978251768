import type { RunExpectation } from '../../../model/run.ts';
import type { Expectation } from '../../../model/scenario.ts';
import type { ReportedAlert } from '../alert_log.ts';
import type { AlertJudge } from '../alert_score.ts';
import type { Cast } from '../cast.ts';
import { alertWatcher } from './alert.ts';
import { apartWatcher, nearWatcher } from './distances.ts';
import { metricWatcher } from './metric.ts';
import { affiliationWatcher, flagWatcher, threatWatcher } from './shown.ts';
import { taskWatcher } from './task.ts';
import type { Act, RunEnd, Sighting, Watcher } from './watcher.ts';

/** All expectations of a scenario, in its order. */
export class Expectations {
  readonly #watchers: readonly Watcher[];

  constructor(wanted: readonly Expectation[], cast: Cast) {
    this.#watchers = wanted.map((one) => watcherOf(one, cast));
  }

  evaluate(sighting: Sighting): void {
    for (const watcher of this.#watchers) watcher.evaluate?.(sighting);
  }

  act(act: Act): void {
    for (const watcher of this.#watchers) watcher.act?.(act);
  }

  /** Actors about which an alert has to come. */
  namedInAlerts(): Set<string> {
    return new Set(this.#watchers.flatMap(({ owedFor }) => owedFor ?? []));
  }

  asksFor(alert: ReportedAlert, judge: AlertJudge): boolean {
    return this.#watchers.some((watcher) => watcher.asksFor?.(alert, judge));
  }

  results(end: RunEnd): RunExpectation[] {
    return this.#watchers.map((watcher) => watcher.result(end));
  }
}

function watcherOf(wanted: Expectation, cast: Cast): Watcher {
  switch (wanted.kind) {
    case 'metric':
      return metricWatcher(wanted);
    case 'alert':
      return alertWatcher(wanted, cast);
    case 'threat':
      return threatWatcher(wanted, cast);
    case 'affiliation':
      return affiliationWatcher(wanted, cast);
    case 'flag':
      return flagWatcher(wanted, cast);
    case 'near':
      return nearWatcher(wanted, cast);
    case 'task':
      return taskWatcher(wanted, cast);
    case 'apart':
      return apartWatcher(wanted, cast);
  }
}
