import { isExternalName, nameWithoutLink } from '../integrity/dossier.ts';
import { type Claimant, MAX_BEARERS } from './claimant.ts';

const MAX_NAMES = 16;

/** Index from each name (serial, call sign or other identity key) to the claims that carry the name. */
export class ClaimNames {
  readonly #bearers = new Map<string, Set<Claimant>>();
  /**
   * Number of changes so far to the names and radios of claims. A cache compares this number with a stored one to
   * detect that the cache is outdated.
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
   * Completes external names of restored claims. An external name is another system's track number together with the
   * link to that system. After a restart the link is missing, so the first link that reports the number at a fitting
   * position gets the claim.
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

  /** Removes `name` of the claim from the index. */
  lose(claimant: Claimant, name: string): void {
    this.hands++;
    const bearers = this.#bearers.get(name);
    bearers?.delete(claimant);
    if (bearers?.size === 0) this.#bearers.delete(name);
  }
}
