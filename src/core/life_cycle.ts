import type { TrackState } from '../model/track.ts';
import type { TrackingSettings } from './settings.ts';
import type { TrackRecord } from './track_record.ts';

/** The state a track has after a hit: tentative until enough hits fell close together, else confirmed. */
export function stateAfterHit(track: TrackRecord, atMs: number, settings: TrackingSettings): TrackState {
  if (track.state !== 'tentative') return 'confirmed';
  track.hits.push(atMs);
  track.hits = track.hits
    .filter((hitMs) => atMs - hitMs <= settings.confirmWindowS * 1000)
    .slice(-settings.confirmHits);
  return track.hits.length >= settings.confirmHits ? 'confirmed' : 'tentative';
}

/** The state a track has after silence. A tentative track that is not confirmed in its time ends. */
export function stateAfterSilence(track: TrackRecord, nowMs: number, settings: TrackingSettings): TrackState {
  const silentS = (nowMs - track.lastSeenMs) / 1000;
  if (track.state === 'tentative')
    return silentS > Math.max(settings.confirmWindowS, settings.coastS) ? 'closed' : 'tentative';
  if (silentS > settings.closeS) return 'closed';
  if (silentS > settings.lostS) return 'lost';
  if (silentS > settings.coastS) return track.state === 'lost' ? 'lost' : 'coasting';
  return track.state;
}
