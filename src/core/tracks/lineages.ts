import type { Lineage } from '../../model/observation.ts';
import { sameJson } from '../../model/same_json.ts';
import type { TrackLineage } from '../../model/track_row.ts';

/**
 * Greatest number of entries kept for one track. Beyond this number, the entry that was reported longest ago is
 * dropped.
 */
const MOST = 16;
/**
 * If an object of a system has been silent for this time, ms, another object of the same system replaces it. The system
 * has then given the aircraft another number.
 */
const REPLACED_AFTER_MS = 10_000;

type Entry = TrackLineage & { lastMs: number };

/** Objects (tracks) of other fusion systems that contribute to one track. They appear only in the track's document. */
export class Lineages {
  #entries: Entry[] = [];

  static of(left: readonly TrackLineage[]): Lineages {
    const lineages = new Lineages();
    lineages.#entries = left.slice(-MOST).map((one) => ({ ...one, lastMs: one.atMs }));
    return lineages;
  }

  /**
   * Records an object that a fusion system reports. Returns false for a repeat, which keeps the time of the first
   * report.
   */
  take(reported: Lineage, atMs: number): boolean {
    const known = this.#entries.find((entry) => isSameObject(entry, reported));
    if (known !== undefined) {
      known.lastMs = Math.max(known.lastMs, atMs);
      const { identity, derivedFrom } = reported;
      if (known.identity === identity && sameJson(known.derivedFrom, derivedFrom)) return false;
      Object.assign(known, { identity, derivedFrom, atMs });
      return true;
    }
    this.#entries = this.#entries.filter(
      ({ sensorId, lastMs }) => sensorId !== reported.sensorId || atMs - lastMs < REPLACED_AFTER_MS,
    );
    this.#add({ ...reported, atMs, lastMs: atMs });
    return true;
  }

  absorb(other: Lineages): void {
    for (const entry of other.#entries)
      if (!this.#entries.some((known) => isSameObject(known, entry))) this.#add(entry);
  }

  clear(): void {
    this.#entries = [];
  }

  list(): TrackLineage[] {
    return this.#entries.map(({ lastMs: _lastMs, ...lineage }) => lineage);
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length <= MOST) return;
    const oldest = this.#entries.reduce((a, b) => (b.lastMs < a.lastMs ? b : a));
    this.#entries.splice(this.#entries.indexOf(oldest), 1);
  }
}

function isSameObject(a: Lineage, b: Lineage): boolean {
  return a.sensorId === b.sensorId && a.objectId === b.objectId;
}
