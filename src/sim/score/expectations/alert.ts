import { isAtLeast, type ReportedAlert, type Telling } from '../alert_log.ts';
import type { AlertJudge } from '../alert_score.ts';
import type { Cast } from '../cast.ts';
import { type Of, reached, seconds, unmet, type Watcher, within } from './watcher.ts';

/** An alert that has to come, or must not. */
export function alertWatcher(wanted: Of<'alert'>, cast: Cast): Watcher {
  const { rule, about, severity, by_s: byS, never } = wanted;
  const firstMs = ({ ruleId, tellings }: ReportedAlert, judge: AlertJudge): number => {
    if (rule !== undefined && rule !== ruleId) return Number.POSITIVE_INFINITY;
    const isLoud = (one: Telling): boolean => isAtLeast(one.severity, severity ?? 'info');
    const found = tellings.find((one) => isLoud(one) && (about === undefined || judge.isAbout(one, about)));
    return found?.atMs ?? Number.POSITIVE_INFINITY;
  };
  return {
    ...(never || about === undefined ? {} : { owedFor: about }),
    asksFor: (alert, judge) => !never && Number.isFinite(firstMs(alert, judge)),
    result({ log, judge, beginMs }) {
      const loud = severity === undefined ? '' : ` of at least ${severity}`;
      const from = rule === undefined ? '' : ` of the rule ${rule}`;
      const what = `alert${from}${loud}${about === undefined ? '' : ` about ${cast.nameOf(about)}`}`;
      let first = Number.POSITIVE_INFINITY;
      for (const alert of log.all()) first = Math.min(first, firstMs(alert, judge));
      const afterS = (first - beginMs) / 1000;
      const came = Number.isFinite(first);
      if (never && !(came && afterS <= (byS ?? Number.POSITIVE_INFINITY)))
        return { text: `no ${what} came${within(byS)}, as it should be`, met: true };
      if (never) return unmet(`the first ${what} came after ${seconds(afterS)}; none was to come${within(byS)}`);
      if (!came) return unmet(`no ${what} came${within(byS)}`);
      return reached(`the first ${what} came`, afterS, byS);
    },
  };
}
