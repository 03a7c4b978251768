import { isExternalName, nameWithoutLink } from '../integrity/dossier.ts';
import { type Claimant, MAX_BEARERS } from './claimant.ts';

const MAX_NAMES = 16;

/** Index from each name (serial, call sign or other identity key) to the claims that carry the name. */
export class ClaimNames {
  readonly #bearers = new Map<string, Set<Claimant>>();
  /**
   * Counts changes of the assignment of names and radios to claims. Caches compare this count to detect that they are
   * outdated.
   */
  hands = 0;

  get(name: string): ReadonlySet<Claimant> | undefined {
    return this.#bearers.get(name);
  }

  /** Returns the first claim that carries the serial if at least `MAX_BEARERS` claims carry it; else null. */
  crowdOf(serial: string | null): Claimant | null {
    const bearers = serial === null ? undefined : this.#bearers.get(serial);
    if (!bearers || bearers.size < MAX_BEARERS) return null;
    const [first = null] = bearers;
    return first;
  }

  /**
   * Adds the link to the external name of a restored claim. Restored external names lack their link, so the first
   * link that reports the number with a fitting position gets the claim.
   */
  linkRestored(names: readonly string[], fits: (claimant: Claimant) => boolean): void {
    for (const name of names) {
      if (!isExternalName(name) || this.#bearers.has(name)) continue;
      const restored = nameWithoutLink(name);
      const claimant = restored === name ? undefined : [...(this.#bearers.get(restored) ?? [])].find(fits);
      if (claimant === undefined) continue;
      claimant.names.delete(restored);
      this.lose(claimant, restored);
      this.add(claimant, name);
    }
  }

  /** Adds a name to a claim. A claim that already has `MAX_NAMES` names loses its oldest name. */
  add(claimant: Claimant, name: string): void {
    if (claimant.names.has(name)) return;
    const [oldest] = claimant.names;
    if (claimant.names.size >= MAX_NAMES && oldest !== undefined) {
      claimant.names.delete(oldest);
      this.lose(claimant, oldest);
    }
    this.hands++;
    claimant.names.add(name);
    const bearers = this.#bearers.get(name) ?? new Set();
    bearers.add(claimant);
    this.#bearers.set(name, bearers);
  }

  /** Removes the claim from the index under `name`. */
  lose(claimant: Claimant, name: string): void {
    this.hands++;
    const bearers = this.#bearers.get(name);
    bearers?.delete(claimant);
    if (bearers?.size === 0) this.#bearers.delete(name);
  }
}
