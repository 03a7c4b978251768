import type { Geometry } from '../../model/geometry.ts';
import type { Region } from '../../model/region.ts';
import type { Track } from '../../model/track.ts';
import type { Zone } from '../../model/zone.ts';
import type { Place } from '../map/camera.ts';
import { isOver, middleOf, regionsOver } from './over.ts';

type Datum = Zone['datum'];
type Fix = NonNullable<Track['position']>;
export type Volume = {
  geometry: Geometry;
  floorM: number | null;
  ceilingM: number | null;
  datum: Datum;
  /** Height above ground that a zone without a ceiling reaches, m; null while it is not known. */
  openM: number | null;
};

/** A track over the outline of a zone. `side` compares its height with the zone's; `unknown` counts as inside. */
export type Mark = { number: string; heightM: number | null; side: 'inside' | 'above' | 'below' | 'unknown' };

export type Heights = {
  /** Height of the ground above the datum, m; null where it is not known. */
  groundM: number | null;
  marks: readonly Mark[];
};

/** Ground and tracks of a zone's side view, in metres above the zone's datum. */
export function heightsOf(volume: Volume, regions: readonly Region[], tracks: readonly Track[]): Heights {
  const place = middleOf(volume.geometry);
  const groundM = groundIn(volume.datum, place, regions, tracks);
  const topM = volume.ceilingM ?? (groundM === null || volume.openM === null ? null : groundM + volume.openM);
  const marks = tracks.flatMap(({ number, state, position }) =>
    position === null || state === 'closed' || !isOver(volume.geometry, position)
      ? []
      : markOf(number, heightIn(volume.datum, position, groundM), topM, volume),
  );
  return { groundM, marks: marks.toSorted((a, b) => (b.heightM ?? 0) - (a.heightM ?? 0)) };
}

function markOf(number: string, heightM: number | null, topM: number | null, { floorM, datum }: Volume): Mark {
  if (heightM === null) return { number, heightM, side: 'unknown' };
  if (topM !== null && heightM > topM) return { number, heightM, side: 'above' };
  // A floor of 0 m above ground does not count as a floor, since the ground under a zone varies.
  const hasFloor = floorM !== null && !(datum === 'agl' && floorM === 0);
  return { number, heightM, side: hasFloor && heightM < floorM ? 'below' : 'inside' };
}

/**
 * Height of a track above the datum, m; null where it is not known. As in the daemon, a reported height above the datum
 * comes first. Without one it is the ground's height plus the height above ground, or plus the height above take-off.
 */
function heightIn(datum: Datum, position: Fix, groundM: number | null): number | null {
  const { alt_hae_m, alt_msl_m, alt_agl_m, height_takeoff_m } = position;
  const own = { agl: alt_agl_m, msl: alt_msl_m, hae: alt_hae_m }[datum];
  const overGround = alt_agl_m ?? height_takeoff_m;
  return own ?? (overGround === null || groundM === null ? null : groundM + overGround);
}

function groundIn(datum: Datum, place: Place, regions: readonly Region[], tracks: readonly Track[]): number | null {
  if (datum === 'agl') return 0;
  const region = regionsOver(place, regions).find(({ ground_alt_hae_m }) => ground_alt_hae_m !== null);
  const haeM = region?.ground_alt_hae_m ?? null;
  if (haeM === null || datum === 'hae') return haeM;
  const geoidM = geoidNear(place, tracks);
  return geoidM === null ? null : haeM - geoidM;
}

/** Distance within which the geoid height is the same to about 1 m, in degrees of latitude: 10 km. */
const GEOID_DEG = 0.09;

/**
 * Geoid height, m. The page has no model of the geoid, so a track within about 10 km gives it: one that reports its
 * height above both ellipsoid and sea level. Null if there is none.
 */
function geoidNear({ lat, lon }: Place, tracks: readonly Track[]): number | null {
  const lonDeg = GEOID_DEG / Math.max(0.1, Math.cos((lat * Math.PI) / 180));
  for (const { position } of tracks) {
    if (position === null || position.alt_hae_m === null || position.alt_msl_m === null) continue;
    if (Math.abs(position.lat - lat) > GEOID_DEG || Math.abs(position.lon - lon) > lonDeg) continue;
    return position.alt_hae_m - position.alt_msl_m;
  }
  return null;
}
