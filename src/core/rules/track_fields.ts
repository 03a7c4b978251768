import type { TrackFacts } from './facts.ts';

/**
 * Numbers of a track, by the field names of conditions and messages; NaN if unknown. `nowMs` is the time of the
 * evaluation.
 */
export const trackNumbers = {
  'track.score': (track: TrackFacts) => track.score,
  'track.speed_mps': (track: TrackFacts) => track.speedMps,
  'track.climb_mps': (track: TrackFacts) => track.climbMps,
  'track.course_deg': (track: TrackFacts) => track.courseDeg,
  'track.height_m': (track: TrackFacts) => track.heightM,
  'track.alt_hae_m': (track: TrackFacts) => track.altHaeM,
  'track.group_size': (track: TrackFacts) => track.groupSize,
  'track.loiter_s': (track: TrackFacts) => track.loiterS,
  'track.visits': (track: TrackFacts) => track.visits,
  'track.age_s': (track: TrackFacts, nowMs: number) => (nowMs - track.firstSeenMs - track.sureFriendMs) / 1_000,
  'track.unseen_s': (track: TrackFacts, nowMs: number) => (nowMs - track.lastSeenMs) / 1_000,
  'track.nearest_m': (track: TrackFacts) => track.nearest?.distanceM ?? Number.NaN,
} as const;

/** Texts of a track, by the field names of conditions and messages. */
export const trackWords = {
  'track.level': (track: TrackFacts) => track.level,
  'track.affiliation': (track: TrackFacts) => track.affiliation,
  'track.affiliation_basis': (track: TrackFacts) => track.affiliationBasis,
  'track.state': (track: TrackFacts) => track.state,
  'track.cooperative': (track: TrackFacts) => track.cooperative,
  'track.verdict': (track: TrackFacts) => track.verdict,
} as const;
