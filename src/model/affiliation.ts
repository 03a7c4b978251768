import type { Identity } from './observation.ts';
import type { Track } from './track.ts';

/** A track as it is judged. Times are the world's, in milliseconds. */
export type Judged = {
  suspect: boolean;
  /** Its name is told of another aircraft too. */
  duplicate: boolean;
  /** Where it is held to be at `atMs`; it was heard or seen last at `heardMs`. */
  place: { latDeg: number; lonDeg: number; hM: number; atMs: number; heardMs: number } | null;
};

/** Who a track is, and on what ground. */
export type Decision = Pick<Track, 'affiliation' | 'affiliation_basis' | 'asset_id'> & {
  /** The asset whose key is heard where the asset is not. */
  cloned: { id: string; name: string } | null;
};

/** Nobody knows it: what every track is until something speaks for it. */
export const unknownTrack: Decision = {
  affiliation: 'unknown',
  affiliation_basis: 'none',
  asset_id: null,
  cloned: null,
};

/** Whom a picture asks who a track is. */
export type Affiliator = {
  /** Another number whenever an answer of `match` may be another, or one of `decide` for another reason than place and time. */
  readonly generation: number;
  /** The ids of the assets that a track with these identities claims to be. */
  match(identities: readonly Pick<Identity, 'type' | 'value'>[]): readonly string[];
  /** Whether place and time say something of a track that claims to be these. */
  moves(assetIds: readonly string[]): boolean;
  /** Of a track that claims to be these. */
  decide(track: Judged, assetIds: readonly string[], nowMs: number): Decision;
};
