import type { Track, TrackState } from '../../model/track.ts';
import type { ZoneValue } from './site_plan.ts';

/** Values of a track that decide, besides its position, about its relation to zones. NaN is an unknown value. */
export type Flyer = {
  number: number;
  id: string;
  state: TrackState;
  affiliation: Track['affiliation'];
  cooperative: Track['cooperative'];
  altAglM: number;
  heightTakeoffM: number;
  climbMps: number;
};

/** Whether a zone applies to a track. Keep-in and keep-out zones apply only to friends. */
export function concerns(zone: ZoneValue, { affiliation, cooperative }: Flyer): boolean {
  const { affiliations, cooperative: kinds } = zone.applies_to;
  if ((zone.kind === 'keep_in' || zone.kind === 'keep_out') && affiliation !== 'friend') return false;
  if (affiliations.length > 0 && !affiliations.includes(affiliation)) return false;
  return kinds.length === 0 || kinds.includes(cooperative);
}
