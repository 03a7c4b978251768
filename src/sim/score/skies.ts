import type { LocalFrame } from '../../geo/local_frame.ts';
import type { Track } from '../../model/track.ts';
import type { Spots } from './near_pairs.ts';
import type { Sky } from './tracking_score.ts';
import type { TruePlace } from './truth.ts';

/** Longest extrapolation of a track, s. External scorers use the same value. */
const MOST_MOVED_S = 2.5;

/** Returns true positions in metres from the frame's origin. */
export function placesOf(places: readonly TruePlace[], frame: LocalFrame): Sky {
  const geodetic = places.flatMap(({ latDeg, lonDeg, altHaeM }) => [latDeg, lonDeg, altHaeM]);
  return { ids: places.map(({ id }) => id), spots: spotsOf(geodetic, frame) };
}

/**
 * Returns the positions of tracks at a moment, extrapolated with their velocities from their last update. Up is NaN
 * if the height is unknown; distances are then horizontal.
 */
export function shownOf(tracks: readonly Track[], frame: LocalFrame, atMs: number): Sky {
  const geodetic = tracks.flatMap(({ position: at }) => [at?.lat ?? 0, at?.lon ?? 0, at?.alt_hae_m ?? 0]);
  const spots = spotsOf(geodetic, frame);
  // The last parsed time is kept, since most tracks were updated at the same moment.
  let updated = { text: '', ms: 0 };
  for (const [i, track] of tracks.entries()) {
    if (track.updated_at !== updated.text) updated = { text: track.updated_at, ms: Date.parse(track.updated_at) };
    moveOn(spots, i, track, (atMs - updated.ms) / 1000);
    if (track.position?.alt_hae_m == null) spots[3 * i + 2] = Number.NaN;
  }
  return { ids: tracks.map(({ id }) => id), spots };
}

function spotsOf(geodetic: readonly number[], frame: LocalFrame): Spots {
  const spots = new Float64Array(geodetic.length);
  frame.allToEnu(Float64Array.from(geodetic), spots);
  return spots;
}

/**
 * Extrapolates one track with its velocity, as if its local axes were those of the frame. Within a site the error is
 * some centimetres per second.
 */
function moveOn(spots: Spots, i: number, { velocity }: Track, agoS: number): void {
  const aheadS = Math.min(MOST_MOVED_S, Math.max(0, agoS));
  if (aheadS === 0 || velocity === null) return;
  const course = ((velocity.course_deg ?? 0) * Math.PI) / 180;
  const overM = (velocity.course_deg === null ? 0 : (velocity.speed_mps ?? 0)) * aheadS;
  spots[3 * i] = (spots[3 * i] ?? 0) + overM * Math.sin(course);
  spots[3 * i + 1] = (spots[3 * i + 1] ?? 0) + overM * Math.cos(course);
  spots[3 * i + 2] = (spots[3 * i + 2] ?? 0) + (velocity.climb_mps ?? 0) * aheadS;
}
