import { z } from 'zod';
import { count, namedObject, wholeBetween } from './scalar.ts';

/** Highest zoom level whose tile numbers in PMTiles are exact in a double. */
export const MAX_ZOOM = 26;

export const mapFormats = ['pmtiles', 'mbtiles'] as const;
export type MapFormat = (typeof mapFormats)[number];

/** Media types of tiles, by tile type. */
export const tileMediaTypes = {
  mvt: 'application/vnd.mapbox-vector-tile',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
} as const;
export type TileType = keyof typeof tileMediaTypes;
export const tileTypes = Object.keys(tileMediaTypes) as [TileType, ...TileType[]];

const zoom = wholeBetween(0, MAX_ZOOM).nullable();

export const baseMapSchema = namedObject('BaseMap', {
  id: z.string().describe('the name of the file without its extension'),
  file: z.string().describe('the name of the file in the folder of maps'),
  name: z.string().describe('the name that the map gives itself, else its id'),
  format: z.enum(mapFormats),
  kind: z
    .enum(['vector', 'raster'])
    .nullable()
    .describe('null while the file is unreadable; then the following fields are null too'),
  tile_type: z.enum(tileTypes).nullable(),
  min_zoom: zoom,
  max_zoom: zoom,
  bounds: z.array(z.number()).length(4).nullable().describe('west, south, east, north, degrees'),
  attribution: z
    .string()
    .nullable()
    .describe('text to show with the map; null if the file has none, or while it is unreadable'),
  bytes: count.describe('size of the file'),
  state: z.enum(['ready', 'unreadable']),
  error: z.string().nullable().describe('why it is unreadable'),
  version: z.string().describe('changes when the file changes; value of `?v=` in a tile URL'),
});
export type BaseMap = z.infer<typeof baseMapSchema>;
