import type { Chart } from '../../geo/flat/chart.ts';
import type { Point } from '../../geo/position.ts';
import { apart, type Vector, vectorOf } from '../../geo/shape/plane.ts';
import type { Track } from '../../model/track.ts';
import type { LocalLeg } from './move.ts';

/** A point of a course; a height that is not known is NaN. */
export type PathPoint = { inS: number; place: Vector; altHaeM: number };

/** Present and predicted places of a track, seconds from now: straight between the predictions, and standing after the last. */
export type Path = {
  track: Track;
  points: readonly [PathPoint, ...PathPoint[]];
  /** Distance from the first point to the farthest one, m. */
  reachM: number;
};

/** Bounds of the earth's radius on the ground and some kilometres above it, m. */
const LEAST_EARTH_M = 6_330_000;
const MOST_EARTH_M = 6_450_000;

const followed: ReadonlySet<Track['state']> = new Set(['tentative', 'confirmed', 'coasting']);

/** Course of a track; null where the track is not followed or has no place. Made once for all checks of a moment. */
export function pathOf(track: Track, utcMs: number): Path | null {
  const { position, predicted, updated_at: updatedAt } = track;
  if (!position || !followed.has(track.state)) return null;
  // Predictions start at the last publication of the track; since then the track has flown a part of that path.
  const ageS = Math.max(0, (utcMs - Date.parse(updatedAt)) / 1_000);
  const point = (inS: number, { lat, lon, alt_hae_m }: Pick<typeof position, 'lat' | 'lon' | 'alt_hae_m'>) => ({
    inS: inS - ageS,
    place: vectorOf([lon, lat]),
    altHaeM: alt_hae_m ?? Number.NaN,
  });
  const first = point(0, position);
  const later = predicted.map((ahead) => point(ahead.in_s, ahead));
  const reachM = MOST_EARTH_M * Math.max(0, ...later.map(({ place }) => apart(first.place, place)));
  return { track, points: [first, ...later], reachM };
}

/** True where a track stays farther than `farM` from a whole leg. Most tracks do, and need no exact check. */
export function staysClear({ points: [{ place }], reachM }: Path, { chart, groundM }: LocalLeg, farM: number): boolean {
  return LEAST_EARTH_M * apart(chart.up, place) > groundM + reachM + farM;
}

/** Point of a course at a moment, in seconds from now. */
export function pathAt({ points }: Path, inS: number): PathPoint {
  const next = points.findIndex((point) => point.inS > inS);
  const after = points[next];
  const before = points[next - 1];
  if (!after) return { ...(points.at(-1) ?? points[0]), inS };
  if (!before) return { ...after, inS };
  const share = (inS - before.inS) / (after.inS - before.inS);
  const mix = (a: number, b: number): number => a + share * (b - a);
  const [a, b] = [before.place, after.place];
  const place = [mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2])] as const;
  const length = Math.hypot(...place);
  return {
    inS,
    place: [place[0] / length, place[1] / length, place[2] / length],
    altHaeM: mix(before.altHaeM, after.altHaeM),
  };
}

/** Part of a path between two moments on a chart, with every place at which the path turns. Heights may be NaN. */
export function pathOn(path: Path, chart: Chart, fromS: number, toS: number): { inS: number; at: Point }[] {
  const turns = path.points.filter(({ inS }) => inS > fromS && inS < toS);
  return [pathAt(path, fromS), ...turns, pathAt(path, toS)].map(({ inS, place, altHaeM }) => {
    const [eastM, northM] = chart.see(place);
    return { inS, at: [eastM, northM, altHaeM] };
  });
}
