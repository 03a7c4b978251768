import type { LocalFrame } from '../../../geo/local_frame.ts';
import type { Track } from '../../../model/track.ts';
import type { Spots } from './near_pairs.ts';
import type { Sky } from './tracking_score.ts';
import type { TruePlace } from './truth.ts';

/** A track that was not told anew is moved on for so long at most, s: as long as an outside scorer holds one. */
const MOST_MOVED_S = 2.5;

/** Places in metres about the frame's origin. */
export function placesOf(places: readonly TruePlace[], frame: LocalFrame): Sky {
  const geodetic = new Float64Array(3 * places.length);
  for (const [i, { lat, lon, altHaeM }] of places.entries()) geodetic.set([lat, lon, altHaeM], 3 * i);
  const spots: Spots = new Float64Array(geodetic.length);
  frame.allToEnu(geodetic, spots);
  return { ids: places.map(({ id }) => id), spots };
}

/**
 * Where tracks are at a moment: moved on with their velocities from when they were told. Up is NaN of those whose height
 * nobody knows, so that they are measured over ground.
 */
export function shownOf(tracks: readonly Track[], frame: LocalFrame, atMs: number): Sky {
  const geodetic = new Float64Array(3 * tracks.length);
  for (const [i, { position }] of tracks.entries())
    geodetic.set([position?.lat ?? 0, position?.lon ?? 0, position?.alt_hae_m ?? 0], 3 * i);
  const spots: Spots = new Float64Array(geodetic.length);
  frame.allToEnu(geodetic, spots);
  // Most tracks were told at the same moment.
  let told = { text: '', ms: 0 };
  for (const [i, track] of tracks.entries()) {
    if (track.updated_at !== told.text) told = { text: track.updated_at, ms: Date.parse(track.updated_at) };
    moveOn(spots, i, track, (atMs - told.ms) / 1000);
    if (track.position?.alt_hae_m == null) spots[3 * i + 2] = Number.NaN;
  }
  return { ids: tracks.map(({ id }) => id), spots };
}

/** In the axes of the frame, which over a site are those at the aircraft to within centimetres a second. */
function moveOn(spots: Spots, i: number, { velocity }: Track, agoS: number): void {
  const aheadS = Math.min(MOST_MOVED_S, Math.max(0, agoS));
  if (aheadS === 0 || velocity === null) return;
  const course = ((velocity.course_deg ?? 0) * Math.PI) / 180;
  const overM = (velocity.course_deg === null ? 0 : (velocity.speed_mps ?? 0)) * aheadS;
  spots[3 * i] = (spots[3 * i] ?? 0) + overM * Math.sin(course);
  spots[3 * i + 1] = (spots[3 * i + 1] ?? 0) + overM * Math.cos(course);
  spots[3 * i + 2] = (spots[3 * i + 2] ?? 0) + (velocity.climb_mps ?? 0) * aheadS;
}
