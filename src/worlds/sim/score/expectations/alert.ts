import type { RunExpectation } from '../../../../model/run.ts';
import { isAtLeast, type ToldAlert } from '../alert_log.ts';
import type { AlertJudge } from '../alert_score.ts';
import type { Cast } from '../cast.ts';
import type { Of, Told, Watcher } from './watcher.ts';
import { allowed, nameOf, seconds, within } from './words.ts';

/** An alert that has to come, or that must not. */
export class AlertWatcher implements Watcher {
  readonly #wanted: Of<'alert'>;

  constructor(wanted: Of<'alert'>) {
    this.#wanted = wanted;
  }

  /** The actor for whom an alert is owed by this. */
  get owedFor(): string | null {
    return this.#wanted.never ? null : (this.#wanted.about ?? null);
  }

  /** Whether it is one that has to come. */
  asksFor(alert: ToldAlert, judge: AlertJudge): boolean {
    return !this.#wanted.never && this.#firstMs(alert, judge) !== null;
  }

  result({ log, judge, beginMs }: Told, cast: Cast): RunExpectation {
    const { by_s: byS, never } = this.#wanted;
    let first = Number.POSITIVE_INFINITY;
    for (const alert of log.all()) first = Math.min(first, this.#firstMs(alert, judge) ?? Number.POSITIVE_INFINITY);
    const afterS = (first - beginMs) / 1000;
    const [what, came] = [this.#what(cast), Number.isFinite(first)];
    const inTime = came && afterS <= (byS ?? Number.POSITIVE_INFINITY);
    if (never && !inTime) return { text: `no ${what} came${within(byS)}, as it should be`, met: true };
    if (never)
      return { text: `the first ${what} came after ${seconds(afterS)}; none was to come${within(byS)}`, met: false };
    if (!came) return { text: `no ${what} came${within(byS)}`, met: false };
    return { text: `the first ${what} came after ${seconds(afterS)}${allowed(byS)}`, met: inTime };
  }

  #what(cast: Cast): string {
    const { rule, about, severity } = this.#wanted;
    const loud = severity === undefined ? '' : ` of at least ${severity}`;
    const from = rule === undefined ? '' : ` of the rule ${rule}`;
    return `alert${from}${loud}${about === undefined ? '' : ` about ${nameOf(about, cast)}`}`;
  }

  #firstMs({ ruleId, tellings }: ToldAlert, judge: AlertJudge): number | null {
    const { rule, about, severity = 'info' } = this.#wanted;
    if (rule !== undefined && rule !== ruleId) return null;
    const found = tellings.find(
      (telling) => isAtLeast(telling.severity, severity) && (about === undefined || judge.isAbout(telling, about)),
    );
    return found?.atMs ?? null;
  }
}
