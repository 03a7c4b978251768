import { MAX_ZOOM } from '../model/base_map.ts';
import { type Bounds, Unreadable, worldBounds } from './tile_file.ts';

const NAME_CHARS = 120;
const ATTRIBUTION_CHARS = 1_000;

const entities: Record<string, string> = { copy: '©', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/**
 * Returns a field that may contain HTML as plain text on one line, cut to `most` characters; null if it has no text.
 * Maps write links into their attribution.
 */
export function plainText(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    // A longer text is no name. Cutting it first bounds the work of the steps below.
    .slice(0, 16 * most)
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#?\w{1,6});/g, (whole, entity: string) => entities[entity] ?? whole)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
  return text === '' ? null : text;
}

export const nameOf = (value: unknown): string | null => plainText(value, NAME_CHARS);
export const attributionOf = (value: unknown): string | null => plainText(value, ATTRIBUTION_CHARS);

/** Returns bounds from four numbers; the whole world if the numbers are invalid. */
export function boundsOf(numbers: readonly number[]): Bounds {
  const [west, south, east, north] = numbers;
  if (numbers.length !== 4 || numbers.some((each) => !Number.isFinite(each))) return worldBounds;
  const [w, s, e, n] = [west, south, east, north] as Bounds;
  const isOnGlobe = Math.abs(w) <= 180 && Math.abs(e) <= 180 && Math.abs(s) <= 90 && Math.abs(n) <= 90;
  return isOnGlobe && w < e && s < n ? [w, s, e, n] : worldBounds;
}

/** Throws `Unreadable` if these zoom levels are impossible for tiles. */
export function checkZooms(minZoom: number, maxZoom: number): void {
  if (
    Number.isInteger(minZoom) &&
    Number.isInteger(maxZoom) &&
    minZoom >= 0 &&
    minZoom <= maxZoom &&
    maxZoom <= MAX_ZOOM
  )
    return;
  throw new Unreadable(`has impossible zoom levels: ${minZoom} to ${maxZoom}`);
}
