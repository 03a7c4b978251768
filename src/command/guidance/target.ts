import type { Track } from '../../model/track.ts';
import type { ControlDeps } from '../deps.ts';

export type Seen = {
  label: string;
  track: Track;
  position: NonNullable<Track['position']>;
};

/**
 * Returns the sentence of a refusal if a track is the vehicle itself; else null. A vehicle that kept a standoff to its
 * own reports would fly away from itself for ever.
 */
export function ownTrack(deps: Pick<ControlDeps, 'track'>, assetId: string, trackId: string): string | null {
  const track = deps.track(trackId);
  return track?.asset_id === assetId ? `${track.number} is the own track of this vehicle` : null;
}

/** Returns a track that may be followed, or in `lost` the reason why it may not. Stale tracks are not followed. */
export function seen(
  deps: Pick<ControlDeps, 'track' | 'policy' | 'nowMs' | 'worldMs'>,
  trackId: string,
): Seen | { lost: string } {
  const track = deps.track(trackId);
  if (!track || track.state === 'closed') return { lost: 'the track has ended' };
  if (track.state === 'lost') return { lost: `the track ${track.number} is lost` };
  const ageS = (deps.nowMs() - deps.worldMs(Date.parse(track.last_seen_at))) / 1000;
  const most = deps.policy().engagement.max_track_age_s;
  if (ageS > most)
    return { lost: `the track ${track.number} was last received ${ageS.toFixed(0)} s ago, too long to follow it` };
  const { position } = track;
  if (!position) return { lost: `the position of the track ${track.number} is unknown` };
  return { label: track.number, track, position };
}
