import { type Alert, severityRank } from '../../model/alert.ts';

/** An alert at hand, and what is known of its event. Its document is never written into: others hold it too. */
export type Held = {
  alert: Alert;
  readonly key: string;
  notify: boolean;
  /** False for as long as it was raised and nobody was told yet. */
  told: boolean;
  /** Whether the log tells of it. */
  readonly log: boolean;
  /** The worst that it was since somebody was called to it, and when it ceased to be that; null while it is. */
  peak: { rank: number; count: number; leftMs: number | null };
  /** When it was heard of last that somebody was called for more aircraft alone. */
  soundedMs: number;
  /** When it ended; null while it goes on. */
  clearedMs: number | null;
  /** Of an earlier run, or of a core that failed: it ends then unless it is told of again. */
  unsureUntilMs: number | null;
};

const stateOrder = { cleared: 0, acknowledged: 1, active: 2 } as const;
const SLOTS = 12;

/** The alerts that are at hand, in an order in which the one that matters least is found at once. */
export class AlertShelf {
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

  /** The alert is another now. */
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

  /** The least severe; of these one that is over, then one that somebody has seen; of these the oldest. */
  least(): Held | undefined {
    for (const slot of this.#slots) for (const held of slot) return held;
    return undefined;
  }
}

function slotOf({ severity, state }: Alert): number {
  return severityRank(severity) * 3 + stateOrder[state];
}
