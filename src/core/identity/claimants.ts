import { Claimant } from './claimant.ts';

/**
 * Time without a report after which a claim without a track ends, s. Without it a busy box would need hours to fill the
 * capacity, and grow until then.
 */
const FORGET_SILENT_S = 900;

/** Claims by index, ordered by last reception, the oldest first. Freed indexes are reused. */
export class Claimants {
  readonly #capacity: number;
  readonly #byIndex = new Map<number, Claimant>();
  readonly #free: number[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(index: number): Claimant | undefined {
    // The index comes from a row of doubles and is converted to an integer, because V8 finds integer keys of a map many
    // times faster.
    return this.#byIndex.get(index | 0);
  }

  has(claimant: Claimant): boolean {
    return this.#byIndex.get(claimant.index) === claimant;
  }

  /** Returns the claim that has been silent longest if the capacity is reached; else null. */
  get surplus(): Claimant | null {
    if (this.#byIndex.size < this.#capacity) return null;
    const [oldest] = this.#byIndex.values();
    return oldest ?? null;
  }

  /** Returns the claims that were silent for `FORGET_SILENT_S` at `nowS`, s. */
  silent(nowS: number): Claimant[] {
    const silent: Claimant[] = [];
    for (const claimant of this.#byIndex.values()) {
      if (nowS - claimant.receivedS < FORGET_SILENT_S) break;
      silent.push(claimant);
    }
    return silent;
  }

  /** Creates a claim. The caller must end `surplus` first. */
  begin(receivedS: number): Claimant {
    const index = this.#free.pop() ?? this.#byIndex.size;
    const claimant = new Claimant(index, receivedS);
    this.#byIndex.set(index, claimant);
    return claimant;
  }

  /** Records a reception and moves the claim to the end of the order, both at most once a second. */
  receive(claimant: Claimant, receivedS: number): void {
    if (receivedS - claimant.receivedS <= 1) return;
    this.#byIndex.delete(claimant.index);
    this.#byIndex.set(claimant.index, claimant);
    claimant.receivedS = receivedS;
  }

  remove({ index }: Claimant): void {
    this.#byIndex.delete(index);
    this.#free.push(index);
  }
}
