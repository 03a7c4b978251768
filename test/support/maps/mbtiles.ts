import Database from 'better-sqlite3';
import type { MadeTile } from './pmtiles.ts';

type Made = { tiles: readonly MadeTile[]; metadata?: Record<string, string>; sql?: string };

const table = `
  CREATE TABLE metadata (name TEXT, value TEXT);
  CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
  CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
`;

/** Writes a file of the MBTiles specification 1.3, whose rows count from the south; `sql` makes other tables. */
export function writeMbtiles(path: string, { tiles, metadata = {}, sql = table }: Made): void {
  const db = new Database(path);
  db.exec(sql);
  const put = 'INSERT INTO metadata VALUES (?, ?)';
  for (const [name, value] of Object.entries(metadata)) db.prepare(put).run(name, value);
  const add = 'INSERT INTO tiles VALUES (?, ?, ?, ?)';
  for (const { z, x, y, bytes } of tiles) db.prepare(add).run(z, x, 2 ** z - 1 - y, bytes);
  db.close();
}
