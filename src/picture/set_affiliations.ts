import { gravities } from '../model/affiliation.ts';
import { Listeners } from '../model/listeners.ts';
import type { SetAffiliation, Track } from '../model/track.ts';
import { type Entry, note } from './entry.ts';

/** Affiliations that people gave to one track each. Each ends with its track. */
export class SetAffiliations {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #affiliate: (entry: Entry) => void;
  /** Each track whose affiliation was set, or whose set affiliation was ended. */
  readonly changed = new Listeners<[{ number: number; set: SetAffiliation | null }]>();
  /** Each track that ended with a set affiliation, and the track that took it over in a merge. */
  readonly over = new Listeners<[{ id: string; into: string | null }]>();

  /** `entries` by the ids of their tracks; `affiliate` judges and publishes one of them. */
  constructor(entries: ReadonlyMap<string, Entry>, affiliate: (entry: Entry) => void) {
    this.#entries = entries;
    this.#affiliate = affiliate;
  }

  /** Sets the affiliation of one track, or ends it with null; nothing where the track is gone. */
  set(id: string, set: SetAffiliation | null): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.claimed.set = set?.affiliation ?? null;
    // Asks the registry again, also where no asset matches.
    entry.claimed.generation = -1;
    note(entry, { affiliation_set: set });
    this.changed.emit({ number: entry.number, set });
    this.#affiliate(entry);
  }

  /**
   * Ends the affiliation of an ended track. A friend or neutral ends with its track; a stricter one moves to the track
   * into which it was merged.
   */
  ended({ id, affiliation_set: set }: Track, into: string | null): void {
    if (!set) return;
    const kept = into === null ? undefined : this.#entries.get(into);
    const isStricter = kept !== undefined && gravities[set.affiliation] > gravities[kept.claimed.set ?? 'neutral'];
    if (isStricter) this.set(kept.document.id, set);
    this.over.emit({ id, into: isStricter ? into : null });
  }
}
