import type { Log } from '../host/journal.ts';
import { type Actor, actorLabel, systemActor } from '../model/actor.ts';
import { notFound } from '../model/fault.ts';
import { formatTime } from '../model/time.ts';
import type { SetAffiliation, Track } from '../model/track.ts';
import type { Deed, Ledger } from '../store/ledger.ts';
import { type SetAffiliationRows, setAffiliationRows } from '../store/set_affiliations.ts';
import type { State } from '../store/state.ts';
import type { World } from '../world/world.ts';
import { tryUnasked } from './unasked_write.ts';

const NOT_ENDED = 'the end of an affiliation that a person set was not written to the database';

type Deps = { world: Pick<World, 'picture' | 'track'>; state: State; ledger: Ledger; workspaceId: string; log: Log };

export type AffiliationAsked = Pick<SetAffiliation, 'affiliation' | 'reason' | 'expires_at'>;

/**
 * Affiliations that people set for single tracks, for example for an expected flight. Such an affiliation ends when a
 * person ends it, at its expiry, or with the track. It creates no asset, so another track with the same identity does
 * not get the affiliation.
 */
export class ExpectedFlights {
  readonly #deps: Deps;
  readonly #rows: SetAffiliationRows;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#rows = setAffiliationRows(deps.state);
  }

  /** Restores the affiliations that people set for tracks that still exist, and deletes those of other tracks. */
  load(): void {
    const { world, workspaceId } = this.#deps;
    const rows = new Map(this.#rows.list(workspaceId).map(({ trackId, document }) => [trackId, document]));
    for (const { id, affiliation_set } of world.picture.tracks()) {
      const set = rows.get(id) ?? null;
      // A stored row replaces the affiliation in the track's document: the document comes from the history, which may
      // lack the last seconds before a restart.
      if (set !== null || affiliation_set) world.picture.byHand.set(id, set);
      rows.delete(id);
    }
    for (const trackId of rows.keys()) this.#rows.delete(workspaceId, trackId);
    world.picture.byHand.over.add(({ id, into }) => this.#moved(id, into));
  }

  /** Sets the affiliation of a track. An `expires_at` in the past ends a set affiliation. Throws `not_found`. */
  set(trackId: string, asked: AffiliationAsked, by: Actor): Track {
    const track = this.#require(trackId);
    const at = this.#deps.ledger.nowText();
    const { affiliation, reason } = asked;
    const expires_at = asked.expires_at === null ? null : formatTime(Date.parse(asked.expires_at));
    if (expires_at !== null && expires_at <= at) {
      const text = `${actorLabel(by)} ended the affiliation that was set for ${track.number}`;
      return this.#change(track, null, { kind: 'track.affiliation_ended', text, by, reason });
    }
    const set = { affiliation, reason, by: actorLabel(by), at, expires_at };
    const until = expires_at === null ? 'until the track ends' : `until ${expires_at}`;
    const text = `${set.by} set ${track.number} as ${affiliation}, ${until}`;
    return this.#change(track, set, { kind: 'track.affiliation_set', text, by, reason });
  }

  /** Ends the affiliations that people set and that have expired, even if the log row cannot be written. */
  expire(nowText: string): void {
    for (const trackId of this.#deps.world.picture.byHand.expiredAt(nowText)) {
      const track = this.#require(trackId);
      const text = `the affiliation that was set for ${track.number} ended: its time limit has passed`;
      const deed = {
        kind: 'track.affiliation_ended',
        text,
        by: systemActor,
        reason: 'its time limit has passed',
      } as const;
      if (!tryUnasked(this.#deps.log, NOT_ENDED, () => this.#change(track, null, deed)))
        this.#deps.world.picture.byHand.set(track.id, null);
    }
  }

  #change(track: Track, set: SetAffiliation | null, deed: Pick<Deed, 'kind' | 'text' | 'by' | 'reason'>): Track {
    const { world, ledger, workspaceId } = this.#deps;
    const { id, number, affiliation, affiliation_basis, affiliation_set } = track;
    const change = (): { result: undefined; deed: Deed } => {
      if (set === null) this.#rows.delete(workspaceId, id);
      else this.#rows.put({ workspaceId, trackId: id, document: set });
      const subject = { type: 'track', id, label: number };
      const before = { affiliation, affiliation_basis, affiliation_set: affiliation_set ?? null };
      return { result: undefined, deed: { ...deed, workspaceId, subject, before, after: set } };
    };
    ledger.vital(() => ledger.change(`The affiliation of ${number}`, change));
    world.picture.byHand.set(id, set);
    return this.#require(id);
  }

  #moved(trackId: string, into: string | null): void {
    const { world, workspaceId } = this.#deps;
    const kept = into === null ? null : (world.track(into)?.affiliation_set ?? null);
    tryUnasked(this.#deps.log, NOT_ENDED, () => {
      this.#rows.delete(workspaceId, trackId);
      if (into !== null && kept) this.#rows.put({ workspaceId, trackId: into, document: kept });
    });
  }

  #require(trackId: string): Track {
    const track = this.#deps.world.track(trackId);
    if (!track) throw notFound(`there is no track with the id ${trackId} in the picture`);
    return track;
  }
}
