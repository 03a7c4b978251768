import type { ReadDossier } from '../integrity/dossier.ts';
import type { ClaimNames } from './claim_names.ts';
import type { Claimant } from './claimant.ts';
import type { Claimants } from './claimants.ts';

/**
 * Cache of the claims of dossiers whose names no other claim has, by dossier index. An entry is valid while
 * `ClaimNames.hands` is unchanged. Entries hold the indices of claims, so that ended claims do not stay in memory.
 */
export class SoleClaims {
  readonly #entries: { dossier: ReadDossier; claim: number; hands: number }[] = [];
  readonly #names: ClaimNames;
  readonly #claimants: Claimants;

  constructor(names: ClaimNames, claimants: Claimants) {
    this.#names = names;
    this.#claimants = claimants;
  }

  get(dossier: ReadDossier): Claimant | null {
    const entry = this.#entries[dossier.index];
    if (entry?.dossier !== dossier || entry.hands !== this.#names.hands) return null;
    return this.#claimants.get(entry.claim) ?? null;
  }

  /** Adds the claim of a dossier. A dossier with a negative index, from an earlier run, is not cached. */
  add(dossier: ReadDossier, { index: claim }: Claimant): void {
    if (dossier.index >= 0) this.#entries[dossier.index] = { dossier, claim, hands: this.#names.hands };
  }
}
