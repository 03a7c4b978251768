import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Fault, unavailable } from '../model/fault.ts';
import { readMeta, writeMeta } from './database.ts';
import { DiskCondition } from './disk_condition.ts';
import { isCorrupt, isDiskFull, isUnreadable, reasonOf } from './failures.ts';
import { checkWritable, prepareFolder } from './folder.ts';
import { refuseHalfRestored } from './half_restored.ts';
import { type Lock, lockFolder } from './lock.ts';
import { traceOfState } from './marker.ts';
import { type Migration, migrate, schemaVersion } from './migrate.ts';
import { stateMigrations } from './migrations/index.ts';
import { syncLog } from './place.ts';
import { DiskReserve } from './reserve.ts';
import { adviceFor, damagedState, UnreadableState } from './unreadable.ts';
import { ensureDefaultWorkspace, type WorkspaceRow, workspaceRows } from './workspaces.ts';

/**
 * The text "DNLN". It marks a database as Dunlin's own, so the database of another program is refused and not migrated.
 */
const applicationId = 0x444e4c4e;

/**
 * State of the box, in `<dataDir>/state.db`. When the outermost `write` returns, the change is on the disk: it survives
 * a crash of the process and a power failure.
 */
export type State = {
  /** Database connection, only for the modules of this folder. */
  readonly db: Database.Database;
  readonly path: string;
  /** True if the last run did not close the database. The file was then checked completely. */
  readonly recovered: boolean;
  /**
   * Runs `work` as one transaction. `what` begins the sentence of a failure, for example `The sensor North mast`.
   * Throws a Fault `unavailable` if the disk refuses. If `work` throws, nothing is changed and its error passes
   * through.
   */
  write<T>(what: string, work: () => T): T;
  /**
   * Like `write`, but does not wait for the disk. On return, the change survives a crash of the process; it survives a
   * power failure only after `sync`.
   */
  writeUnsynced<T>(what: string, work: () => T): T;
  /**
   * Runs `work`, whose writes may use the reserve if the disk is full. A refused write is repeated from its beginning.
   * Use it for actions that must not wait for free space: revocations, sign-ins, commands, approvals, acknowledgements,
   * people's decisions about tracks.
   */
  vital<T>(work: () => T): T;
  /**
   * Like `vital`, but uses only a bounded share of the reserve. Use it for records of refused requests, which anyone
   * can cause in any number.
   */
  refusal<T>(work: () => T): T;
  /** Refills the reserve by at most `bytes`, as far as the disk has free space. */
  fillReserve(bytes?: number): void;
  /**
   * Syncs the disk. On return, unsynced writes survive a power failure. Throws a Fault `unavailable` if the disk
   * refuses.
   */
  sync(): void;
  /**
   * Returns a sentence about a disk that refuses writes or is slow; null without a fault. A full disk is not reported
   * here.
   */
  trouble(): string | null;
  /** After a refused write, writes a small value to find out whether the disk works again. */
  retry(): void;
  /** Returns true if another process has changed the database since the last call. */
  changedOutside(): boolean;
  /** Merges the write-ahead log into `state.db`, marks the database as closed cleanly, and unlocks the folder. */
  close(): void;
};

/**
 * Opens the state of a data folder, creates a missing folder, and locks the folder against a second daemon. Each
 * failure is a Fault: `conflict` if the folder is in use, `internal` for a migration that would break references, else
 * `unavailable`.
 */
export function openState(dataDir: string, migrations: readonly Migration[] = stateMigrations): State {
  const folder = resolve(dataDir);
  refuseHalfRestored(folder);
  prepareFolder(folder);
  const lock = lockFolder(folder);
  try {
    const path = join(folder, 'state.db');
    new DiskReserve(folder).easeStart();
    const { db, recovered } = openDatabase(path, migrations);
    return stateOf(db, path, recovered, lock);
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

/**
 * Opens the state of a data folder while a daemon may be running. Nothing is locked, migrated or marked. Each change
 * waits up to 5 s for the write lock of the database. Returns null if there is no database of the newest schema;
 * `openState` creates or migrates it.
 */
export function openStateBeside(dataDir: string, migrations: readonly Migration[] = stateMigrations): State | null {
  const path = join(resolve(dataDir), 'state.db');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  checkWritable(path);
  let db: Database.Database | null = null;
  try {
    db = new Database(path, { timeout: 5_000, fileMustExist: true });
    refuseForeign(db, path);
    if (schemaVersion(db) !== (migrations.at(-1)?.version ?? 0)) {
      db.close();
      return null;
    }
    configure(db);
    return besideOf(db, path);
  } catch (thrown) {
    db?.close();
    throw thrown instanceof Fault ? thrown : openingFault(thrown, path);
  }
}

/**
 * Opens an empty state in memory with one workspace, for a world that is not stored. With it, runs and replays use the
 * same statements as the live world.
 */
export function openScratch(workspace: WorkspaceRow): State {
  const state = inMemory(() => {});
  workspaceRows(state).insert(workspace);
  return state;
}

/**
 * Opens an empty state in memory with the first workspace, for a box whose database cannot be read. `close` calls
 * `onClose`.
 */
export function openMemory(onClose: () => void): State {
  const state = inMemory(onClose);
  ensureDefaultWorkspace(state.db);
  return state;
}

function inMemory(onClose: () => void): State {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = ON');
  migrate(db, ':memory:', stateMigrations);
  const close = (): void => {
    db.close();
    onClose();
  };
  return { db, path: ':memory:', recovered: false, ...accessOf(db, 'memory', null), close };
}

function openDatabase(path: string, migrations: readonly Migration[]): { db: Database.Database; recovered: boolean } {
  checkWritable(path);
  let db: Database.Database | null = null;
  try {
    const fresh = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
    if (fresh) refuseEmptied(path);
    db = new Database(path, { timeout: 5_000 });
    if (fresh) chmodSync(path, 0o640);
    else refuseForeign(db, path);
    if (schemaVersion(db) === 0) refuseEmptied(path);
    const recovered = !fresh && checkWhole(db, path);
    configure(db);
    if (applicationOf(db) !== applicationId) db.pragma(`application_id = ${applicationId}`);
    migrate(db, path, migrations);
    ensureDefaultWorkspace(db);
    markClean(db, false);
    return { db, recovered };
  } catch (thrown) {
    db?.close();
    throw thrown instanceof Fault ? thrown : openingFault(thrown, path);
  }
}

/**
 * Size of the write-ahead log, in pages, from which a commit also copies the log into the database (checkpoint). A
 * checkpoint syncs both files.
 */
const CHECKPOINT_PAGES = 1_000;
const withDisk = `PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`;
/** With these settings, commits neither wait for the disk nor run a checkpoint; the next synced commit runs it. */
const withoutDisk = 'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0';

function configure(db: Database.Database): void {
  db.pragma('journal_mode = WAL');
  // `synchronous` is set after the journal mode, because this build of SQLite lowers it to NORMAL when the database
  // enters WAL.
  db.exec(withDisk);
  db.pragma('foreign_keys = ON');
  db.pragma('cache_size = -2048');
  db.pragma('journal_size_limit = 4194304');
}

function applicationOf(db: Database.Database): number {
  return Number(db.pragma('application_id', { simple: true }));
}

function refuseForeign(db: Database.Database, path: string): void {
  const empty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (empty || applicationOf(db) === applicationId) return;
  throw unavailable(
    `The file ${path} is a database of another program: move the file away, or use another data folder.`,
  );
}

/**
 * Refuses an empty or missing database in a folder with files of an earlier run. If it were started as a new box,
 * anyone could become its owner.
 */
function refuseEmptied(path: string): void {
  const trace = traceOfState(dirname(path));
  if (trace === null) return;
  const how = existsSync(path) ? 'is empty' : 'is missing';
  const what = `The database ${path} ${how}, and ${trace} shows that there was one.`;
  throw new UnreadableState(`${what} ${adviceFor(dirname(path))}`);
}

/**
 * Checks the content of the file. If the last run did not close the file, checks it completely, and returns true.
 */
function checkWhole(db: Database.Database, path: string): boolean {
  if (schemaVersion(db) === 0) return false;
  const marker = readMeta(db, 'clean_stop');
  const check = marker === '1' ? 'quick_check' : 'integrity_check';
  const found = db.prepare(`PRAGMA ${check}(1)`).pluck().get();
  if (found !== 'ok') throw damagedState(path, String(found));
  return marker !== '1';
}

function markClean(db: Database.Database, clean: boolean): void {
  writeMeta(db, 'clean_stop', clean ? '1' : '0');
}

function openingFault(thrown: unknown, path: string): Fault {
  if (isCorrupt(thrown) || isUnreadable(thrown)) return damagedState(path, reasonOf(thrown), thrown);
  return unavailable(`The database ${path} cannot be used: ${reasonOf(thrown)}.`, { cause: thrown });
}

function stateOf(db: Database.Database, path: string, recovered: boolean, lock: Lock): State {
  return {
    db,
    path,
    recovered,
    ...accessOf(db, path, new DiskReserve(dirname(path))),
    close() {
      if (!db.open) return;
      try {
        markClean(db, true);
        db.pragma('wal_checkpoint(TRUNCATE)');
      } catch {
        // A disk failure here loses nothing, because the next start reads the write-ahead log and checks the file.
      } finally {
        db.close();
        lock.release();
      }
    },
  };
}

function besideOf(db: Database.Database, path: string): State {
  const access = accessOf(db, path, new DiskReserve(dirname(path)));
  return { db, path, recovered: false, ...access, close: () => void db.close() };
}

function accessOf(
  db: Database.Database,
  path: string,
  reserve: DiskReserve | null,
): Omit<State, 'db' | 'path' | 'recovered' | 'close'> {
  let seen = dataVersion(db);
  let unsynced = false;
  const running = { vital: 0, refusal: 0 };
  const during = <T>(kind: keyof typeof running, work: () => T): T => {
    running[kind]++;
    try {
      return work();
    } finally {
      running[kind]--;
    }
  };
  const commit = <T>(work: () => T): T => {
    for (;;) {
      try {
        return db.transaction(work).immediate();
      } catch (thrown) {
        // A nested transaction passes the error on, so that the outermost transaction is repeated as a whole.
        if (running.vital + running.refusal === 0 || db.inTransaction || !isDiskFull(thrown)) throw thrown;
        if (!reserve?.give(running.vital === 0)) throw thrown;
      }
    }
  };
  const condition = new DiskCondition(() => performance.now());
  const write: State['write'] = (what, work) => {
    try {
      return db.inTransaction ? commit(work) : condition.timed(() => commit(work));
    } catch (thrown) {
      if (!(thrown instanceof Database.SqliteError) || thrown.code.startsWith('SQLITE_CONSTRAINT')) throw thrown;
      if (!isDiskFull(thrown)) condition.refused(`${path}: ${reasonOf(thrown)}`);
      throw refusedBy(thrown, what, path);
    }
  };
  return {
    write,
    writeUnsynced(what, work) {
      // This write is part of an outer transaction, which is synced as a whole.
      if (db.inTransaction) return write(what, work);
      unsynced = true;
      db.exec(withoutDisk);
      try {
        return write(what, work);
      } finally {
        db.exec(withDisk);
      }
    },
    vital: (work) => during('vital', work),
    refusal: (work) => during('refusal', work),
    fillReserve: (bytes) => reserve?.fill(bytes),
    sync() {
      if (!unsynced) return;
      try {
        if (!db.memory) syncLog(path);
      } catch (thrown) {
        throw refusedBy(thrown, 'The last change', path);
      }
      unsynced = false;
    },
    trouble: () => condition.trouble(),
    retry() {
      if (!condition.isRefused) return;
      try {
        write('A trial', () => writeMeta(db, 'disk_tried', new Date().toISOString()));
      } catch {
        // `condition` has recorded the reason.
      }
    },
    changedOutside() {
      const version = dataVersion(db);
      const changed = version !== seen;
      seen = version;
      return changed;
    },
  };
}

function refusedBy(thrown: unknown, what: string, path: string): Fault {
  const where = isDiskFull(thrown) ? `the disk of ${path} is full` : `${path}: ${reasonOf(thrown)}`;
  return unavailable(`${what} was not saved: ${where}.`, { cause: thrown });
}

/** Returns a number that changes when another connection has committed (SQLite's data_version). */
function dataVersion(db: Database.Database): number {
  return Number(db.pragma('data_version', { simple: true }));
}
