import type { MapFormat } from '../model/base_map.ts';

const pattern = /^([A-Za-z0-9][A-Za-z0-9._-]{0,79})\.(pmtiles|mbtiles)$/;

/** Rule of the names of map files, as the end of a sentence. */
export const nameRule =
  'letters, digits, dots, hyphens and underscores, 80 at most, a letter or digit first, then .pmtiles or .mbtiles';

/** The id and format of a file by its name; null where the name is invalid for a map. */
export function mapNameOf(file: string): { id: string; format: MapFormat } | null {
  const [, id, format] = pattern.exec(file) ?? [];
  // An id with such an end would read as the name of another file.
  if (id === undefined || formatOf(id) !== null) return null;
  return { id, format: format as MapFormat };
}

/** The format that the end of a name announces, whatever its beginning; null where it is no map's. */
export function formatOf(file: string): MapFormat | null {
  const [, format] = /\.(pmtiles|mbtiles)$/i.exec(file) ?? [];
  return format === undefined ? null : (format.toLowerCase() as MapFormat);
}
