import type { Contributor } from '../../model/track_row.ts';

const MAX_CONTRIBUTORS = 32;

/** The sensors that reported one track. A short list is searched faster than a map. */
export class Contributors {
  readonly #list: Contributor[] = [];

  static of(list: readonly Contributor[]): Contributors {
    const contributors = new Contributors();
    contributors.#list.push(...list);
    return contributors;
  }

  /** Counts one report of a sensor. Returns whether the sensor is new to the track. */
  receive(sensorId: string, receivedMs: number, rssiDbm: number | null): boolean {
    const known = this.#of(sensorId);
    if (known) {
      known.lastMs = Math.max(known.lastMs, receivedMs);
      known.hits++;
      known.rssiDbm = rssiDbm ?? known.rssiDbm;
      return false;
    }
    if (this.#list.length >= MAX_CONTRIBUTORS) this.#dropOldest();
    this.#list.push({ sensorId, lastMs: receivedMs, hits: 1, rssiDbm });
    return true;
  }

  absorb(other: Contributors): void {
    for (const { sensorId, lastMs, hits, rssiDbm } of other.#list) {
      this.receive(sensorId, lastMs, rssiDbm);
      const contributor = this.#of(sensorId);
      if (contributor) contributor.hits += hits - 1;
    }
  }

  list(): readonly Contributor[] {
    return this.#list;
  }

  #of(sensorId: string): Contributor | undefined {
    for (const contributor of this.#list) if (contributor.sensorId === sensorId) return contributor;
    return undefined;
  }

  #dropOldest(): void {
    const first = this.#list.reduce((a, b) => (b.lastMs < a.lastMs ? b : a));
    this.#list.splice(this.#list.indexOf(first), 1);
  }
}
