import { type Claimant, MAX_BEARERS } from './claimant.ts';

const MAX_NAMES = 16;

/** The claims that bear each name. */
export class ClaimNames {
  readonly #bearers = new Map<string, Set<Claimant>>();
  /** Counts names and radios that changed hands. */
  hands = 0;

  get(name: string): ReadonlySet<Claimant> | undefined {
    return this.#bearers.get(name);
  }

  /** The first claim of a serial that as many bear as may; else null. */
  crowdOf(serial: string | null): Claimant | null {
    const bearers = serial === null ? undefined : this.#bearers.get(serial);
    if (!bearers || bearers.size < MAX_BEARERS) return null;
    const [first = null] = bearers;
    return first;
  }

  /** The claim bears the name from now on; its oldest name makes room. */
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

  /** The claim is found by the name no more. */
  lose(claimant: Claimant, name: string): void {
    this.hands++;
    const bearers = this.#bearers.get(name);
    bearers?.delete(claimant);
    if (bearers?.size === 0) this.#bearers.delete(name);
  }
}
