import { type ThreatFactorId, threatFactors } from '../../model/threat.ts';

/** Place of each factor in a tally. */
export const FACTOR = Object.fromEntries(threatFactors.map((id, place) => [id, place])) as Record<
  ThreatFactorId,
  number
>;
const WIDTH = threatFactors.length;

/** Points on their way to a score: numbers alone, since most scores are never read in words. */
export class Tally {
  readonly #isRead: boolean;
  readonly values = new Float64Array(WIDTH);
  readonly weights = new Float64Array(WIDTH);
  readonly contributions = new Float64Array(WIDTH);
  /** Of the contributions so far, in the order in which they were added. */
  sum = 0;

  /** Of one that nobody reads in words, values and weights are not kept. */
  constructor({ isRead = true } = {}) {
    this.#isRead = isRead;
  }

  /** `value` is what was measured, `strength` 0 to 1 what it counts of the weight. */
  add(factor: number, value: number, weight: number, strength: number): void {
    const contribution = weight * strength;
    this.contributions[factor] = contribution;
    this.sum += contribution;
    if (!this.#isRead) return;
    this.values[factor] = value;
    this.weights[factor] = weight;
  }

  clear(): void {
    this.sum = 0;
    // To fill so few takes longer than to set them.
    for (let i = 0; i < WIDTH; i++) this.contributions[i] = 0;
    if (!this.#isRead) return;
    this.values.fill(0);
    this.weights.fill(0);
  }
}
