import type { Affiliation } from './assignment.ts';
import type { Identity } from './observation.ts';
import type { Track } from './track.ts';

/** The evidence about a track. Times are world time, ms. */
export type Judged = {
  suspect: boolean;
  /** Whether another aircraft claims its identity too. */
  duplicate: boolean;
  /** Estimated position at `atMs`; the last observation was at `receivedMs`. */
  place: { latDeg: number; lonDeg: number; hM: number; atMs: number; receivedMs: number } | null;
};

/** Affiliation of a track, with its basis. */
export type Decision = Pick<Track, 'affiliation' | 'affiliation_basis' | 'asset_id'> & {
  /** The asset whose key the track reports although the asset is elsewhere. */
  cloned: { id: string; name: string } | null;
};

/** Affiliation of every track until an asset or assignment decides otherwise. */
export const unknownTrack: Decision = {
  affiliation: 'unknown',
  affiliation_basis: 'none',
  asset_id: null,
  cloned: null,
};

/** Gravity of each affiliation: a greater number is stricter. */
export const gravities: Record<Affiliation, number> = { friend: 0, neutral: 1, unknown: 2, hostile: 4 };

/**
 * The decision on a track whose affiliation a person set. A set affiliation that is milder than the registry's does not
 * apply against evidence. Evidence means: the track is suspect, shares its identity, has the key of an asset that it is
 * not, or is hostile.
 */
export function withSet(set: Affiliation, { suspect, duplicate }: Judged, byRegistry: Decision): Decision {
  const { affiliation, cloned } = byRegistry;
  const isStricter = gravities[set] > gravities[affiliation];
  if (!isStricter && (suspect || duplicate || cloned !== null || affiliation === 'hostile')) return byRegistry;
  return { ...byRegistry, affiliation: set, affiliation_basis: 'assignment' };
}

/** An identity of a track. `isProven` is of numbers in other systems: whether a link that proves its sender brought it. */
export type Matched = Pick<Identity, 'type' | 'value'> & { isProven?: boolean };

/** Decides affiliations for a picture. */
export type Affiliator = {
  /** Number that changes whenever results may change for another reason than position and time. */
  readonly generation: number;
  /** The ids of the assets that a track with these identities claims to be. */
  match(identities: readonly Matched[]): readonly string[];
  /** Whether position and time matter for a track that claims to be one of these assets. */
  moves(assetIds: readonly string[]): boolean;
  /** Decides for a track that claims to be one of these assets. */
  decide(track: Judged, assetIds: readonly string[], nowMs: number): Decision;
};
