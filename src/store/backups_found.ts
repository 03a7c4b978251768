import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { BACKUP_MANIFEST, backupManifestSchema } from './backup_manifest.ts';
import { readNote } from './place.ts';

/** Beside `state.db`: where the last backup was written, so that it is found when the database cannot be read. */
const LAST_BACKUP_FILE = 'backup.last';

export type FoundBackup = { path: string; madeAt: string };

const lastSchema = z.strictObject({ path: z.string() });

/** Carries the record of the last backup over to a restored folder; `restored` is recorded where that one is gone. */
export function carryLastBackup(dataDir: string, to: string, restored: string): string {
  const last = lastBackup(dataDir);
  noteBackup(to, last !== null && backupAt(last).length > 0 ? last : restored);
  return join(to, LAST_BACKUP_FILE);
}

/** Throws nothing: a data folder that cannot be written is no reason to fail a backup. */
export function noteBackup(dataDir: string, path: string): void {
  try {
    // In place: a file of its own would belong to root where root makes the backup.
    writeFileSync(join(dataDir, LAST_BACKUP_FILE), `${JSON.stringify({ path })}\n`, { mode: 0o640 });
  } catch {
    // The usual folder is searched as well.
  }
}

/** The newest backup in the folder beside the data folder that the packaged timer uses, and where the last one went. */
export function newestBackup(dataDir: string): FoundBackup | null {
  const folders = [`${resolve(dataDir)}-backups`];
  const last = lastBackup(dataDir);
  if (last !== null) folders.push(last, dirname(last));
  const found = folders.flatMap((folder) => [folder, ...childrenOf(folder)]).flatMap(backupAt);
  return found.sort((a, b) => (a.madeAt < b.madeAt ? 1 : -1))[0] ?? null;
}

function lastBackup(dataDir: string): string | null {
  const last = readNote(join(dataDir, LAST_BACKUP_FILE), lastSchema);
  return last === 'unreadable' ? null : (last?.path ?? null);
}

function childrenOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

function backupAt(path: string): FoundBackup[] {
  const manifest = readNote(join(path, BACKUP_MANIFEST), backupManifestSchema);
  if (manifest === null || manifest === 'unreadable' || !existsSync(join(path, 'state.db'))) return [];
  return [{ path, madeAt: manifest.made_at }];
}
