import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseMap, MapFormat } from '../model/base_map.ts';
import { codeOf, reasonOf } from '../store/failures.ts';
import { formatOf, mapNameOf, nameRule } from './map_file_name.ts';
import { MbtilesFile } from './mbtiles.ts';
import { PmtilesFile } from './pmtiles.ts';
import { type TileFile, Unreadable } from './tile_file.ts';

/** Greatest number of files of the folder that are used. Each open file takes a file descriptor. */
export const MAX_FILES = 64;

/** A file of the folder. `tiles` is null if the file cannot be read or may not be opened. */
export type FoundMap = { map: BaseMap; tiles: TileFile | null };
/**
 * A map with `stamp`, which identifies the version of the file that was opened. `stamp` is null if the system refused
 * the file, so that the next scan tries again.
 */
type Kept = FoundMap & { stamp: string | null };

/** The folder of maps. It keeps its files open, and opens a file again only if it changed or the system refused it. */
export class MapFolder {
  readonly path: string;
  #maps = new Map<string, Kept>();
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Maps that the last scan found: PMTiles files first, the files of each format sorted by name. */
  get maps(): readonly FoundMap[] {
    return [...this.#maps.values()];
  }

  get(id: string): FoundMap | undefined {
    return this.#maps.get(id);
  }

  /** Scans the folder. Resolves after a scan that began after the call. Scans run one after another. */
  scan(): Promise<void> {
    this.#queued ??= this.#running.then(() => {
      this.#queued = null;
      this.#running = this.#scan();
      return this.#running;
    });
    return this.#queued;
  }

  /** Closes all files. A later scan opens them again. */
  async close(): Promise<void> {
    await this.#running;
    const maps = this.maps;
    this.#maps = new Map();
    await Promise.all(maps.map(closed));
  }

  async #scan(): Promise<void> {
    const before = this.#maps;
    const now = new Map<string, Kept>();
    for (const file of await this.#files()) {
      const stats = await lstat(join(this.path, file)).catch(() => null);
      // The file was removed since the folder was read.
      if (stats === null) continue;
      const found = mapNameOf(file);
      const isTaken = found === null || now.has(found.id);
      const id = isTaken ? file : found.id;
      const stamp = `${file} ${stampOf(stats)} ${isTaken}`;
      const kept = before.get(id);
      now.set(id, kept?.stamp === stamp ? kept : await this.#found(file, id, stats, stamp, isTaken));
    }
    this.#maps = now;
    const kept = new Set(now.values());
    await Promise.all([...before.values()].filter((one) => !kept.has(one)).map(closed));
  }

  /**
   * Returns the file names with the extension of a map, at most `MAX_FILES`. Hidden files are left out, because copying
   * programs and uploads write into them.
   */
  async #files(): Promise<string[]> {
    const names = await readdir(this.path).catch(() => []);
    const ofMaps = names.filter((name) => !name.startsWith('.') && formatOf(name) !== null);
    // PMTiles files come first in the order. If two files have one id, the first file is served.
    return ofMaps
      .sort((a, b) => (formatOf(a) === formatOf(b) ? (a < b ? -1 : 1) : formatOf(a) === 'pmtiles' ? -1 : 1))
      .slice(0, MAX_FILES);
  }

  async #found(file: string, id: string, stats: Stats, stamp: string, isTaken: boolean): Promise<Kept> {
    const version = versionOf(stats);
    const format = formatOf(file) as MapFormat;
    const refused = refusalOf(file, stats, isTaken);
    if (refused !== null) return { stamp, map: unreadable(file, id, format, stats, refused), tiles: null };
    try {
      const tiles = await openTiles(join(this.path, file), format, `${file}|${stampOf(stats)}`);
      const { name, tileType, minZoom, maxZoom, bounds, attribution } = tiles.facts;
      const map: BaseMap = {
        ...{ id, file, name: name ?? id, format },
        ...{ kind: tileType === 'mvt' ? 'vector' : 'raster', tile_type: tileType },
        ...{ min_zoom: minZoom, max_zoom: maxZoom, bounds, attribution },
        ...{ bytes: stats.size, state: 'ready', error: null, version },
      };
      return { stamp, map, tiles };
    } catch (thrown) {
      const map = unreadable(file, id, format, stats, whyUnreadable(file, thrown));
      return { stamp: isOfSystem(thrown) ? null : stamp, map, tiles: null };
    }
  }
}

/**
 * Opens a file of tiles. `key` identifies this version of the file in caches. `whyUnreadable` turns the thrown errors
 * into sentences.
 */
export async function openTiles(path: string, format: MapFormat, key: string): Promise<TileFile> {
  return format === 'pmtiles' ? PmtilesFile.open(path, key) : MbtilesFile.open(path);
}

/**
 * True if an error came from the system, for example for lack of permission or file descriptors. The content of the
 * file may be valid.
 */
export function isOfSystem(thrown: unknown): boolean {
  return /^(E[A-Z]+|SQLITE_(BUSY|CANTOPEN|PERM|IOERR).*)$/.test(codeOf(thrown));
}

/** Returns a sentence that says why a file is not served. */
export function whyUnreadable(file: string, thrown: unknown): string {
  if (thrown instanceof Unreadable) return `${file} ${thrown.message}`;
  // Errors of the system, SQLite and decompression have a code; errors of the PMTiles reader have none.
  const reason =
    codeOf(thrown) === '' ? 'its tile index (the PMTiles directories) contradicts itself' : reasonOf(thrown);
  return `${file} is damaged or copied in part, or cannot be read: ${reason}`;
}

/** Returns a sentence with the reason why a file is not opened; null if it may be opened. */
function refusalOf(file: string, stats: Stats, isTaken: boolean): string | null {
  if (stats.isSymbolicLink()) return `${file} is a symbolic link, which is not followed: copy the file itself`;
  if (!stats.isFile()) return `${file} is not a regular file`;
  if (mapNameOf(file) === null) return `${file.slice(0, 120)} must be renamed: a name has ${nameRule}`;
  return isTaken ? `${file} has the name of another map: rename one of them` : null;
}

function unreadable(file: string, id: string, format: MapFormat, stats: Stats, error: string): BaseMap {
  const none = { kind: null, tile_type: null, min_zoom: null, max_zoom: null, bounds: null, attribution: null };
  const named = { id, file, name: id, format };
  return { ...named, ...none, bytes: stats.size, state: 'unreadable', error, version: versionOf(stats) };
}

function versionOf({ size, mtimeMs }: Stats): string {
  return `${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`;
}

/**
 * Returns a text that changes with the file. A copy that keeps the modification time of its original still has a new
 * inode time.
 */
function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino].join(' ');
}

async function closed({ tiles }: FoundMap): Promise<void> {
  try {
    await tiles?.close();
  } catch {
    // The file was closed already.
  }
}
