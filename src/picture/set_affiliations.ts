import { gravities } from '../model/affiliation.ts';
import { Listeners } from '../model/listeners.ts';
import type { SetAffiliation, Track } from '../model/track.ts';
import { type Entry, note } from './entry.ts';

/** Affiliations that people set for single tracks. Each ends with its track. */
export class SetAffiliations {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #affiliate: (entry: Entry) => void;
  /** Emits each track whose affiliation was set, or whose set affiliation ended. */
  readonly changed = new Listeners<[{ number: number; set: SetAffiliation | null }]>();
  /** Emits each ended track that had a set affiliation, and the track into which it was merged. */
  readonly over = new Listeners<[{ id: string; into: string | null }]>();

  /** `entries` by track id; `affiliate` decides and publishes one of them. */
  constructor(entries: ReadonlyMap<string, Entry>, affiliate: (entry: Entry) => void) {
    this.#entries = entries;
    this.#affiliate = affiliate;
  }

  /** Sets the affiliation of one track, or ends it with null. It does nothing where the track has ended. */
  set(id: string, set: SetAffiliation | null): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.claimed.set = set?.affiliation ?? null;
    // Demands a new decision, even where no asset matches.
    entry.claimed.generation = -1;
    note(entry, { affiliation_set: set });
    this.changed.emit({ number: entry.number, set });
    this.#affiliate(entry);
  }

  /**
   * Ends the affiliation of an ended track. A set `friend` or `neutral` ends with its track. A stricter one moves to
   * the track into which it was merged.
   */
  ended({ id, affiliation_set: set }: Track, into: string | null): void {
    if (!set) return;
    const kept = into === null ? undefined : this.#entries.get(into);
    const isStricter = kept !== undefined && gravities[set.affiliation] > gravities[kept.claimed.set ?? 'neutral'];
    if (isStricter) this.set(kept.document.id, set);
    this.over.emit({ id, into: isStricter ? into : null });
  }
}
