import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { MAX_ZOOM, type TileType } from '../model/base_map.ts';
import { attributionOf, boundsOf, checkZooms, nameOf } from './facts.ts';
import { imageTypeOf } from './tile_bytes.ts';
import { MAX_TILE_BYTES, type TileFacts, type TileFile, Unreadable } from './tile_file.ts';

const HEADER_BYTES = 100;
const FIND_TILE = 'SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?';
const HAS_ZOOM = 'SELECT 1 FROM tiles WHERE zoom_level = ? LIMIT 1';
const ANY_TILE = 'SELECT tile_data FROM tiles WHERE zoom_level = ? LIMIT 1';

const formats: Record<string, TileType> = {
  pbf: 'mvt',
  mvt: 'mvt',
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
};

/** A map in the MBTiles format: a SQLite database with a table or view of tiles. The file is never written. */
export class MbtilesFile implements TileFile {
  readonly facts: TileFacts;
  readonly #db: Database.Database;
  readonly #find: Database.Statement<[number, number, number], Buffer | null>;

  private constructor(db: Database.Database) {
    this.#db = db;
    this.#find = db.prepare<[number, number, number], Buffer | null>(FIND_TILE).pluck();
    this.facts = readFacts(db);
  }

  /**
   * Opens a database and checks that its tiles are found by an index. Throws `Unreadable`, or an error of SQLite or
   * of the system.
   */
  static open(path: string): MbtilesFile {
    checkHeader(path);
    const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      // Views in the file must not call functions with side effects. Damaged pages must be detected.
      db.pragma('trusted_schema = OFF');
      db.pragma('cell_size_check = ON');
      db.pragma('query_only = ON');
      checkPlan(db, FIND_TILE);
      checkPlan(db, HAS_ZOOM);
      return new MbtilesFile(db);
    } catch (thrown) {
      db.close();
      throw thrown;
    }
  }

  /** Reads a tile; `y` counts from the north. Rows in the file count from the south. */
  async tile(z: number, x: number, y: number): Promise<Buffer | null> {
    const bytes = this.#find.get(z, x, 2 ** z - 1 - y) ?? null;
    if (bytes === null || bytes.length === 0) return null;
    if (!Buffer.isBuffer(bytes)) throw new Unreadable('contains a tile that is not stored as a blob');
    if (bytes.length > MAX_TILE_BYTES)
      throw new Unreadable(`contains a tile of ${bytes.length} bytes, more than the limit of ${MAX_TILE_BYTES} bytes`);
    return bytes;
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}

/** Throws `Unreadable` if the file is no complete SQLite database, or if its journal mode needs further files. */
function checkHeader(path: string): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const { size } = fstatSync(file);
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES)
      throw new Unreadable('is too short for an MBTiles file; it may be copied in part');
    if (header.toString('latin1', 0, 15) !== 'SQLite format 3')
      throw new Unreadable('is no MBTiles file: it is no SQLite database');
    if (header[18] === 2 || header[19] === 2)
      throw new Unreadable(
        "is in SQLite's WAL mode, which needs further files: set PRAGMA journal_mode = DELETE where it was made, and copy it again",
      );
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    // The header's number of pages is valid only if the last writer updated it: then both change counters are equal.
    const isKept = header.readUInt32BE(24) === header.readUInt32BE(92);
    const whole = isKept ? header.readUInt32BE(28) * pageBytes : 0;
    if (size < whole) throw new Unreadable(`has ${size} of its ${whole} bytes: it is copied in part, or cut off`);
  } finally {
    closeSync(file);
  }
}

/**
 * Throws `Unreadable` if a query on tiles does not match the tables, or uses no index. A search through all tiles would
 * block the service.
 */
function checkPlan(db: Database.Database, query: string): void {
  let steps: { detail: string }[];
  try {
    steps = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all(
      ...query
        .split('?')
        .slice(1)
        .map(() => 0),
    );
  } catch (thrown) {
    if (thrown instanceof Database.SqliteError && thrown.code === 'SQLITE_ERROR')
      throw new Unreadable('is no MBTiles file: it has no table of tiles as the format describes it');
    throw thrown;
  }
  const isSlow = steps.some(
    ({ detail }) => /^(SCAN|MATERIALIZE|CO-ROUTINE)/.test(detail) || detail.includes('AUTOMATIC'),
  );
  if (isSlow)
    throw new Unreadable('has no index of its tiles: create one on the columns zoom_level, tile_column and tile_row');
}

function readFacts(db: Database.Database): TileFacts {
  const metadata = readMetadata(db);
  const { minZoom, maxZoom } = zoomsOf(db, metadata);
  checkZooms(minZoom, maxZoom);
  const bounds = boundsOf(
    (metadata.get('bounds') ?? '').split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text))),
  );
  const tileType = tileTypeOf(db, metadata, maxZoom);
  const [name, attribution] = [nameOf(metadata.get('name')), attributionOf(metadata.get('attribution'))];
  return { name, tileType, minZoom, maxZoom, bounds, attribution };
}

function readMetadata(db: Database.Database): Map<string, string> {
  const rows = new Map<string, string>();
  // Only a table is read, because a query on a view might never end.
  const hasTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'metadata' AND type = 'table'").get();
  if (hasTable === undefined) return rows;
  const wanted = "'name', 'format', 'bounds', 'minzoom', 'maxzoom', 'attribution'";
  const first = 'SELECT name, substr(value, 1, 20000) AS value FROM metadata LIMIT 1000';
  const query = `SELECT name, value FROM (${first}) WHERE name IN (${wanted})`;
  for (const { name, value } of db.prepare<[], { name: unknown; value: unknown }>(query).iterate())
    rows.set(String(name), String(value ?? ''));
  return rows;
}

/** Returns the zoom levels that the metadata state, or else the levels of the stored tiles. */
function zoomsOf(db: Database.Database, metadata: ReadonlyMap<string, string>): { minZoom: number; maxZoom: number } {
  const [min, max] = [metadata.get('minzoom') ?? '', metadata.get('maxzoom') ?? ''];
  if (/^\d{1,2}$/.test(min) && /^\d{1,2}$/.test(max)) return { minZoom: Number(min), maxZoom: Number(max) };
  const find = db.prepare<[number]>(HAS_ZOOM);
  const levels = Array.from({ length: MAX_ZOOM + 1 }, (_, z) => z).filter((z) => find.get(z) !== undefined);
  const [first, last] = [levels[0], levels.at(-1)];
  if (first === undefined || last === undefined) throw new Unreadable('has no tiles');
  return { minZoom: first, maxZoom: last };
}

/**
 * Returns the type of the tiles. For images, the bytes of a tile take precedence over the metadata, since some writers
 * name one format and store another.
 */
function tileTypeOf(db: Database.Database, metadata: ReadonlyMap<string, string>, zoom: number): TileType {
  const named = formats[(metadata.get('format') ?? '').trim().toLowerCase()];
  if (named === 'mvt') return named;
  const tile: unknown = db.prepare<[number]>(ANY_TILE).pluck().get(zoom);
  const type = Buffer.isBuffer(tile) ? (imageTypeOf(tile) ?? named) : named;
  if (type === undefined) throw new Unreadable("has tiles of an unknown type: its metadata needs a 'format'");
  return type;
}
