import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Config } from '../../host/config.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { type LinkSpec, linkBodySchema } from '../../model/link.ts';
import { type OutletSpec, outletSpecSchema } from '../../model/outlet.ts';
import { historyFolders } from '../../store/backup.ts';
import { reasonOf } from '../../store/failures.ts';
import { nearestFolder } from '../../store/folder.ts';
import { lockFolder } from '../../store/lock.ts';
import { dayFileOf, listDays } from '../../store/log/days.ts';
import { traceOfState } from '../../store/marker.ts';
import { schemaVersion } from '../../store/migrate.ts';
import { stateMigrations } from '../../store/migrations/index.ts';
import { readClockDoubt } from '../../store/retention_clock.ts';
import { adviceFor } from '../../store/unreadable.ts';
import { verifyFolder } from '../audit/command.ts';
import { readDatabase } from '../read_database.ts';
import { type Finding, ok, unknown, warning, wrong } from './finding.ts';

const leastFreeBytes = 200e6;
/** Only this many of the newest day files in each history folder are checked. Older files were closed long ago. */
const dayFilesChecked = 2;

type StoredLink = { name: string; document: string };

/** Returns true if a daemon holds the data folder; null if that cannot be determined. */
export function isInUse(dataDir: string): boolean | null {
  if (!existsSync(join(dataDir, 'lock'))) return false;
  try {
    lockFolder(dataDir).release();
    return false;
  } catch (thrown) {
    return thrown instanceof Fault && thrown.code === 'conflict' ? true : null;
  }
}

export function checkFolder(dataDir: string): Finding {
  const check = 'data folder';
  const who = userInfo().username;
  const nearest = nearestFolder(dataDir);
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (thrown) {
    const advice = `run this as the daemon's user, or give the folder to ${who}: chown -R ${who} ${nearest}`;
    return wrong(check, `${nearest} cannot be written: ${reasonOf(thrown)}`, advice);
  }
  if (!existsSync(dataDir)) return ok(check, `${dataDir} does not exist yet and can be created`);
  const others = (statSync(dataDir).mode & 0o007) !== 0;
  if (others) return warning(check, `${dataDir} can be entered by every user of the box`, `chmod o= ${dataDir}`);
  return ok(check, `${dataDir} can be written by ${who}`);
}

export function checkDisk(dataDir: string, retention: Config['data']['retention']): Finding {
  const check = 'disk';
  const { bavail, bsize } = statfsSync(nearestFolder(dataDir));
  const free = bavail * bsize;
  const used = existsSync(dataDir) ? historyBytes(dataDir) : 0;
  const text = `${gigabytes(free)} free, the history takes ${gigabytes(used)} of ${gigabytes(retention.bytes)}`;
  if (free < leastFreeBytes) return wrong(check, text, 'free disk space, or lower data.retention.bytes');
  if (used + free < retention.bytes + leastFreeBytes) {
    return warning(check, text, 'the disk fills before the history reaches its limit: lower data.retention.bytes');
  }
  return ok(check, text);
}

function historyBytes(dataDir: string): number {
  const folders = historyFolders(dataDir).map((name) => join(dataDir, name));
  const paths = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

export function checkDatabases(dataDir: string): Finding[] {
  const path = join(dataDir, 'state.db');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return [checkMissing(dataDir, path)];
  const state = checkState(path);
  const readable = state.state === 'ok' ? [checkAudit(dataDir), ...checkRetention(path)] : [];
  return [state, ...readable, ...checkHistory(dataDir)];
}

/** Returns the finding for a missing database: the box is new, or it has lost its database. */
function checkMissing(dataDir: string, path: string): Finding {
  const trace = traceOfState(dataDir);
  if (trace === null) return ok('database', 'there is no database yet: the first start creates it');
  const text = `${path} is missing or empty, and ${trace} shows that there was one: Dunlin starts in recovery`;
  return wrong('database', text, adviceFor(dataDir));
}

function checkState(path: string): Finding {
  const restore = adviceFor(dirname(path));
  try {
    const { version, found } = lookInto(path);
    const newest = stateMigrations.at(-1)?.version ?? 0;
    if (found !== 'ok') return wrong('database', `${path} is damaged: ${found}`, restore);
    if (version <= newest) return ok('database', `${path} is whole (schema ${version})`);
    const text = `${path} was written by a newer Dunlin (schema ${version}; this one knows ${newest})`;
    return wrong('database', text, 'install that version again');
  } catch (thrown) {
    return wrong('database', `${path} cannot be read: ${reasonOf(thrown)}`, restore);
  }
}

function lookInto(path: string): { version: number; found: string } {
  return readDatabase(path, (db) => {
    return { version: schemaVersion(db), found: String(db.prepare('PRAGMA quick_check(1)').pluck().get()) };
  });
}

/**
 * Returns the links that were created at run time, of all workspaces. Leaves out links whose names the configuration
 * has, and unreadable rows. Empty if the database cannot be read.
 */
export function storedLinks(dataDir: string, ofFile: readonly LinkSpec[]): LinkSpec[] {
  return readState(dataDir, [], (db) => {
    const rows = db.prepare<[], StoredLink>('SELECT name, document FROM links ORDER BY created_at, id').all();
    const others = rows.filter(({ name }) => !ofFile.some((link) => link.name === name));
    return others.flatMap(({ name, document }) => {
      const read = linkBodySchema.safeParse({ ...JSON.parse(document), name });
      return read.success ? [read.data] : [];
    });
  });
}

/**
 * Returns the outlets that were created at run time, of all workspaces. Leaves out outlets whose names the
 * configuration has, and unreadable rows. Empty if the database cannot be read.
 */
export function storedOutlets(dataDir: string, ofFile: readonly { name: string }[]): OutletSpec[] {
  return readState(dataDir, [], (db) => {
    const rows = db.prepare<[], StoredLink>('SELECT name, document FROM outlets ORDER BY created_at, id').all();
    const others = rows.filter(({ name }) => !ofFile.some((outlet) => outlet.name === name));
    return others.flatMap(({ document }) => {
      const read = outletSpecSchema.safeParse(JSON.parse(document));
      return read.success ? [read.data] : [];
    });
  });
}

/** Returns the number of sensors that were declared at run time; 0 if the database cannot be read. */
export function storedSensors(dataDir: string): number {
  return readState(dataDir, 0, (db) => Number(db.prepare('SELECT count(*) FROM sensors').pluck().get()));
}

/** Returns the number of zones of all workspaces; 0 if the database cannot be read. */
export function storedZones(dataDir: string): number {
  return readState(dataDir, 0, (db) => Number(db.prepare('SELECT count(*) FROM zones').pluck().get()));
}

/** Returns the number of owners of all workspaces; 0 if the database cannot be read. */
export function storedOwners(dataDir: string): number {
  const counted = "SELECT count(*) FROM memberships WHERE role = 'owner'";
  return readState(dataDir, 0, (db) => Number(db.prepare(counted).pluck().get()));
}

/** Reads the state database. Returns `otherwise` if the database is missing or cannot be read. */
export function readState<T>(dataDir: string, otherwise: T, read: (db: Database.Database) => T): T {
  const path = join(dataDir, 'state.db');
  if (!existsSync(path)) return otherwise;
  try {
    return readDatabase(path, read);
  } catch {
    return otherwise;
  }
}

function checkAudit(dataDir: string): Finding {
  try {
    const { rows, broken, unchecked } = verifyFolder(dataDir);
    const advice = 'run dunlin audit verify for details; compare with a backup to see what was changed';
    if (broken !== null) {
      const where = broken.seq === null ? '' : ` at row ${broken.seq}`;
      return wrong('audit log', `broken${where}: ${broken.why}`, advice);
    }
    const [sentence] = unchecked;
    if (sentence !== undefined)
      return warning('audit log', sentence, "run this check with the daemon's secret key and as the daemon's user");
    return ok('audit log', `${rows} rows in one intact chain`);
  } catch (thrown) {
    return unknown('audit log', sentenceOf(thrown));
  }
}

/** Warns if the daemon doubts its clock: it then deletes no history by age, so the history grows to its size limit. */
function checkRetention(path: string): Finding[] {
  const doubt = readDatabase(path, readClockDoubt);
  if (doubt === null) return [];
  const advice =
    'compare the clock with the correct time; an owner then confirms it with POST /api/retention/confirm-clock';
  return [warning('retention', `no history is deleted by age, because the clock may be wrong: ${doubt}`, advice)];
}

function checkHistory(dataDir: string): Finding[] {
  const findings: Finding[] = [];
  for (const folder of historyFolders(dataDir)) {
    const names = readdirSync(join(dataDir, folder));
    const aside = names.filter((name) => /\.(corrupt|newer)-\d+$/.test(name));
    for (const day of listDays(join(dataDir, folder)).slice(-dayFilesChecked)) {
      const path = dayFileOf(join(dataDir, folder), day);
      try {
        const { found } = lookInto(path);
        if (found !== 'ok') findings.push(damagedDay(path, found));
      } catch (thrown) {
        findings.push(damagedDay(path, reasonOf(thrown)));
      }
    }
    if (aside.length === 0) continue;
    const text = `${aside.length} day files in ${join(dataDir, folder)} were set aside as damaged or of a newer version`;
    findings.push(
      warning(
        'history',
        text,
        'copy these files elsewhere or delete them; if files were damaged, the disk may be failing',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok('history', 'the newest days are whole')];
}

function damagedDay(path: string, why: string): Finding {
  return wrong(
    'history',
    `${path} is damaged: ${why}`,
    'restart the daemon: it renames the file when it meets the damage, and writes new rows to a new file',
  );
}
