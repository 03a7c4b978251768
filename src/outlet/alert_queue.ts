import { severityRank } from '../model/alert.ts';
import type { AlertView } from '../model/outlet_view.ts';

/** Limit of the alerts that wait for one peer. */
const MOST = 100;

/** Alerts that wait for a peer, in order. If the queue is full, the oldest alert of the lowest severity is dropped. */
export class AlertQueue {
  readonly #waiting = new Map<string, AlertView>();

  /**
   * Adds an alert; a waiting alert with the same id is replaced and keeps its place. Returns the number of dropped
   * alerts, 0 or 1.
   */
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

  /** Replaces each waiting alert by its `view`, in the same order. An alert without a view no longer waits. */
  renew(view: (alert: AlertView) => AlertView | null): void {
    for (const [id, waiting] of this.#waiting) {
      const alert = view(waiting);
      if (alert === null) this.#waiting.delete(id);
      else this.#waiting.set(id, alert);
    }
  }

  get size(): number {
    return this.#waiting.size;
  }
}
