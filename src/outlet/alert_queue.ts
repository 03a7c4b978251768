import { severityRank } from '../model/alert.ts';
import type { AlertView } from '../model/outlet_view.ts';

/** Alerts that may wait for one peer. */
const MOST = 100;

/** Alerts that wait for a peer, in their order. Of a full queue the oldest of the least severity leaves. */
export class AlertQueue {
  readonly #waiting = new Map<string, AlertView>();

  /** Takes an alert; a waiting one with the same id is replaced in its place. Returns the number of alerts that left. */
  push(alert: AlertView): number {
    this.#waiting.set(alert.id, alert);
    if (this.#waiting.size <= MOST) return 0;
    let least: AlertView | null = null;
    for (const one of this.#waiting.values())
      if (least === null || severityRank(one.severity) < severityRank(least.severity)) least = one;
    if (least !== null) this.#waiting.delete(least.id);
    return 1;
  }

  shift(): AlertView | undefined {
    for (const [id, alert] of this.#waiting) {
      this.#waiting.delete(id);
      return alert;
    }
    return undefined;
  }

  get size(): number {
    return this.#waiting.size;
  }
}
