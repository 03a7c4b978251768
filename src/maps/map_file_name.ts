import type { MapFormat } from '../model/base_map.ts';

const pattern = /^([A-Za-z0-9][A-Za-z0-9._-]{0,79})\.(pmtiles|mbtiles)$/;

/** Rule for the names of map files, worded as the end of a sentence. */
export const nameRule =
  '1 to 80 letters, digits, dots, hyphens and underscores, the first a letter or digit, followed by .pmtiles or .mbtiles';

/** Returns id and format of a file by its name; null if the name is not allowed for a map. */
export function mapNameOf(file: string): { id: string; format: MapFormat } | null {
  const [, id, format] = pattern.exec(file) ?? [];
  // An id that ends with `.pmtiles` or `.mbtiles` would look like the name of another file.
  if (id === undefined || formatOf(id) !== null) return null;
  return { id, format: format as MapFormat };
}

/**
 * Returns the format that the extension of a file name states; null for other extensions. The rest of the name is not
 * checked.
 */
export function formatOf(file: string): MapFormat | null {
  const [, format] = /\.(pmtiles|mbtiles)$/i.exec(file) ?? [];
  return format === undefined ? null : (format.toLowerCase() as MapFormat);
}
