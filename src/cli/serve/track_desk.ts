import type { Actor } from '../../model/actor.ts';
import type { Track } from '../../model/track.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { TracksByHand } from '../../worlds/by_hand.ts';

/**
 * What people do to tracks, with the rows that tell of it: one that it was asked before anything is done, since what cannot
 * be written down is not done, and one that it was.
 */
export class TrackDesk {
  readonly #byHand: TracksByHand;
  readonly #ledger: Ledger;
  readonly #workspaceId: string;

  constructor(byHand: TracksByHand, ledger: Ledger, workspaceId: string) {
    this.#byHand = byHand;
    this.#ledger = ledger;
    this.#workspaceId = workspaceId;
  }

  async drop(id: string, reason: string, by: Actor): Promise<void> {
    this.#note(this.#byHand.find(id), {
      kind: 'track.drop_asked',
      text: 'a track is to be dropped',
      by,
      reason,
      after: null,
    });
    const track = await this.#byHand.drop(id);
    this.#note(track, { kind: 'track.dropped', text: `track ${track.number} was dropped`, by, reason, after: null });
  }

  async merge(id: string, into: string, reason: string | null, by: Actor): Promise<Track> {
    const asked = { kind: 'track.merge_asked', text: 'a track is to be merged', by, reason, after: { into } };
    this.#note(this.#byHand.find(id), asked);
    const { gone, kept } = await this.#byHand.merge(id, into);
    const text = `track ${gone.number} was merged into ${kept.number}`;
    this.#note(gone, { kind: 'track.merged', text, by, reason, after: { into: kept.id, number: kept.number } });
    return kept;
  }

  #note(track: Track, deed: { kind: string; text: string; by: Actor; reason: string | null; after: unknown }): void {
    const { id, number, state, identities } = track;
    this.#ledger.note({
      ...deed,
      severity: 'notice',
      workspaceId: this.#workspaceId,
      subject: { type: 'track', id, label: number },
      before: { id, number, state, identities: identities.map(({ type, value }) => ({ type, value })) },
    });
  }
}
