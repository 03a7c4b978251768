import type { Decision } from '../model/affiliation.ts';
import type { EventBody, EventKind } from '../model/event.ts';
import type { Track } from '../model/track.ts';

/** One numbered change. `object` names its subject, so that a blocked client's pending changes can be merged. */
export type PictureEvent = {
  [K in EventKind]: { seq: number; at: string; kind: K; object: string; body: EventBody<K> };
}[EventKind];

/** A change before it is published. */
export type PictureChange = { [K in EventKind]: { kind: K; object: string; body: EventBody<K> } }[EventKind];

/**
 * A changed decision about a track. `was` is the affiliation that its document showed before. `clone` is the asset
 * whose key it reports, once for each asset.
 */
export type Judgement = {
  number: number;
  track: Track;
  decision: Decision;
  was: Pick<Track, 'affiliation' | 'affiliation_basis' | 'asset_id'>;
  clone: Decision['cloned'];
};
