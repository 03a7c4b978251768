import { isExternalName, nameWithoutLink } from '../integrity/dossier.ts';
import { type Claimant, MAX_BEARERS } from './claimant.ts';

const MAX_NAMES = 16;

/** The claims that bear each name. */
export class ClaimNames {
  readonly #bearers = new Map<string, Set<Claimant>>();
  /** Counts the changes by which a name or a radio came to a claim or left it. */
  hands = 0;

  get(name: string): ReadonlySet<Claimant> | undefined {
    return this.#bearers.get(name);
  }

  /** First of the claims that share a serial where their number has reached `MAX_BEARERS`; else null. */
  crowdOf(serial: string | null): Claimant | null {
    const bearers = serial === null ? undefined : this.#bearers.get(serial);
    if (!bearers || bearers.size < MAX_BEARERS) return null;
    const [first = null] = bearers;
    return first;
  }

  /** Gives a claim of an earlier run to the link that reports its number first, where it fits the report. */
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

  /** Adds a name to a claim. At the limit the claim loses its oldest name. */
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

  /** Takes the claim out of the index of the name. */
  lose(claimant: Claimant, name: string): void {
    this.hands++;
    const bearers = this.#bearers.get(name);
    bearers?.delete(claimant);
    if (bearers?.size === 0) this.#bearers.delete(name);
  }
}
