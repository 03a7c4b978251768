import type { Identity } from './observation.ts';
import type { Track } from './track.ts';

/** The evidence about a track. Times are the world's, in milliseconds. */
export type Judged = {
  suspect: boolean;
  /** Its identity is claimed by another aircraft too. */
  duplicate: boolean;
  /** Estimated position at `atMs`; the last observation was at `receivedMs`. */
  place: { latDeg: number; lonDeg: number; hM: number; atMs: number; receivedMs: number } | null;
};

/** Affiliation of a track, with its basis. */
export type Decision = Pick<Track, 'affiliation' | 'affiliation_basis' | 'asset_id'> & {
  /** The asset whose key is heard where the asset is not. */
  cloned: { id: string; name: string } | null;
};

/** Affiliation of every track until an asset or assignment decides otherwise. */
export const unknownTrack: Decision = {
  affiliation: 'unknown',
  affiliation_basis: 'none',
  asset_id: null,
  cloned: null,
};

/** Decides affiliations for a picture. */
export type Affiliator = {
  /** Another number whenever an answer of `match` may be another, or one of `decide` for another reason than place and time. */
  readonly generation: number;
  /** The ids of the assets that a track with these identities claims to be. */
  match(identities: readonly Pick<Identity, 'type' | 'value'>[]): readonly string[];
  /** True where position and time matter for a track that claims to be one of these assets. */
  moves(assetIds: readonly string[]): boolean;
  /** Decides for a track that claims to be one of these assets. */
  decide(track: Judged, assetIds: readonly string[], nowMs: number): Decision;
};
