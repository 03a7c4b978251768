import type { RuleCount } from '../../model/rule_value.ts';
import { formatTime } from '../../model/time.ts';
import type { RuleCountRow, RuleRows } from '../../store/rules.ts';

const SAVED_EVERY_MS = 60_000;

/** Counts of firings. Written once a minute, so that a power cut costs at most the last minute. */
export class RuleCounts {
  readonly #rows: RuleRows;
  readonly #workspaceId: string;
  readonly #counts = new Map<string, RuleCountRow>();
  readonly #unsaved = new Set<string>();
  #savedMs = Number.NEGATIVE_INFINITY;

  constructor(rows: RuleRows, workspaceId: string) {
    this.#rows = rows;
    this.#workspaceId = workspaceId;
    for (const row of rows.counts(workspaceId)) this.#counts.set(row.ruleId, row);
  }

  of(ruleId: string): RuleCountRow {
    return this.#counts.get(ruleId) ?? { ruleId, fired: 0, suppressed: 0, lastAt: null, lastTrackId: null };
  }

  /** Adds what the core counted; `utcMs` turns its time into today's. */
  add(news: readonly RuleCount[], utcMs: (worldMs: number) => number): void {
    for (const { ruleId, fired, suppressed, lastMs, lastTrackId } of news) {
      const was = this.of(ruleId);
      const last = lastMs === null ? {} : { lastAt: formatTime(Math.round(utcMs(lastMs))), lastTrackId: lastTrackId };
      const is = { ...was, fired: was.fired + fired, suppressed: was.suppressed + suppressed, ...last };
      this.#counts.set(ruleId, is);
      this.#unsaved.add(ruleId);
    }
  }

  /** Writes what was counted, unless that was done less than a minute ago; at once where `now`. */
  save(nowMs: number, now = false): void {
    if (this.#unsaved.size === 0 || (!now && nowMs - this.#savedMs < SAVED_EVERY_MS)) return;
    this.#savedMs = nowMs;
    this.#rows.saveCounts(
      this.#workspaceId,
      [...this.#unsaved].map((id) => this.of(id)),
    );
    this.#unsaved.clear();
  }

  drop(ruleId: string): void {
    this.#counts.delete(ruleId);
    this.#unsaved.delete(ruleId);
  }
}
