import type { Decision } from '../model/affiliation.ts';
import type { EventBody, EventKind } from '../model/event.ts';
import type { Track } from '../model/track.ts';

/** One numbered change. `object` identifies its subject, so that pending changes for a blocked client can be merged. */
export type PictureEvent = {
  [K in EventKind]: { seq: number; at: string; kind: K; object: string; body: EventBody<K> };
}[EventKind];

/** A change that has no sequence number yet. */
export type PictureChange = { [K in EventKind]: { kind: K; object: string; body: EventBody<K> } }[EventKind];

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
