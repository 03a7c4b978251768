import type { ClaimNames } from './claim_names.ts';
import type { Claimant } from './claimant.ts';

const MAX_TRANSMITTERS = 16;

/** Index from each transmitter address to its claim. */
export class ClaimRadios {
  readonly #holders = new Map<string, Claimant>();
  readonly #names: ClaimNames;

  constructor(names: ClaimNames) {
    this.#names = names;
  }

  get(transmitter: string | null): Claimant | undefined {
    return transmitter === null ? undefined : this.#holders.get(transmitter);
  }

  /**
   * Assigns the transmitter to the claim. A claim that already has `MAX_TRANSMITTERS` transmitters loses its oldest
   * one.
   */
  add(claimant: Claimant, transmitter: string): void {
    const [oldest] = claimant.transmitters;
    if (claimant.transmitters.size >= MAX_TRANSMITTERS && oldest !== undefined) this.lose(claimant, oldest);
    this.#names.hands++;
    claimant.transmitters.add(transmitter);
    this.#holders.set(transmitter, claimant);
  }

  lose(claimant: Claimant, transmitter: string): void {
    claimant.transmitters.delete(transmitter);
    this.#names.hands++;
    if (this.#holders.get(transmitter) === claimant) this.#holders.delete(transmitter);
  }
}
