import { alertSeverities } from '../../model/zone.ts';
import type { DeliveryRow } from '../../store/webhooks.ts';

type Fresh = Omit<DeliveryRow, 'number'>;

/** Limit for the deliveries that wait for one webhook. */
export const MOST_WAITING = 1_000;

/** Deliveries that wait for one webhook, in order. */
export class Queue {
  #rows: DeliveryRow[];
  /** Monotonic time at which the first is due, ms. */
  dueMs: number;
  busy = false;
  /** True after people were notified that deliveries fail. */
  failing = false;
  /** Number of deliveries that made room for others. */
  dropped = 0;

  constructor(rows: DeliveryRow[], dueOf: (row: DeliveryRow) => number) {
    this.#rows = rows;
    const [head] = rows;
    this.dueMs = head ? dueOf(head) : 0;
    this.failing = (head?.attempts ?? 0) > 0;
  }

  get size(): number {
    return this.#rows.length;
  }

  get head(): DeliveryRow | undefined {
    return this.#rows[0];
  }

  /** Chooses the waiting deliveries to drop and the new ones to keep, so that the limit holds. */
  judge(fresh: readonly Fresh[]): { kept: readonly Fresh[]; dropped: readonly DeliveryRow[] } {
    let tooMany = this.#rows.length + fresh.length - MOST_WAITING;
    if (tooMany <= 0) return { kept: fresh, dropped: [] };
    // The first may be on its way already.
    const waiting = this.#rows.slice(1);
    const gone = new Set<Fresh>();
    for (const severity of alertSeverities) {
      for (const row of [...waiting, ...fresh]) {
        if (tooMany === 0) break;
        if (row.severity !== severity) continue;
        gone.add(row);
        tooMany--;
      }
    }
    return { kept: fresh.filter((row) => !gone.has(row)), dropped: waiting.filter((row) => gone.has(row)) };
  }

  /** Applies a choice of `judge` that is on the disk. */
  take(kept: readonly DeliveryRow[], dropped: readonly DeliveryRow[], refused: number, dueMs: number): void {
    if (dropped.length > 0) {
      const gone = new Set(dropped.map(({ number }) => number));
      this.#rows = this.#rows.filter(({ number }) => !gone.has(number));
    }
    this.dropped += dropped.length + refused;
    if (this.#rows.length === 0) this.dueMs = dueMs;
    this.#rows.push(...kept);
  }

  /** Delays the first. */
  wait(row: DeliveryRow, dueMs: number): void {
    this.#rows[0] = row;
    this.dueMs = dueMs;
  }

  /** Removes the first; the next one is due. */
  shift(nowMs: number): void {
    this.#rows.shift();
    this.dueMs = nowMs;
  }

  empty(): DeliveryRow[] {
    const left = this.#rows;
    this.#rows = [];
    return left;
  }
}
