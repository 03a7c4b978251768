import { Claimant } from './claimant.ts';

/** Claimants by index, in order of their last reception, the oldest first. A freed index is used again. */
export class Claimants {
  readonly #capacity: number;
  readonly #byIndex = new Map<number, Claimant>();
  readonly #free: number[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(index: number): Claimant | undefined {
    // The integer matters: the index mostly comes from a row of doubles, and a map finds integers many times faster.
    return this.#byIndex.get(index | 0);
  }

  has(claimant: Claimant): boolean {
    return this.#byIndex.get(claimant.index) === claimant;
  }

  /** The claimant that has been silent for longest where there is no room for another; else null. */
  get surplus(): Claimant | null {
    if (this.#byIndex.size < this.#capacity) return null;
    const [oldest] = this.#byIndex.values();
    return oldest ?? null;
  }

  /** Begins a claimant. The caller first ends `surplus`. */
  begin(receivedS: number): Claimant {
    const index = this.#free.pop() ?? this.#byIndex.size;
    const claimant = new Claimant(index, receivedS);
    this.#byIndex.set(index, claimant);
    return claimant;
  }

  /** Notes that a claimant was received. Its place in the order changes at most once a second. */
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
