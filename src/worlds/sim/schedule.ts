import { Agenda } from './agenda.ts';

/** Something that happens again and again, each time a period after the last. */
type Recurring = { firstMs: number; periodMs: number; count: number; happen(): void };

/** What happens when, in whole milliseconds of the scenario. */
export class Schedule {
  readonly #agenda = new Agenda<Recurring>();

  get dueMs(): number {
    return this.#agenda.dueMs;
  }

  /** From `firstS` on. Periods that are no whole milliseconds do not add up their rounding. */
  every(periodS: number, firstS: number, happen: () => void): void {
    this.#add({ firstMs: firstS * 1000, periodMs: periodS * 1000, count: 0, happen });
  }

  /** Lets happen what is due first. */
  run(): void {
    const recurring = this.#agenda.take();
    if (!recurring) return;
    recurring.happen();
    recurring.count++;
    this.#add(recurring);
  }

  #add(recurring: Recurring): void {
    const { firstMs, periodMs, count } = recurring;
    this.#agenda.add(Math.round(firstMs + count * periodMs), recurring);
  }
}
