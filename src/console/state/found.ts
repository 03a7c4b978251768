import type { Asset } from '../../model/asset.ts';
import type { Geometry } from '../../model/geometry.ts';
import type { Track } from '../../model/track.ts';
import type { Zone } from '../../model/zone.ts';

type Place = { lat: number; lon: number };

/** A thing that a search found. */
export type Found =
  | { kind: 'track'; track: Track; by: string }
  | { kind: 'zone'; id: string; name: string; geometry: Geometry }
  | { kind: 'place'; place: Place };

export type Searched = { tracks: readonly Track[]; zones: readonly Zone[]; assets: readonly Asset[] };

export const MOST_FOUND = 12;

/** Latitude and longitude from a text such as `47.1987, 8.7302`; null for other texts and for values out of range. */
export function placeOf(text: string): Place | null {
  const match = /^\s*([+-]?\d+(?:\.\d+)?)\s*[,; ]\s*([+-]?\d+(?:\.\d+)?)\s*$/.exec(text);
  if (match === null) return null;
  const [lat, lon] = [Number(match[1]), Number(match[2])];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

/**
 * Tracks and zones whose name, number or identity contains the text, at most `MOST_FOUND`. Names equal to the text come
 * first, then names that begin with it, then the others. A vehicle is found by its track. If the text is a place, the
 * place comes first.
 */
export function found(text: string, { tracks, zones, assets }: Searched): Found[] {
  const place = placeOf(text);
  const sought = text.trim().toLowerCase();
  if (sought === '') return [];
  const rows: { rank: number; found: Found }[] = [];
  for (const track of tracks) {
    const asset = assets.find(({ id }) => id === track.asset_id);
    const names = [track.number, track.number.replace(/^T-0*/, ''), asset?.name ?? '', ...identitiesOf(track)];
    const [best] = names.map((by) => ({ by, rank: rankOf(by, sought) })).sort((a, b) => a.rank - b.rank);
    if (best && best.rank < NO_MATCH) rows.push({ rank: best.rank, found: { kind: 'track', track, by: best.by } });
  }
  for (const { id, name, geometry } of zones) {
    const rank = rankOf(name, sought);
    if (rank < NO_MATCH) rows.push({ rank, found: { kind: 'zone', id, name, geometry } });
  }
  const sorted = rows.sort((a, b) => a.rank - b.rank).map((row) => row.found);
  return [...(place === null ? [] : [{ kind: 'place', place } as const]), ...sorted].slice(0, MOST_FOUND);
}

const identitiesOf = ({ identities }: Track): string[] => [...new Set(identities.map(({ value }) => value))];

const NO_MATCH = 3;

function rankOf(name: string, sought: string): number {
  const at = name.toLowerCase().indexOf(sought);
  return at < 0 ? NO_MATCH : at > 0 ? 2 : name.length === sought.length ? 0 : 1;
}
