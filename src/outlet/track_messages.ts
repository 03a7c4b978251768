import type { OutletMessage } from '../model/outlet_view.ts';
import type { Track } from '../model/track.ts';
import type { OutletEncoder } from './kinds.ts';
import type { Selection } from './selection.ts';
import type { OutletPicture } from './views.ts';

/** Time for which the messages of a track are shared by several peers, ms. */
const SHARED_MS = 50;

type TrackMessagesDeps = {
  picture: Pick<OutletPicture, 'track'>;
  selection: Selection;
  encoder(): OutletEncoder;
  utcMs(nowMs: number): number;
  /** Called each time a track is not sent because it has no position. */
  noPosition(): void;
};

/** Track that passes the filter, with its messages. */
type Found = { track: Track; messages: OutletMessage[] };

/** Messages of an outlet's tracks, built once for all peers. */
export class TrackMessages {
  readonly #deps: TrackMessagesDeps;
  readonly #shared = new Map<string, Found & { atMs: number }>();

  constructor(deps: TrackMessagesDeps) {
    this.#deps = deps;
  }

  /** Returns the messages of a track; null if it does not pass the filter, has no position or no longer exists. */
  of(id: string, nowMs: number): Found | null {
    const { picture, selection, encoder, utcMs, noPosition } = this.#deps;
    const shared = this.#shared.get(id);
    // A peer that checks times takes no message that is older than the one before it.
    const sharedMs = encoder().isTimed ? 0 : SHARED_MS;
    if (shared && nowMs - shared.atMs <= sharedMs) return shared;
    const track = picture.track(id);
    if (track === undefined) return null;
    const verdict = selection.verdictOf(track);
    if (verdict === 'no_position') noPosition();
    if (verdict !== 'sent') return null;
    const found = { atMs: nowMs, track, messages: encoder().track(selection.view(track), utcMs(nowMs)) };
    this.#shared.set(id, found);
    return found;
  }

  forget(id: string): void {
    this.#shared.delete(id);
  }

  clear(): void {
    this.#shared.clear();
  }
}
