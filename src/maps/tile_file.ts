import type { TileType } from '../model/base_map.ts';

/** West, south, east, north, degrees. */
export type Bounds = [number, number, number, number];

/** Facts that a file of tiles has about itself. */
export type TileFacts = {
  /** Null where the file gives itself none. */
  name: string | null;
  tileType: TileType;
  minZoom: number;
  maxZoom: number;
  bounds: Bounds;
  attribution: string | null;
};

/** An open file of tiles. `tile` answers null for a tile that is not in it; rows count from the north. */
export type TileFile = {
  readonly facts: TileFacts;
  tile(z: number, x: number, y: number): Promise<Buffer | null>;
  close(): Promise<void>;
};

/** The reason why a file is not served; its sentence continues the name of the file. */
export class Unreadable extends Error {}

/** Limit of one tile as stored. Tiles of maps are below 1 MB; a larger one is a damaged length. */
export const MAX_TILE_BYTES = 4 * 1024 * 1024;

/** The whole world in Web Mercator, for files that name no bounds. */
export const worldBounds: Bounds = [-180, -85.051129, 180, 85.051129];
