import type { Affiliation } from './assignment.ts';
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
  /** The asset whose key is received where the asset is not. */
  cloned: { id: string; name: string } | null;
};

/** Affiliation of every track until an asset or assignment decides otherwise. */
export const unknownTrack: Decision = {
  affiliation: 'unknown',
  affiliation_basis: 'none',
  asset_id: null,
  cloned: null,
};

/** Greater is stricter. */
export const gravities: Record<Affiliation, number> = { friend: 0, neutral: 1, unknown: 2, hostile: 4 };

/**
 * The decision on a track to which a person gave an affiliation. A milder one than the registry's does not hold against
 * the evidence: while the track is suspect, shares its identity, carries the key of an asset that it is not, or is hostile.
 */
export function withSet(set: Affiliation, { suspect, duplicate }: Judged, byRegistry: Decision): Decision {
  const { affiliation, cloned } = byRegistry;
  const isStricter = gravities[set] > gravities[affiliation];
  if (!isStricter && (suspect || duplicate || cloned !== null || affiliation === 'hostile')) return byRegistry;
  return { ...byRegistry, affiliation: set, affiliation_basis: 'assignment' };
}

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
