import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { Fault } from '../model/fault.ts';
import { withDatabase } from './database.ts';
import { moveIntoPlace } from './place.ts';

/**
 * One step of a schema, from `version - 1` to `version`. There are no steps back: to go back, restore the copy that is
 * made before the first step.
 */
export type Migration = { readonly version: number; readonly sql: string };

const copiesKept = 3;

/** Fault of a database that a newer version wrote. The daemon ends with an exit code of its own, for a rollback. */
export class NewerState extends Fault {
  constructor(path: string, found: number, newest: number) {
    const versions = `schema ${found}; this one knows ${newest}`;
    super(
      'unavailable',
      `The database ${path} was written by a newer Dunlin (${versions}): install that version again, or restore the copy that was made before its upgrade.`,
    );
  }
}

/**
 * Migrates a database to the newest schema, each step in its own transaction. A database of an older schema is first
 * copied to `<path>.before-<newest version>`; the copies before the newest three versions are kept. The next try of an
 * upgrade that stopped between two steps keeps the copy of the first try, and adds `-from-<found version>` to its own.
 * Throws `NewerState` if the database has a newer schema than `migrations`.
 */
export function migrate(db: Database.Database, path: string, migrations: readonly Migration[]): void {
  const found = schemaVersion(db);
  const newest = migrations.at(-1)?.version ?? 0;
  if (found > newest) throw new NewerState(path, found, newest);
  if (found === newest) return;
  if (found > 0) copyBefore(db, path, newest);
  // A step may rebuild a table to which foreign keys refer. The references are checked before the step commits.
  db.pragma('foreign_keys = OFF');
  for (const migration of migrations) if (migration.version > found) apply(db, path, migration);
  db.pragma('foreign_keys = ON');
}

export function schemaVersion(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function apply(db: Database.Database, path: string, { version, sql }: Migration): void {
  db.transaction(() => {
    db.exec(sql);
    const broken = db.pragma('foreign_key_check');
    if (Array.isArray(broken) && broken.length > 0) {
      throw new Fault(
        'internal',
        `The upgrade of ${path} to schema ${version} failed: some rows would refer to rows that do not exist.`,
      );
    }
    db.pragma(`user_version = ${version}`);
  }).immediate();
}

function copyBefore(db: Database.Database, path: string, version: number): void {
  const found = schemaVersion(db);
  const first = `${path}.before-${version}`;
  // The copy of an older schema may be of the first try of this upgrade, or of another one long ago.
  const copy = holdsOlder(first, found) ? `${first}-from-${found}` : first;
  moveIntoPlace(copy, (part) => db.prepare('VACUUM INTO ?').run(part));
  removeOldCopies(path);
}

/** Returns true if a copy exists, is complete, and has an older schema than `found`. */
function holdsOlder(copy: string, found: number): boolean {
  if (!existsSync(copy)) return false;
  try {
    return withDatabase(copy, { readonly: true }, (db) => {
      const version = schemaVersion(db);
      return version > 0 && version < found && db.pragma('quick_check', { simple: true }) === 'ok';
    });
  } catch {
    return false;
  }
}

function removeOldCopies(path: string): void {
  const prefix = `${basename(path)}.before-`;
  const copies = readdirSync(dirname(path)).flatMap((name) => {
    const version = name.startsWith(prefix) ? /^(\d+)(-from-\d+)?$/.exec(name.slice(prefix.length))?.[1] : undefined;
    return version === undefined ? [] : [{ name, version: Number(version) }];
  });
  const kept = [...new Set(copies.map(({ version }) => version))].sort((a, b) => b - a).slice(0, copiesKept);
  for (const { name, version } of copies)
    if (!kept.includes(version)) rmSync(join(dirname(path), name), { force: true });
}
