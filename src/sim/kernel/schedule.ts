import { Heap } from './heap.ts';

/** An event that recurs after each period, ms. */
type Recurring = { firstMs: number; periodMs: number; count: number; happen(): void };

/** Recurring events, sorted by their next time in whole milliseconds of scenario time. */
export class Schedule {
  readonly #heap = new Heap<Recurring>();

  get dueMs(): number {
    return this.#heap.least;
  }

  /**
   * Repeats an action every `periodS`, first at `firstS`. Rounding to milliseconds does not accumulate over periods.
   */
  every(periodS: number, firstS: number, happen: () => void): void {
    this.#add({ firstMs: firstS * 1000, periodMs: periodS * 1000, count: 0, happen });
  }

  /** Runs the event that is due first, and schedules its next time. */
  run(): void {
    const recurring = this.#heap.take();
    if (!recurring) return;
    recurring.happen();
    recurring.count++;
    this.#add(recurring);
  }

  #add(recurring: Recurring): void {
    const { firstMs, periodMs, count } = recurring;
    this.#heap.add(Math.round(firstMs + count * periodMs), recurring);
  }
}
