import type { Alert } from '../../model/alert.ts';

/** Time for which an alert must be the first of the list before a key acknowledges it, ms: a person must have read it. */
const READ_MS = 700;

type First = { alert: Alert; key: string; sinceMs: number };

/** The first unacknowledged alert of the list on the screen; null where the list has none or is not on the screen. */
let first: First | null = null;

/**
 * Takes the first unacknowledged alert as the list shows it. A list whose order is held can differ from a fresh order.
 * `key` changes when the alert becomes worse.
 */
export function takeFirstAlert(alert: Alert | null, key: string, nowMs: number): void {
  const sinceMs = first !== null && first.key === key ? first.sinceMs : nowMs;
  first = alert === null ? null : { alert, key, sinceMs };
}

/** The first unacknowledged alert of the list on the screen, and whether it is too new to be acknowledged by a key. */
export function firstAlert(nowMs: number): { alert: Alert; isNew: boolean } | null {
  return first && { alert: first.alert, isNew: nowMs - first.sinceMs < READ_MS };
}
