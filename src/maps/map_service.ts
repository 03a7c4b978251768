import { join } from 'node:path';
import { setInterval } from 'node:timers';
import type { BaseMap, TileType } from '../model/base_map.ts';
import { notFound, unavailable } from '../model/fault.ts';
import { makeFolder } from '../store/folder.ts';
import { type FoundMap, MapFolder, whyUnreadable } from './map_folder.ts';
import { imageTypeOf, isGzip } from './tile_bytes.ts';

/** Files that were removed are closed after so long, so that their space is free again. */
const SCAN_MS = 2_000;

/** A tile as it is stored. */
export type Tile = { bytes: Buffer; type: TileType; isGzip: boolean };

/** The base maps of the box: the same for every workspace and every world. */
export class MapService {
  readonly #folder: MapFolder;
  #tick: NodeJS.Timeout | null = null;

  constructor(dataDir: string) {
    this.#folder = new MapFolder(join(dataDir, 'maps'));
  }

  async start(): Promise<void> {
    try {
      makeFolder(this.#folder.path);
    } catch {
      // The list is empty then; a box with a full disk starts all the same.
    }
    await this.#folder.scan();
    this.#tick = setInterval(() => void this.#folder.scan(), SCAN_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#tick) clearInterval(this.#tick);
    await this.#folder.close();
  }

  /** All files of the folder as they are now, by id. */
  async list(): Promise<BaseMap[]> {
    await this.#folder.scan();
    return this.#folder.maps.map(({ map }) => map).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** A map whose tiles can be read. Throws `not_found`, or `unavailable` where the file is unreadable. */
  async ready(id: string): Promise<BaseMap> {
    return (await this.#ready(id)).map;
  }

  /** A tile, its row counted from the north; null where the map has none there. Throws as `ready` does. */
  async tile(id: string, z: number, x: number, y: number): Promise<Tile | null> {
    const found = await this.#ready(id);
    try {
      return await tileOf(found, z, x, y);
    } catch (thrown) {
      await this.#folder.scan();
      const now = await this.#ready(id);
      // Replaced while it was read: the new file answers.
      if (now.tiles !== found.tiles) return tileOf(now, z, x, y);
      throw unavailable(`a tile of the map cannot be read: ${whyUnreadable(found.map.file, thrown)}`);
    }
  }

  async #ready(id: string): Promise<FoundMap & { tiles: NonNullable<FoundMap['tiles']> }> {
    // A file that came a moment ago is found before the next scan.
    if (this.#folder.get(id) === undefined) await this.#folder.scan();
    const found = this.#folder.get(id);
    if (found === undefined)
      throw notFound(`there is no map ${JSON.stringify(id.slice(0, 120))}; GET /api/maps has all`);
    const { map, tiles } = found;
    if (tiles === null) throw unavailable(`the map is unreadable: ${map.error}`);
    return { map, tiles };
  }
}

async function tileOf({ map, tiles }: FoundMap, z: number, x: number, y: number): Promise<Tile | null> {
  const bytes = (await tiles?.tile(z, x, y)) ?? null;
  if (bytes === null) return null;
  const type = map.kind === 'raster' ? imageTypeOf(bytes) : null;
  return { bytes, type: type ?? (map.tile_type as TileType), isGzip: isGzip(bytes) };
}
