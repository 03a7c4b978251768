import type { TileType } from '../model/base_map.ts';

/** Bounds in degrees: west, south, east, north. */
export type Bounds = [number, number, number, number];

/** Properties that a file of tiles states about itself. */
export type TileFacts = {
  /** Null if the file states no name. */
  name: string | null;
  tileType: TileType;
  minZoom: number;
  maxZoom: number;
  bounds: Bounds;
  attribution: string | null;
};

/**
 * An open file of tiles. `tile` returns null for a tile that the file does not contain; rows `y` count from the north.
 */
export type TileFile = {
  readonly facts: TileFacts;
  tile(z: number, x: number, y: number): Promise<Buffer | null>;
  close(): Promise<void>;
};

/**
 * Thrown if a file is not served. The message gives the reason, and continues a sentence that begins with the file
 * name.
 */
export class Unreadable extends Error {}

/** Limit of one stored tile, bytes. Tiles of maps are below 1 MB, so a larger length shows that the file is damaged. */
export const MAX_TILE_BYTES = 4 * 1024 * 1024;

/** The whole world in Web Mercator, for files without valid bounds. */
export const worldBounds: Bounds = [-180, -85.051129, 180, 85.051129];
