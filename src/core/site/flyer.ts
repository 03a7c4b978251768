import type { Track, TrackState } from '../../model/track.ts';
import type { ZoneValue } from './site_plan.ts';

/** Values of a track that decide, besides its position, about its relation to zones. NaN is an unknown value. */
export type Flyer = {
  number: number;
  id: string;
  state: TrackState;
  affiliation: Track['affiliation'];
  affiliationBasis: Track['affiliation_basis'];
  cooperative: Track['cooperative'];
  altAglM: number;
  heightTakeoffM: number;
  climbMps: number;
};

/** Whether a zone applies to a track. Keep-in and keep-out zones apply only to friends. */
export function concerns(zone: ZoneValue, flyer: Flyer): boolean {
  const { affiliations, cooperative: kinds } = zone.applies_to;
  if ((zone.kind === 'keep_in' || zone.kind === 'keep_out') && flyer.affiliation !== 'friend') return false;
  if (affiliations.length > 0 && !affiliations.includes(flyer.affiliation) && !isClaimed(zone, flyer)) return false;
  return kinds.length === 0 || kinds.includes(flyer.cooperative);
}

/**
 * Whether a protected zone applies to a friend because it applies to unknown tracks. The friend is identified by its
 * Remote ID alone, which anyone can transmit, so the zone must not trust it more than an unknown track.
 */
function isClaimed({ kind, applies_to }: ZoneValue, { affiliation, affiliationBasis }: Flyer): boolean {
  const isByClaim = affiliation === 'friend' && affiliationBasis === 'remote_id';
  return kind === 'protected' && isByClaim && applies_to.affiliations.includes('unknown');
}
