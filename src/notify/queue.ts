import { alertSeverities } from '../model/zone.ts';
import type { DeliveryRow } from '../store/webhooks.ts';

type Fresh = Omit<DeliveryRow, 'number'>;

/** So many wait for one webhook at most. */
export const MOST_WAITING = 1_000;

/** What waits for one webhook, in its order. */
export class Queue {
  #rows: DeliveryRow[];
  /** When the first of them is due. */
  dueMs: number;
  busy = false;
  /** Somebody was told that deliveries fail. */
  failing = false;
  /** How many made room for others. */
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

  /** Of those that wait and those that come: who has to go so that there is room, and who of the new ones may come. */
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

  /** What was judged stands on the disk. */
  take(kept: readonly DeliveryRow[], dropped: readonly DeliveryRow[], refused: number, dueMs: number): void {
    if (dropped.length > 0) {
      const gone = new Set(dropped.map(({ number }) => number));
      this.#rows = this.#rows.filter(({ number }) => !gone.has(number));
    }
    this.dropped += dropped.length + refused;
    if (this.#rows.length === 0) this.dueMs = dueMs;
    this.#rows.push(...kept);
  }

  /** The first is to wait. */
  wait(row: DeliveryRow, dueMs: number): void {
    this.#rows[0] = row;
    this.dueMs = dueMs;
  }

  /** The first is done with; the next one is due. */
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
