import type { Lineage } from '../../model/observation.ts';
import { sameJson } from '../../model/same_json.ts';
import type { TrackLineage } from '../../model/track_row.ts';

/** Greatest number of entries of one track; the one reported longest ago is dropped. */
const MOST = 16;
/** Time after which an object of a system gives way to another object of it, ms: the system has a new number for it. */
const REPLACED_AFTER_MS = 10_000;

type Entry = TrackLineage & { lastMs: number };

/** Objects of other fusion systems that one track is made of. Nothing reads them but the document of the track. */
export class Lineages {
  #entries: Entry[] = [];

  static of(left: readonly TrackLineage[]): Lineages {
    const lineages = new Lineages();
    lineages.#entries = left.slice(-MOST).map((one) => ({ ...one, lastMs: one.atMs }));
    return lineages;
  }

  /** Takes what a system reports of its object. Returns whether it is news: a repeat keeps its time. */
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
