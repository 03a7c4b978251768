import type { Chart } from '../../geo/flat/chart.ts';
import type { Point } from '../../geo/position.ts';
import { apart, type Vector, vectorOf } from '../../geo/shape/plane.ts';
import type { Track } from '../../model/track.ts';
import type { LocalLeg } from './move.ts';

/** A point of a track's path. An unknown height is NaN. */
export type PathPoint = { inS: number; place: Vector; altHaeM: number };

/**
 * Last and predicted positions of a track, in seconds from now. The path is straight between predictions; after the
 * last one the track stands still.
 */
export type Path = {
  track: Track;
  points: readonly [PathPoint, ...PathPoint[]];
  /** Distance from the first point to the farthest one, m. */
  reachM: number;
};

/**
 * Bounds of the earth's radius, m, also some kilometres above the ground. An angle times such a bound is a least or
 * greatest distance.
 */
const LEAST_EARTH_M = 6_330_000;
const MOST_EARTH_M = 6_450_000;

const followed: ReadonlySet<Track['state']> = new Set(['tentative', 'confirmed', 'coasting']);

/**
 * Returns the path of a track; null if the track is lost or closed, or has no position. The same path serves all checks
 * that are made at one moment.
 */
export function pathOf(track: Track, utcMs: number): Path | null {
  const { position, predicted, updated_at: updatedAt } = track;
  if (!position || !followed.has(track.state)) return null;
  // Predictions start at the last update of the track. The track has flown a part of that path since.
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

/**
 * True if a track certainly stays farther than `farM` from the whole leg. Most tracks do, and then need no exact check.
 */
export function staysClear({ points: [{ place }], reachM }: Path, { chart, groundM }: LocalLeg, farM: number): boolean {
  return LEAST_EARTH_M * apart(chart.up, place) > groundM + reachM + farM;
}

/** Returns the point of a path `inS` seconds from now. */
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

/**
 * Returns the part of a path between two moments on a chart, with every point at which the path turns. Heights may be
 * NaN.
 */
export function pathOn(path: Path, chart: Chart, fromS: number, toS: number): { inS: number; at: Point }[] {
  const turns = path.points.filter(({ inS }) => inS > fromS && inS < toS);
  return [pathAt(path, fromS), ...turns, pathAt(path, toS)].map(({ inS, place, altHaeM }) => {
    const [eastM, northM] = chart.see(place);
    return { inS, at: [eastM, northM, altHaeM] };
  });
}
