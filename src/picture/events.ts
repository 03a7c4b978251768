import type { Decision } from '../model/affiliation.ts';
import type { EventBody, EventKind } from '../model/event.ts';
import type { Track } from '../model/track.ts';

/**
 * One numbered change. `object` identifies its subject, so that pending changes for a blocked client can be merged.
 * `bodyText`: the body as JSON, see `numbered`.
 */
export type PictureEvent = {
  [K in EventKind]: {
    seq: number;
    at: string;
    kind: K;
    object: string;
    body: EventBody<K>;
    readonly bodyText?: string;
    readonly ownersOnly?: boolean;
  };
}[EventKind];

/** A change that has no sequence number yet. `ownersOnly`: see `StreamEvent`. */
export type PictureChange = {
  [K in EventKind]: { kind: K; object: string; body: EventBody<K>; ownersOnly?: boolean };
}[EventKind];

/**
 * Gives a change its number and time. All streams and the replay window share one JSON text of its body, which is made
 * at the first request. A copy of the event with another body has no text, so that nobody receives the former body.
 */
export function numbered(change: PictureChange, seq: number, at: string): PictureEvent {
  return new NumberedChange(change, seq, at) as PictureEvent;
}

class NumberedChange {
  readonly seq: number;
  readonly at: string;
  readonly kind: EventKind;
  readonly object: string;
  readonly body: object;
  readonly ownersOnly: boolean;
  #bodyText: string | null = null;

  constructor({ kind, object, body, ownersOnly = false }: PictureChange, seq: number, at: string) {
    this.seq = seq;
    this.at = at;
    this.kind = kind;
    this.object = object;
    this.body = body;
    this.ownersOnly = ownersOnly;
  }

  get bodyText(): string {
    this.#bodyText ??= JSON.stringify(this.body);
    return this.#bodyText;
  }
}

/**
 * A changed decision about a track's affiliation. `was` holds the values that the document showed before. `clone` is
 * the asset whose identity the track copies; null if there is none, or if an earlier judgement of the track named this
 * asset.
 */
export type Judgement = {
  number: number;
  track: Track;
  decision: Decision;
  was: Pick<Track, 'affiliation' | 'affiliation_basis' | 'asset_id'>;
  clone: Decision['cloned'];
};
