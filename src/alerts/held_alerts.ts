import { type Alert, severityRank } from '../model/alert.ts';
import type { Firing } from '../model/firing.ts';
import { sameJson } from '../model/same_json.ts';

/** A held alert with the state of its event. Its document is never modified, since others hold it too. */
export type Held = {
  alert: Alert;
  readonly key: string;
  notify: boolean;
  /** False until the raised alert is published. */
  published: boolean;
  /** True where the log records it. */
  readonly log: boolean;
  /** Peak since the last sound, and the time at which the alert fell below it; null while it has not. */
  peak: { rank: number; count: number; leftMs: number | null };
  /** World time of the last sound that was raised only because the group grew, ms. */
  soundedMs: number;
  /** World time of its end, ms; null while it continues. */
  clearedMs: number | null;
  /** World time at which an alert of an earlier run or core ends unless a rule reports it again, ms. */
  unsureUntilMs: number | null;
};

const stateOrder = { cleared: 0, acknowledged: 1, active: 2 } as const;
const SLOTS = 12;

/** The held alerts, ordered so that the least important is found at once. */
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

  /** The least severe alert; among these cleared before acknowledged ones, then the oldest. */
  least(): Held | undefined {
    for (const slot of this.#slots) for (const held of slot) return held;
    return undefined;
  }
}

function slotOf({ severity, state }: Alert): number {
  return severityRank(severity) * 3 + stateOrder[state];
}

/** A new entry for an alert. */
export function heldOf(alert: Alert, key: string, does: { notify: boolean; log: boolean }, nowMs: number): Held {
  const { notify, log } = does;
  const peak = { rank: severityRank(alert.severity), count: alert.count, leftMs: null };
  const clearedMs = alert.state === 'cleared' ? nowMs : null;
  return { alert, key, notify, log, published: true, peak, soundedMs: nowMs, clearedMs, unsureUntilMs: null };
}

/** Fields of an alert that follow from its firing. */
export function wordsOf({ subject, text, trackIds, zoneId, count }: Firing) {
  return { subject, text, track_ids: [...trackIds], zone_id: zoneId, count };
}

/** True where two states of an alert have the same content. */
export function isSame(a: Alert, b: Alert): boolean {
  const contentOf = ({ severity, text, count, zone_id, subject, track_ids }: Alert): object => {
    return { severity, text, count, zone_id, subject, track_ids };
  };
  return sameJson(contentOf(a), contentOf(b));
}
