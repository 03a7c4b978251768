import { constants } from 'node:fs';
import { open, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { type Actor, actorLabel } from '../model/actor.ts';
import type { BaseMap, TileType } from '../model/base_map.ts';
import { conflict, notFound, unavailable } from '../model/fault.ts';
import { faultOfAll } from '../model/issue.ts';
import type { LogVerb } from '../model/log_kind.ts';
import { reasonOf } from '../store/failures.ts';
import { makeFolder } from '../store/folder.ts';
import type { Ledger } from '../store/ledger.ts';
import { mapNameOf, nameRule } from './map_file_name.ts';
import { type FoundMap, MAX_FILES, MapFolder, whyUnreadable } from './map_folder.ts';
import { imageTypeOf, isGzip } from './tile_bytes.ts';
import { type Incoming, receive, removeParts, type UploadLimits } from './upload.ts';

/** Interval of scans of the folder, ms. A scan closes removed files, which frees their space. */
const SCAN_MS = 10_000;

export type MapSettings = {
  /** Limit of all maps together, bytes. Uploads beyond it are refused. */
  allBytes: number;
  minFreeBytes: number;
};

type MapDeps = { dataDir: string; settings: MapSettings; ledger: Ledger };

/** A tile as it is stored. */
export type Tile = { bytes: Buffer; type: TileType; isGzip: boolean };

/** Base maps of this machine. They are the same for every workspace and every world. */
export class MapService {
  readonly #folder: MapFolder;
  readonly #deps: MapDeps;
  #tick: NodeJS.Timeout | null = null;
  #isReceiving = false;

  constructor(deps: MapDeps) {
    this.#deps = deps;
    this.#folder = new MapFolder(join(deps.dataDir, 'maps'));
  }

  async start(): Promise<void> {
    this.#makeFolder();
    await removeParts(this.#folder.path);
    await this.#folder.scan();
    this.#tick = setInterval(() => void this.#folder.scan(), SCAN_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#tick) clearInterval(this.#tick);
    await this.#folder.close();
  }

  /** Scans the folder and returns its maps, sorted by id; at most `MAX_FILES`, also unreadable ones. */
  async list(): Promise<BaseMap[]> {
    await this.#folder.scan();
    return this.#folder.maps.map(({ map }) => map).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /**
   * Returns a map whose tiles can be read. Throws `not_found` if there is none, or `unavailable` if its file is
   * unreadable.
   */
  async ready(id: string): Promise<BaseMap> {
    return (await this.#ready(id)).map;
  }

  /**
   * Returns a tile; its row `y` counts from the north. Null if the map has no such tile. Throws as `ready` does,
   * and `unavailable` if the tile cannot be read.
   */
  async tile(id: string, z: number, x: number, y: number): Promise<Tile | null> {
    const found = await this.#ready(id);
    try {
      return await tileOf(found, z, x, y);
    } catch (thrown) {
      await this.#folder.scan();
      const now = await this.#ready(id);
      if (now.tiles === found.tiles) throw unreadableTile(found, thrown);
      // The file was replaced while it was read: the tile comes from the new file.
      return await tileOf(now, z, x, y).catch((again) => {
        throw unreadableTile(now, again);
      });
    }
  }

  /**
   * Receives a file. A file of the same name is replaced once the new one is complete and readable. `check` is called
   * before the replacement. It must throw if the sender has lost the permission since.
   */
  async put(file: string, incoming: Incoming, check: () => void, by: Actor): Promise<BaseMap> {
    const named = mapNameOf(file);
    if (named === null) throw faultOfAll([{ path: 'name', text: `'name' must be ${nameRule}` }], 'the name');
    if (this.#isReceiving)
      throw conflict('another map is being uploaded, and only one upload runs at a time: wait for its end');
    this.#isReceiving = true;
    try {
      this.#makeFolder();
      const before = await this.#refuseTaken(file, named.id);
      const { path } = this.#folder;
      const part = await receive(path, { name: file, format: named.format }, incoming, this.#limitsFor(file));
      try {
        check();
        this.#note('uploaded', file, by, before);
        await rename(part, join(path, file));
      } catch (thrown) {
        await rm(part, { force: true });
        throw thrown;
      }
      return await this.#changed(named.id);
    } finally {
      this.#isReceiving = false;
    }
  }

  /** Deletes a file by its name or id. Throws `not_found` if there is none, `conflict` if it cannot be deleted. */
  async remove(name: string, by: Actor): Promise<void> {
    await this.#folder.scan();
    const { maps, path } = this.#folder;
    const found = maps.find(({ map }) => map.file === name) ?? this.#folder.get(name);
    if (found === undefined) throw unknownMap(name);
    const { file } = found.map;
    this.#note('deleted', file, by, found.map);
    try {
      await unlink(join(path, file));
    } catch (thrown) {
      throw conflict(`${file} cannot be deleted: ${reasonOf(thrown)}`);
    }
    await this.#sync();
    await this.#folder.scan();
  }

  #makeFolder(): void {
    try {
      makeFolder(this.#folder.path);
    } catch {
      // The list of maps is then empty. A machine with a full disk must start all the same.
    }
  }

  /**
   * Returns the file that an upload replaces; null if there is none. Throws `conflict` if another file has the
   * id, or if there are too many files.
   */
  async #refuseTaken(file: string, id: string): Promise<BaseMap | null> {
    await this.#folder.scan();
    const held = this.#folder.get(id)?.map ?? null;
    if (held !== null && held.file !== file)
      throw conflict(`the map ${id} already exists as ${held.file}: delete that file first`);
    if (held === null && this.#folder.maps.length >= MAX_FILES)
      throw conflict(`there are ${MAX_FILES} maps already: delete one first`);
    return held;
  }

  #limitsFor(file: string): UploadLimits {
    const { allBytes, minFreeBytes } = this.#deps.settings;
    const others = this.#folder.maps.filter(({ map }) => map.file !== file);
    const used = others.reduce((sum, { map }) => sum + map.bytes, 0);
    const megabytes = (n: number): string => `${Math.ceil(n / 1e6)} MB`;
    const noRoom = `all maps together may take ${megabytes(allBytes)} on this box (data.maps.all_bytes), and ${megabytes(used)} are taken: there is no room for ${file}; delete another map, or use a smaller region`;
    return { roomBytes: allBytes - used, noRoom, minFreeBytes };
  }

  async #changed(id: string): Promise<BaseMap> {
    await this.#sync();
    await this.#folder.scan();
    const found = this.#folder.get(id);
    if (found === undefined) throw notFound(`the map ${id} was deleted right after its upload`);
    return found.map;
  }

  /** Syncs the folder, so that new and deleted names survive a power cut. */
  async #sync(): Promise<void> {
    const folder = await open(this.#folder.path, constants.O_RDONLY);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  async #ready(id: string): Promise<FoundMap & { tiles: NonNullable<FoundMap['tiles']> }> {
    // A file may have been copied into the folder since the last scan.
    if (this.#folder.get(id) === undefined) await this.#folder.scan();
    const found = this.#folder.get(id);
    if (found === undefined) throw unknownMap(id);
    const { map, tiles } = found;
    if (tiles === null) throw unavailable(`the map is unreadable: ${map.error}`);
    return { map, tiles };
  }

  #note(what: LogVerb<'map'>, file: string, by: Actor, before: BaseMap | null): void {
    const text = `${actorLabel(by)} ${what} the map ${file}`;
    const was = before && { file, bytes: before.bytes, version: before.version };
    const subject = { type: 'map', id: file, label: file };
    this.#deps.ledger.note({ kind: `map.${what}`, text, by, workspaceId: null, subject, before: was });
  }
}

function unknownMap(name: string): Error {
  return notFound(`there is no map ${JSON.stringify(name.slice(0, 120))}; GET /api/maps lists all maps`);
}

const unreadableTile = ({ map }: FoundMap, thrown: unknown): Error =>
  unavailable(`a tile of the map cannot be read: ${whyUnreadable(map.file, thrown)}`);

async function tileOf({ map, tiles }: FoundMap, z: number, x: number, y: number): Promise<Tile | null> {
  const bytes = (await tiles?.tile(z, x, y)) ?? null;
  if (bytes === null) return null;
  const type = map.kind === 'raster' ? imageTypeOf(bytes) : null;
  return { bytes, type: type ?? (map.tile_type as TileType), isGzip: isGzip(bytes) };
}
