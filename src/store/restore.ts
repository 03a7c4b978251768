import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Actor } from '../model/actor.ts';
import { conflict, Fault, invalidInput, notFound, unavailable } from '../model/fault.ts';
import { AUDIT_KEY_FILE } from './audit_key.ts';
import { checkBackup } from './backup.ts';
import { BACKUP_MANIFEST, type BackupManifest, backupManifestSchema } from './backup_manifest.ts';
import { carryLastBackup } from './backups_found.ts';
import { parsedNote, withDatabase } from './database.ts';
import { reasonOf } from './failures.ts';
import { makeFolder } from './folder.ts';
import { keptPrefix, partOf } from './half_restored.ts';
import { lockFolder } from './lock.ts';
import { dayFileVersion } from './log/day_schema.ts';
import { traceOfState } from './marker.ts';
import { stateMigrations } from './migrations/index.ts';
import { syncPath } from './place.ts';
import { carryRecovery } from './recovery_audit.ts';
import { markRestored } from './restored.ts';

export type Restored = { manifest: BackupManifest; keptAs: string | null; returning: Returning; revoked: boolean };
export type Restoring = {
  time: string;
  at: string;
  by: Actor;
  /** True to revoke the keys that the restore would make valid again. */
  revokeKeys: boolean;
};

/**
 * Replaces a data folder by a backup. The old folder is kept as `<dataDir>.before-restore-<time>`. Everything is
 * checked and copied before a folder is moved. If a Fault is thrown, the data folder is unchanged.
 */
export async function restoreData(
  from: string,
  named: string,
  restoring: Restoring,
  onFile: (path: string) => void,
): Promise<Restored> {
  // A link would be exchanged instead of the folder to which it points.
  const dataDir = existsSync(named) ? realpathSync(named) : named;
  refuseMountPoint(dataDir);
  const manifest = readManifest(from);
  await checkBackup(from, manifest, onFile);
  const lock = existsSync(dataDir) ? lockFolder(dataDir) : null;
  const part = partOf(dataDir);
  try {
    rmSync(part, { recursive: true, force: true });
    copyInto(from, part, manifest, onFile);
    const returning = returningAccess(presentState(dataDir), join(part, 'state.db'));
    if (restoring.revokeKeys) revokeIn(join(part, 'state.db'), returning.keys, restoring.at);
    markRestored(join(part, 'state.db'), {
      ...{ made_at: manifest.made_at, restored_at: restoring.at, by: restoring.by },
      ...(restoring.revokeKeys ? { revoked_keys: returning.keys } : { returned_keys: returning.keys }),
      returned_users: returning.users,
    });
    syncPath(join(part, 'state.db'));
    const carried = carryOver(from, dataDir, part);
    if (existsSync(dataDir)) giveOwner(part, manifest, carried, dataDir);
    const revoked = restoring.revokeKeys;
    return { manifest, keptAs: swap(dataDir, part, restoring.time), returning, revoked };
  } catch (thrown) {
    rmSync(part, { recursive: true, force: true });
    if (thrown instanceof Fault) throw thrown;
    throw unavailable(`the data folder ${dataDir} was not replaced: ${reasonOf(thrown)}`, { cause: thrown });
  } finally {
    lock?.release();
  }
}

function refuseMountPoint(dataDir: string): void {
  if (!existsSync(dataDir) || statSync(dataDir).dev === statSync(dirname(dataDir)).dev) return;
  throw conflict(`${dataDir} is a mount point and cannot be exchanged: mount its disk one folder higher`);
}

/**
 * Returns the path of the database that is to be replaced; null for a folder that never had one. If the database of a
 * used folder is missing, the path is returned too, and `returningAccess` then counts the database as unreadable.
 */
function presentState(dataDir: string): string | null {
  const path = join(dataDir, 'state.db');
  return existsSync(path) || traceOfState(dataDir) !== null ? path : null;
}

function readManifest(from: string): BackupManifest {
  const path = join(from, BACKUP_MANIFEST);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (!existsSync(from)) throw notFound(`the backup folder ${from} does not exist`, { cause: thrown });
    const why = existsSync(path) ? `${path}: ${reasonOf(thrown)}` : `the file ${path} does not exist`;
    throw notFound(`${from} is not a backup: ${why}`, { cause: thrown });
  }
  const manifest = parsedNote(text, backupManifestSchema);
  if (manifest === null || manifest === 'unreadable') throw invalidInput(`${path} is not the manifest of a backup`);
  const newest = stateMigrations.at(-1)?.version ?? 0;
  const { schema_version, day_file_version, version, files } = manifest;
  if (schema_version > newest || day_file_version > dayFileVersion) {
    throw conflict(`the backup was made by a newer Dunlin (${version}): install that version first`);
  }
  if (!files.some((file) => file.path === 'state.db'))
    throw invalidInput(`the backup is incomplete: ${path} does not list the file state.db`);
  return manifest;
}

function copyInto(from: string, to: string, manifest: BackupManifest, onFile: (path: string) => void): void {
  makeFolder(to);
  for (const { path } of manifest.files) {
    onFile(path);
    makeFolder(dirname(join(to, path)));
    copyFileSync(join(from, path), join(to, path));
    chmodSync(join(to, path), path === AUDIT_KEY_FILE ? 0o600 : 0o640);
    syncPath(join(to, path));
  }
  for (const folder of foldersOf(to, manifest)) syncPath(folder);
}

function foldersOf(to: string, manifest: BackupManifest): string[] {
  return [...new Set([to, ...manifest.files.map(({ path }) => dirname(join(to, path)))])];
}

/** Copies files that no backup contains into the restored folder. Returns the paths of the copies. */
function carryOver(from: string, dataDir: string, part: string): string[] {
  // No backup contains the audit rows of a start in recovery; the next start adds them to the chain.
  const carried = [carryLastBackup(dataDir, part, from), ...carryRecovery(dataDir, part)];
  const there = carried.filter((each) => existsSync(each));
  for (const each of there) syncPath(each);
  return there;
}

/** Changes the owner of the restored files to that of the old folder, if root restores. */
function giveOwner(part: string, manifest: BackupManifest, carried: readonly string[], dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  const paths = [...foldersOf(part, manifest), ...carried, ...manifest.files.map(({ path }) => join(part, path))];
  for (const path of paths) chownSync(path, uid, gid);
}

/**
 * Renames the old folder, and moves the restored folder into its place. Returns the new path of the old folder; null if
 * there was none.
 */
function swap(dataDir: string, part: string, time: string): string | null {
  const kept = existsSync(dataDir) ? freePath(`${keptPrefix(dataDir)}${time}`) : null;
  if (kept !== null) renameSync(dataDir, kept);
  try {
    renameSync(part, dataDir);
  } catch (thrown) {
    if (kept !== null) renameSync(kept, dataDir);
    throw thrown;
  }
  syncPath(dirname(dataDir));
  return kept;
}

/**
 * Returns a path that does not exist yet. A second restore within the same second appends a number, so no kept folder
 * is overwritten.
 */
function freePath(path: string): string {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(numbered)) return numbered;
  }
}

type ReturningKey = { id: string; name: string; prefix: string };
type ReturningUser = { id: string; name: string };

/**
 * Keys that were revoked or deleted, and users that were deleted, after the backup was made: the restore brings them
 * back.
 */
type Returning = {
  /**
   * False if the replaced database could not be read. Then all valid keys and all users of the backup are listed,
   * because any of them may have been deleted.
   */
  known: boolean;
  keys: ReturningKey[];
  users: ReturningUser[];
};

/**
 * Compares the valid keys and the users of a backup with those of the replaced database. `presentPath` is null if there
 * is none.
 */
function returningAccess(presentPath: string | null, backupPath: string): Returning {
  const backup = readable(() => accessIn(backupPath)) ?? { keys: [], users: [] };
  if (presentPath === null) return { known: true, keys: [], users: [] };
  const present = readable(() => accessIn(presentPath));
  if (present === null) return { known: false, ...backup };
  const isGone = (now: readonly { id: string }[]) => {
    const ids = new Set(now.map(({ id }) => id));
    return ({ id }: { id: string }): boolean => !ids.has(id);
  };
  const keys = backup.keys.filter(isGone(present.keys));
  return { known: true, keys, users: backup.users.filter(isGone(present.users)) };
}

/** Revokes keys in a database that no daemon has opened. */
function revokeIn(path: string, keys: readonly ReturningKey[], at: string): void {
  withDatabase(path, {}, (db) => {
    const revoke = db.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
    db.transaction(() => {
      for (const { id } of keys) revoke.run(at, id);
    }).immediate();
  });
}

function accessIn(path: string): Pick<Returning, 'keys' | 'users'> {
  return withDatabase(path, { readonly: true, timeout: 5_000 }, (db) => {
    const has = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('api_keys', 'users')").pluck().get();
    // Schema 1 had neither table. A newer database without these tables was emptied.
    if (has !== 2) throw new Error('it has no tables of keys and users');
    const keys = db
      .prepare<[], ReturningKey>('SELECT id, name, prefix FROM api_keys WHERE revoked_at IS NULL ORDER BY name, id')
      .all();
    const users = db.prepare<[], ReturningUser>('SELECT id, name FROM users ORDER BY name').all();
    return { keys, users };
  });
}

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
