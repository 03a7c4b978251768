import { type Alert, type ClearedReason, severityRank } from '../model/alert.ts';
import { builtinRule } from '../model/builtin_rules.ts';
import { sameJson } from '../model/same_json.ts';
import type { RuleEvent } from './rule_events.ts';

/**
 * An alert in memory with its events. The document `alert` is replaced and never modified, because others refer to it.
 */
export type Held = {
  alert: Alert;
  /** Key of the alert's subject, see `homeOf`. */
  home: string;
  /** Continuing events by their keys, in the order in which they began. */
  readonly events: Map<string, RuleEvent>;
  /** The most severe event so far, with its latest text. */
  worst: RuleEvent;
  notify: boolean;
  /** False from the raising of the alert until its publication. */
  published: boolean;
  /** True if changes of the alert are written to the log. */
  log: boolean;
  /**
   * Severity rank and track count that the alert must exceed to become worse (see `isWorse`). `leftMs` is the world
   * time at which the alert fell below this peak, ms; null while the alert is at the peak.
   */
  peak: { rank: number; count: number; leftMs: number | null };
  /** World time of the last sound, ms. */
  soundedMs: number;
  /** World time at which the alert was cleared, ms; null while the alert continues. */
  clearedMs: number | null;
};

const stateOrder = { cleared: 0, acknowledged: 1, active: 2 } as const;
const SLOTS = 12;

/** The alerts in memory, sorted by importance so that the least important alert is found without a search. */
export class HeldAlerts {
  readonly #byId = new Map<string, Held>();
  /** Alerts by severity, then by state; see `slotOf`. Each set begins with the alert that was added first. */
  readonly #slots: Set<Held>[] = Array.from({ length: SLOTS }, () => new Set());

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Held | undefined {
    return this.#byId.get(id);
  }

  all(): IterableIterator<Held> {
    return this.#byId.values();
  }

  add(held: Held): void {
    this.#byId.set(held.alert.id, held);
    this.#slots[slotOf(held.alert)]?.add(held);
  }

  /** Replaces the document of an alert. */
  change(held: Held, alert: Alert): void {
    const [was, is] = [slotOf(held.alert), slotOf(alert)];
    held.alert = alert;
    if (was === is) return;
    this.#slots[was]?.delete(held);
    this.#slots[is]?.add(held);
  }

  remove(held: Held): void {
    this.#byId.delete(held.alert.id);
    this.#slots[slotOf(held.alert)]?.delete(held);
  }

  /**
   * Returns the least important alert. The order is by severity, then by state (cleared, acknowledged, active). Among
   * equals, the alert that came to this severity and state first is the least important.
   */
  least(): Held | undefined {
    for (const slot of this.#slots) for (const held of slot) return held;
    return undefined;
  }
}

function slotOf({ severity, state }: Alert): number {
  return severityRank(severity) * 3 + stateOrder[state];
}

/** Returns a new entry for an alert; `worst` is the most severe event of the alert so far. */
export function heldOf(
  alert: Alert,
  home: string,
  worst: RuleEvent,
  does: { notify: boolean; log: boolean },
  nowMs: number,
): Held {
  const { notify, log } = does;
  const peak = { rank: severityRank(alert.severity), count: alert.count, leftMs: null };
  const clearedMs = alert.state === 'cleared' ? nowMs : null;
  const events = new Map<string, RuleEvent>();
  return { alert, home, events, worst, notify, log, published: true, peak, soundedMs: nowMs, clearedMs };
}

/**
 * Returns true if an alert is worse than its peak: by severity, or by track count at the same severity. If the alert
 * was below the peak for the cool-down, the peak is first lowered to the last published severity and count.
 */
export function isWorse(held: Held, rank: number, count: number, cooldownMs: number, nowMs: number): boolean {
  const { peak } = held;
  if (peak.leftMs !== null && nowMs - peak.leftMs >= cooldownMs) {
    const { severity, count: before } = held.alert;
    held.peak = { rank: severityRank(severity), count: before, leftMs: null };
  }
  const { peak: most } = held;
  if (rank > most.rank || (rank === most.rank && count > most.count)) return true;
  const isAtPeak = rank === most.rank && count === most.count;
  most.leftMs = isAtPeak ? null : (most.leftMs ?? nowMs);
  return false;
}

export function isSame(a: Alert, b: Alert): boolean {
  const contentOf = ({ rule_id, severity, text, count, zone_id, subject, track_ids, steps }: Alert): object => {
    return { rule_id, severity, text, count, zone_id, subject, track_ids, steps: steps.length };
  };
  return sameJson(contentOf(a), contentOf(b));
}

/**
 * Returns true if an alert ended because its track became a friend or was dismissed. A later event then raises a new
 * alert with a sound, because the track is no longer a friend or dismissed.
 */
export function isExcused({ alert: { cleared_reason: reason } }: Held): boolean {
  return reason === 'friend' || reason === 'dismissed';
}

const endings: Record<ClearedReason, string> = {
  left: 'its rule no longer applies.',
  friend: 'the aircraft is now known as friend or neutral.',
  lost: 'the track is lost.',
  dismissed: 'its subject was dismissed.',
  recovered: 'the sensor recovered.',
  rule_changed: 'the rule or its zone was changed.',
  zone_removed: 'the zone is no longer active.',
  merged: 'it is now part of another alert.',
};

/**
 * Returns the log text of a cleared alert. The text contains the title of a built-in rule; the titles of other rules
 * are not known here.
 */
export function clearedText({ rule_id, subject }: Alert, reason: ClearedReason): string {
  const title = builtinRule(rule_id)?.title;
  return `Alert${title === undefined ? '' : ` "${title}"`} about ${subject.label} is over: ${endings[reason]}`;
}
