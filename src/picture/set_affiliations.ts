import { gravities } from '../model/affiliation.ts';
import { Listeners } from '../model/listeners.ts';
import type { SetAffiliation, Track } from '../model/track.ts';
import { type Entry, note } from './entry.ts';

/** Affiliations that people set for single tracks. */
export class SetAffiliations {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #affiliate: (entry: Entry) => void;
  /** Emits each track whose affiliation was set, or whose set affiliation was removed. */
  readonly changed = new Listeners<[{ number: number; set: SetAffiliation | null }]>();
  /**
   * Emits each ended track that had a set affiliation. `into` is the track that took over the affiliation; null if none
   * did.
   */
  readonly over = new Listeners<[{ id: string; into: string | null }]>();

  /** `entries` are the tracks by id; `affiliate` decides the affiliation of a track and publishes it. */
  constructor(entries: ReadonlyMap<string, Entry>, affiliate: (entry: Entry) => void) {
    this.#entries = entries;
    this.#affiliate = affiliate;
  }

  /** Sets the affiliation of a track; null removes it. Does nothing if the track has ended. */
  set(id: string, set: SetAffiliation | null): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.claimed.set = set?.affiliation ?? null;
    // Forces a new decision, even if no asset matches.
    entry.claimed.generation = -1;
    note(entry, { affiliation_set: set });
    this.changed.emit({ number: entry.number, set });
    this.#affiliate(entry);
  }

  /** Returns the ids of the tracks whose set affiliation has expired at `nowText`. */
  expiredAt(nowText: string): string[] {
    const ids: string[] = [];
    for (const { document } of this.#entries.values()) {
      const until = document.affiliation_set?.expires_at ?? null;
      if (until !== null && until <= nowText) ids.push(document.id);
    }
    return ids;
  }

  /**
   * Ends the set affiliation of an ended track. If the track was merged into another one, the affiliation moves to that
   * track if it is stricter than the one set there. A track without a set affiliation counts as `neutral`.
   */
  ended({ id, affiliation_set: set }: Track, into: string | null): void {
    if (!set) return;
    const kept = into === null ? undefined : this.#entries.get(into);
    const isStricter = kept !== undefined && gravities[set.affiliation] > gravities[kept.claimed.set ?? 'neutral'];
    if (isStricter) this.set(kept.document.id, set);
    this.over.emit({ id, into: isStricter ? into : null });
  }
}
