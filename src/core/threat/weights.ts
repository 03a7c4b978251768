import type { DecisionPolicy } from '../../model/decision_config.ts';

type Weights = DecisionPolicy['weights'];

/**
 * Weights of a policy, in the order of a list of factors. They are cached until another policy is given, because
 * policies are immutable.
 */
export class WeightColumn {
  readonly #ids: readonly (keyof Weights)[];
  readonly #column: Float64Array;
  #of: Weights | null = null;

  constructor(factors: readonly { id: keyof Weights }[]) {
    this.#ids = factors.map(({ id }) => id);
    this.#column = new Float64Array(factors.length);
  }

  of({ weights }: DecisionPolicy): Float64Array {
    if (weights !== this.#of) {
      this.#of = weights;
      for (const [i, id] of this.#ids.entries()) this.#column[i] = weights[id];
    }
    return this.#column;
  }
}
