import type { Affiliation } from './assignment.ts';
import type { Identity } from './observation.ts';
import type { Track } from './track.ts';

/** Facts about a track from which its affiliation is decided. Times are world time, ms. */
export type Judged = {
  suspect: boolean;
  /** True if the claims have the integrity reason `duplicate_identity`. */
  duplicate: boolean;
  /**
   * Estimated position at `atMs`, with its error `hM` (one standard deviation along the ground, m). `receivedMs` is the
   * time of the last observation. Null without a position.
   */
  place: { latDeg: number; lonDeg: number; hM: number; atMs: number; receivedMs: number } | null;
};

/** Affiliation of a track, with its basis. */
export type Decision = Pick<Track, 'affiliation' | 'affiliation_basis' | 'asset_id'> & {
  /** Asset whose serial or other key the track transmits although the asset is elsewhere; null if there is none. */
  cloned: { id: string; name: string } | null;
};

/** Affiliation of every track until an asset or assignment decides otherwise. */
export const unknownTrack: Decision = {
  affiliation: 'unknown',
  affiliation_basis: 'none',
  asset_id: null,
  cloned: null,
};

/** Severity of each affiliation; a greater number is more hostile. */
export const gravities: Record<Affiliation, number> = { friend: 0, neutral: 1, unknown: 2, hostile: 4 };

/**
 * Returns the final decision on a track to which a person gave the affiliation `set`. `byRegistry` is the decision by
 * assets and assignments. A `set` that is more hostile than that decision always applies. Any other `set` is cancelled
 * by evidence against the track: a suspect claim, a duplicated identity, a cloned asset key, or a hostile `byRegistry`.
 */
export function withSet(set: Affiliation, { suspect, duplicate }: Judged, byRegistry: Decision): Decision {
  const { affiliation, cloned } = byRegistry;
  const isStricter = gravities[set] > gravities[affiliation];
  if (!isStricter && (suspect || duplicate || cloned !== null || affiliation === 'hostile')) return byRegistry;
  return { ...byRegistry, affiliation: set, affiliation_basis: 'assignment' };
}

/**
 * Identity of a track. `isProven` concerns only the type `external`: true if the identity arrived over a link that
 * proves its sender.
 */
export type Matched = Pick<Identity, 'type' | 'value'> & { isProven?: boolean };

/** Decides the affiliations of the tracks of one picture. */
export type Affiliator = {
  /** Number that changes whenever decisions may change for a reason other than the track's position and time. */
  readonly generation: number;
  /** Returns the ids of the assets that a track with these identities claims to be. */
  match(identities: readonly Matched[]): readonly string[];
  /** Returns true if the decision on a track that claims to be one of these assets depends on position and time. */
  moves(assetIds: readonly string[]): boolean;
  /** Returns the decision on a track that claims to be one of these assets. */
  decide(track: Judged, assetIds: readonly string[], nowMs: number): Decision;
};
