import { Claimant } from './claimant.ts';

/** Claimants by their index, the longest silent first. An index that is free is given again. */
export class Claimants {
  readonly #capacity: number;
  readonly #byIndex = new Map<number, Claimant>();
  readonly #free: number[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(index: number): Claimant | undefined {
    // The integer matters: the number mostly comes from a row of doubles, by which a map is searched many times longer.
    return this.#byIndex.get(index | 0);
  }

  has(claimant: Claimant): boolean {
    return this.#byIndex.get(claimant.index) === claimant;
  }

  /** The longest silent, where there is no room for another. */
  get surplus(): Claimant | null {
    if (this.#byIndex.size < this.#capacity) return null;
    const [oldest] = this.#byIndex.values();
    return oldest ?? null;
  }

  /** Begins a claimant; end the surplus before. */
  begin(receivedS: number): Claimant {
    const index = this.#free.pop() ?? this.#byIndex.size;
    const claimant = new Claimant(index, receivedS);
    this.#byIndex.set(index, claimant);
    return claimant;
  }

  /** Notes that a claimant was received; the order is kept to the second. */
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
