import { FRESH_MS } from './available.ts';
import type { FleetLink } from './deps.ts';
import type { Endpoint } from './endpoint.ts';
import type { Vehicle } from './vehicle.ts';

/** Properties of the links on which vehicles are received. */
export class FleetLinks {
  readonly #ask: (linkId: string) => FleetLink | null;
  readonly #asked = new Map<string, FleetLink | null>();
  #isHeld = false;

  constructor(ask: (linkId: string) => FleetLink | null) {
    this.#ask = ask;
  }

  of(linkId: string): FleetLink | null {
    if (!this.#isHeld) return this.#ask(linkId);
    let link = this.#asked.get(linkId);
    if (link === undefined) {
      link = this.#ask(linkId);
      this.#asked.set(linkId, link);
    }
    return link;
  }

  /**
   * Returns the best address of a vehicle; null if it has none. Prefers recent reception, then a link that allows
   * commands.
   */
  best({ endpoints }: Vehicle, nowMs: number): Endpoint | null {
    let best: Endpoint | null = null;
    let bestRank = Number.NEGATIVE_INFINITY;
    for (const endpoint of endpoints.all()) {
      const ageMs = nowMs - endpoint.lastMs;
      const isAllowed = this.of(endpoint.linkId)?.policy.command === 'allow';
      const rank = (isAllowed ? 1e6 : 0) + (ageMs <= FRESH_MS ? 1e7 : -ageMs / 1e3);
      if (rank <= bestRank) continue;
      best = endpoint;
      bestRank = rank;
    }
    return best;
  }

  /**
   * Caches the properties of links while `work` runs, because processing a hundred vehicles needs each link several
   * times.
   */
  hold(work: () => void): void {
    this.#asked.clear();
    this.#isHeld = true;
    try {
      work();
    } finally {
      this.#isHeld = false;
    }
  }
}
