import { type Alert, severityRank } from '../../model/alert.ts';

/** State of an alert as it was published at one moment. */
export type Telling = { atMs: number; severity: Alert['severity']; trackIds: readonly string[] };
export type ReportedAlert = { id: string; ruleId: string; zoneId: string | null; tellings: Telling[] };

/** Limits of the log: states of each alert, and number of alerts. Further states and alerts are not recorded. */
const MOST_TELLINGS = 200;
const MOST_ALERTS = 20_000;

/** Alerts that were published during a run, with their states. */
export class AlertLog {
  readonly #alerts = new Map<string, ReportedAlert>();

  /** Adds a published state if severity or tracks differ from the last recorded state. Cleared states are ignored. */
  note({ id, steps, track_ids: trackIds, state }: Alert, atMs: number): void {
    if (state === 'cleared') return;
    // Only the last step of each rule and zone counts: it is the newest.
    const last = new Map(steps.map((step) => [`${step.rule_id} ${step.zone_id}`, step]));
    for (const { rule_id: ruleId, zone_id: zoneId, severity } of last.values())
      this.#noteStep({ id, ruleId, zoneId }, { atMs, severity, trackIds });
  }

  /**
   * Adds a step, which is the part of an alert that one rule raised in one zone. Each rule in each zone is scored as a
   * separate alert.
   */
  #noteStep(of: Omit<ReportedAlert, 'tellings'>, { atMs, severity, trackIds }: Telling): void {
    const key = `${of.id} ${of.ruleId} ${of.zoneId}`;
    const known = this.#alerts.get(key);
    if (!known && this.#alerts.size >= MOST_ALERTS) return;
    const alert = known ?? { ...of, tellings: [] };
    this.#alerts.set(key, alert);
    const last = alert.tellings.at(-1);
    const isSame = last?.severity === severity && last.trackIds.join() === trackIds.join();
    if (!isSame && alert.tellings.length < MOST_TELLINGS) alert.tellings.push({ atMs, severity, trackIds });
  }

  all(): IterableIterator<ReportedAlert> {
    return this.#alerts.values();
  }
}

export function isAtLeast(severity: Alert['severity'], least: Alert['severity']): boolean {
  return severityRank(severity) >= severityRank(least);
}
