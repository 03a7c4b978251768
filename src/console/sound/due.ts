import type { Alert } from '../../model/alert.ts';
import type { LinkState } from '../stream/messages.ts';
import { LINK_REPEAT_S, repeatS } from './tones.ts';

type Severity = Alert['severity'];
const severities: readonly Severity[] = ['info', 'notice', 'warning', 'critical'];

/**
 * Decides which sound is due. It is called only while sounds are audible, so a sound due in a silence is played later.
 */
export class DueSounds {
  /**
   * Time of the last sound of each alert, ms. The key has the alert's id and the time at which it last became worse.
   */
  readonly #sounded = new Map<string, number>();
  /** Time of the last sound about the link, ms; null while the picture is up to date. */
  #linkMs: number | null = null;

  /**
   * Returns the severity of the most severe due alert, and counts all due alerts as sounded: many alerts at once are
   * one alarm. New and worse alerts are due at once, unacknowledged ones again after `repeatS`. Null if none is due.
   */
  ofAlerts(alerts: readonly Alert[], nowMs: number): Severity | null {
    const waiting = alerts.filter(({ acknowledged, state }) => acknowledged === null && state !== 'cleared');
    const keys = new Set(waiting.map(keyOf));
    for (const key of this.#sounded.keys()) if (!keys.has(key)) this.#sounded.delete(key);
    const due = waiting.filter((alert) => this.#isDue(alert, nowMs));
    for (const alert of due) this.#sounded.set(keyOf(alert), nowMs);
    return severities.findLast((severity) => due.some((alert) => alert.severity === severity)) ?? null;
  }

  /** Returns true if the loss of the link must sound: when the picture becomes stale, and again each minute. */
  ofLink(state: LinkState['state'], nowMs: number): boolean {
    const isLost = state === 'stale' || state === 'no_link';
    if (state === 'up_to_date') this.#linkMs = null;
    if (!isLost || (this.#linkMs !== null && nowMs - this.#linkMs < LINK_REPEAT_S * 1_000)) return false;
    this.#linkMs = nowMs;
    return true;
  }

  #isDue(alert: Alert, nowMs: number): boolean {
    const last = this.#sounded.get(keyOf(alert));
    const everyS = repeatS[alert.severity];
    return last === undefined || (everyS !== null && nowMs - last >= everyS * 1_000);
  }
}

const keyOf = ({ id, escalated_at }: Alert): string => `${id} ${escalated_at ?? ''}`;
