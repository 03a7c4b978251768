import { chmodSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { readMeta } from '../database.ts';
import { isBadRow } from '../failures.ts';
import { syncLog } from '../place.ts';
import { createTables, dayFileVersion, inserts, NewerDayFile, upgrade } from './day_schema.ts';
import { type Dropped, noneDropped } from './dropped.ts';
import type { Kind } from './packed.ts';
import { valuesOfRow } from './row_bytes.ts';

/**
 * Row of one day, with the number of its batch. `atMs` is the time under which the row is stored; its values are in
 * `bytes`, from `at` on.
 */
export type DayRow = {
  readonly batch: number;
  readonly kind: Kind;
  readonly atMs: number;
  readonly bytes: Buffer;
  readonly at: number;
};

/**
 * Size up to which a file is checked after a crash, bytes. Checking a larger file would delay new rows; its damage is
 * found when a page is read.
 */
const largestCheckedBytes = 512 * 1024 * 1024;

/**
 * Page caches of a file that is read only, and of one that is written, KiB. Under load each commit writes a page of each
 * track: these are read once, and written to the file every few commits.
 */
const [readCacheKib, writeCacheKib] = [1_024, 4_096];

export type DayFile = {
  readonly db: Database.Database;
  /**
   * Commits rows in one transaction. Rows of batches that the file already has are skipped. Returns the numbers of rows
   * that no table accepted, by kind.
   */
  insert(rows: readonly DayRow[], onRefusal: (thrown: unknown) => void): Dropped;
  /** Shrinks the page cache of a file that is read only from now on. The next insert makes it large again. */
  shrink(): void;
  /** Syncs the commits since the last call. On return, they survive a power failure. */
  sync(): void;
  /**
   * Returns the position of the file in the order in which the folder's files were created; 0 for a file of an earlier
   * version.
   */
  order(): number;
  /** Returns the number of free bytes inside the file; new rows use them before the file grows. */
  freeBytes(): number;
  close(): void;
};

/**
 * Opens the database of one day. If `create` is true, a missing file is created, with the position `order` among the
 * folder's files. `session` identifies the run of the daemon that numbers the batches. A commit survives a crash of the
 * process. It survives a power failure only after `sync`, but a power failure never leaves half a transaction. Throws
 * `NewerDayFile` for a file of a newer version, and SQLite's errors unchanged. A file that fails its check after a
 * crash throws `SQLITE_CORRUPT`.
 */
export function openDayFile(path: string, session: string, create: boolean, order = 1): DayFile {
  const db = new Database(path, { fileMustExist: !create, timeout: 1_000 });
  try {
    closeToOthers(path);
    prepare(db, order);
    return dayFileOf(db, path, session);
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/**
 * Restricts the permissions of the file, because earlier versions made it readable for everybody. Call it before SQLite
 * creates the write-ahead log, which gets the same permissions.
 */
function closeToOthers(path: string): void {
  for (const each of [path, `${path}-wal`, `${path}-shm`]) {
    const mode = statSync(each, { throwIfNoEntry: false })?.mode ?? 0;
    try {
      if ((mode & 0o027) !== 0) chmodSync(each, 0o640);
    } catch {
      // The file belongs to another user, who allows this user to write it.
    }
  }
}

function prepare(db: Database.Database, order: number): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > dayFileVersion) throw new NewerDayFile(version);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma(`cache_size = -${readCacheKib}`);
  db.pragma('journal_size_limit = 16777216');
  db.pragma('wal_autocheckpoint = 4000');
  if (version === 0) createTables(db, order);
  else {
    if (readMeta(db, 'clean') !== '1') quickCheck(db);
    if (version < dayFileVersion) upgrade(db, version);
  }
}

function quickCheck(db: Database.Database): void {
  const pages = Number(db.pragma('page_count', { simple: true }));
  const pageBytes = Number(db.pragma('page_size', { simple: true }));
  if (pages * pageBytes > largestCheckedBytes) return;
  const found = String(db.prepare('PRAGMA quick_check(1)').pluck().get());
  if (found !== 'ok') throw new Database.SqliteError(found.trim().replaceAll(/\s+/g, ' '), 'SQLITE_CORRUPT');
}

function dayFileOf(db: Database.Database, path: string, session: string): DayFile {
  const setMeta = db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value');
  const statements = Object.fromEntries(Object.entries(inserts).map(([kind, sql]) => [kind, db.prepare(sql)]));
  const [lastSession, lastBatch] = (readMeta(db, 'batch') ?? '').split(' ');
  let stored = lastSession === session ? Number(lastBatch) : 0;
  let dirty = false;
  let unsynced = false;
  let cacheKib = readCacheKib;
  const setCache = (kib: number): void => {
    if (kib !== cacheKib) db.pragma(`cache_size = -${kib}`);
    if (kib < cacheKib) db.pragma('shrink_memory');
    cacheKib = kib;
  };

  const insertAll = db.transaction((rows: readonly DayRow[], onRefusal: (thrown: unknown) => void): Dropped => {
    const refused = noneDropped();
    let newest = stored;
    for (const { batch, kind, atMs, bytes, at } of rows) {
      if (batch <= stored) continue;
      newest = Math.max(newest, batch);
      try {
        statements[kind]?.run(atMs, valuesOfRow(bytes, at));
      } catch (thrown) {
        if (!isBadRow(thrown) || !db.inTransaction) throw thrown;
        refused[kind] += 1;
        onRefusal(thrown);
      }
    }
    if (newest > stored) setMeta.run('batch', `${session} ${newest}`);
    if (!dirty) setMeta.run('clean', '0');
    return refused;
  });

  return {
    db,
    insert(rows, onRefusal) {
      setCache(writeCacheKib);
      const refused = insertAll.immediate(rows, onRefusal);
      for (const { batch } of rows) stored = Math.max(stored, batch);
      dirty = true;
      unsynced = true;
      return refused;
    },
    shrink: () => setCache(readCacheKib),
    sync() {
      if (unsynced) syncLog(path);
      unsynced = false;
    },
    order: () => Number(readMeta(db, 'order') ?? 0),
    freeBytes() {
      const pages = Number(db.pragma('freelist_count', { simple: true }));
      return pages * Number(db.pragma('page_size', { simple: true }));
    },
    close() {
      if (!db.open) return;
      try {
        if (dirty) setMeta.run('clean', '1');
        db.pragma('wal_checkpoint(TRUNCATE)');
      } catch {
        // On a full disk, the write-ahead log remains and the file stays marked as unclean. The next opening reads that
        // log and checks the file.
      } finally {
        db.close();
      }
    },
  };
}
