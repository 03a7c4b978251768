import { type Alert, severityRank } from '../../../model/alert.ts';

/** What was told of an alert at one moment. */
export type Telling = { atMs: number; severity: Alert['severity']; trackIds: readonly string[] };
export type ToldAlert = { id: string; ruleId: string; zoneId: string | null; tellings: Telling[] };

/** Beyond these an alert's further words are not kept: it was told. */
const MOST_TELLINGS = 200;
const MOST_ALERTS = 20_000;

/** What people were told in the course of a run. */
export class AlertLog {
  readonly #alerts = new Map<string, ToldAlert>();

  /** Each time that it is told: as it is raised, when it gets worse, and as others join it. */
  note({ id, rule_id: ruleId, zone_id: zoneId, severity, track_ids: trackIds, state }: Alert, atMs: number): void {
    const known = this.#alerts.get(id);
    if (state === 'cleared' || (!known && this.#alerts.size >= MOST_ALERTS)) return;
    const alert = known ?? { id, ruleId, zoneId, tellings: [] };
    this.#alerts.set(id, alert);
    const last = alert.tellings.at(-1);
    const isSame = last?.severity === severity && last.trackIds.join() === trackIds.join();
    if (!isSame && alert.tellings.length < MOST_TELLINGS) alert.tellings.push({ atMs, severity, trackIds });
  }

  all(): IterableIterator<ToldAlert> {
    return this.#alerts.values();
  }
}

export function isAtLeast(severity: Alert['severity'], least: Alert['severity']): boolean {
  return severityRank(severity) >= severityRank(least);
}
