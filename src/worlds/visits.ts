import type { Identity } from '../model/observation.ts';
import { dayOf, type Visit, type VisitRows } from '../store/visits.ts';

/** Names that stay with an aircraft from day to day. */
const lasting: ReadonlySet<Identity['type']> = new Set(['serial', 'caa']);
/** Who was away for less comes back in the same visit, midnight or not. */
const SAME_VISIT_MS = 6 * 3_600_000;
/** Inventing names is cheap: so many at most are written down at once, and waited with. */
const MOST_WAITING = 500;
const PRUNE_EVERY_MS = 3_600_000;

type Named = { identities: readonly Pick<Identity, 'type' | 'value'>[] };

/** Which aircraft were here on earlier days. What it learns is written once a second, all together. */
export class Visits {
  readonly #rows: VisitRows;
  readonly #workspaceId: string;
  readonly #utcMs: () => number;
  /** By track number: its lasting name and on how many days one of it was here before. */
  readonly #known = new Map<number, { name: string; days: number; isStranger: boolean }>();
  readonly #waiting = new Map<string, Visit>();
  readonly #mayPrune: () => boolean;
  #prunedMs = Number.NEGATIVE_INFINITY;

  /** `mayPrune`: whether the clock may say that a visit is long over. */
  constructor(rows: VisitRows, workspaceId: string, utcMs: () => number, mayPrune: () => boolean) {
    this.#mayPrune = mayPrune;
    this.#rows = rows;
    this.#workspaceId = workspaceId;
    this.#utcMs = utcMs;
  }

  /**
   * A confirmed track tells its names; answers on how many earlier days it was here, or null where that was told. A day on
   * which it was a friend by telemetry or assignment for as long as it was here does not count.
   */
  hear(number: number, { identities }: Named, isSureFriend: boolean): number | null {
    const found = identities.find(({ type }) => lasting.has(type));
    if (!found) return null;
    const name = `${found.type}:${found.value}`;
    if (!isSureFriend) this.#write(name);
    const known = this.#known.get(number);
    if (known?.name === name) {
      known.isStranger ||= !isSureFriend;
      return null;
    }
    const days = this.#rows.earlierDays(this.#workspaceId, name, this.#utcMs() - SAME_VISIT_MS);
    this.#known.set(number, { name, days, isStranger: !isSureFriend });
    return days;
  }

  forget(number: number): void {
    const known = this.#known.get(number);
    if (!known) return;
    if (known.isStranger) this.#write(known.name);
    this.#known.delete(number);
  }

  #write(name: string): void {
    if (this.#waiting.size >= MOST_WAITING) return;
    const nowMs = this.#utcMs();
    this.#waiting.set(name, { name, day: dayOf(nowMs), lastMs: nowMs });
  }

  /** Call about once a second, and at the end. */
  flush(): void {
    const visits = [...this.#waiting.values()];
    this.#waiting.clear();
    if (visits.length > 0) this.#rows.put(this.#workspaceId, visits);
    const nowMs = this.#utcMs();
    if (nowMs - this.#prunedMs < PRUNE_EVERY_MS) return;
    this.#prunedMs = nowMs;
    this.#rows.prune(this.#workspaceId, this.#mayPrune() ? nowMs : null);
  }
}
