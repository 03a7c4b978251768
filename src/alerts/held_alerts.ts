import { type Alert, type ClearedReason, severityRank } from '../model/alert.ts';
import { builtinRule } from '../model/builtin_rules.ts';
import { sameJson } from '../model/same_json.ts';
import type { RuleEvent } from './rule_events.ts';

/** A held alert with the events of rules in it. Its document is never modified, because others refer to it. */
export type Held = {
  alert: Alert;
  /** Key of the alert's subject, see `homeOf`. */
  home: string;
  /** Continuing events by their keys, in the order of their beginning. */
  readonly events: Map<string, RuleEvent>;
  /** The most severe event so far, with its last text. */
  worst: RuleEvent;
  notify: boolean;
  /** False until the raised alert is published. */
  published: boolean;
  /** Whether the alert's changes are written to the log. */
  log: boolean;
  /**
   * Peak of severity rank and track count since the last sound. `leftMs` is the time at which the alert fell below it;
   * null while it has not.
   */
  peak: { rank: number; count: number; leftMs: number | null };
  /** World time of the last sound that was raised only because the group grew, ms. */
  soundedMs: number;
  /** World time of its end, ms; null while it continues. */
  clearedMs: number | null;
};

const stateOrder = { cleared: 0, acknowledged: 1, active: 2 } as const;
const SLOTS = 12;

/** The held alerts, sorted so that the least important one is found at once. */
export class HeldAlerts {
  readonly #byId = new Map<string, Held>();
  /** By severity, then by state; within a slot the oldest first. */
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

  /** The least important alert: the least severe; of equal ones, cleared before acknowledged; then the oldest. */
  least(): Held | undefined {
    for (const slot of this.#slots) for (const held of slot) return held;
    return undefined;
  }
}

function slotOf({ severity, state }: Alert): number {
  return severityRank(severity) * 3 + stateOrder[state];
}

/** A new entry for an alert; `worst` is its most severe event so far. */
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
 * Whether an alert is worse than its last peak, by severity or track count. The peak is forgotten after a cool-down
 * below it.
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

/** Whether two states of an alert have the same content. */
export function isSame(a: Alert, b: Alert): boolean {
  const contentOf = ({ rule_id, severity, text, count, zone_id, subject, track_ids, steps }: Alert): object => {
    return { rule_id, severity, text, count, zone_id, subject, track_ids, steps: steps.length };
  };
  return sameJson(contentOf(a), contentOf(b));
}

/**
 * Whether an alert ended because its track became a friend or was dismissed. If the track is neither any longer, that
 * is news, and the alert sounds again.
 */
export function isExcused({ alert: { cleared_reason: reason } }: Held): boolean {
  return reason === 'friend' || reason === 'dismissed';
}

/** Text of the log row of a cleared alert. Rules that owners wrote appear as "Alert", because only their UUID is known here. */
export function clearedText({ rule_id, subject }: Alert, reason: ClearedReason): string {
  return `${builtinRule(rule_id)?.title ?? 'Alert'} over, ${subject.label}: ${reason}`;
}
