import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { BACKUP_MANIFEST, backupManifestSchema } from './backup_manifest.ts';
import { readNote } from './place.ts';

/**
 * File beside `state.db` with the path of the last backup. It makes the backup findable if the database cannot be read.
 */
const LAST_BACKUP_FILE = 'backup.last';

export type FoundBackup = { path: string; madeAt: string };

const lastSchema = z.strictObject({ path: z.string() });

/**
 * Writes the record of the last backup into a restored folder. Without such a backup, the record names `restored`, the
 * backup that was restored. Returns the path of the record.
 */
export function carryLastBackup(dataDir: string, to: string, restored: string): string {
  const last = lastBackup(dataDir);
  noteBackup(to, last !== null && backupAt(last).length > 0 ? last : restored);
  return join(to, LAST_BACKUP_FILE);
}

/** Records the path of a backup. Never throws: the backup must succeed even if the data folder cannot be written. */
export function noteBackup(dataDir: string, path: string): void {
  try {
    // The file is overwritten in place: if root makes the backup, a new file would belong to root.
    writeFileSync(join(dataDir, LAST_BACKUP_FILE), `${JSON.stringify({ path })}\n`, { mode: 0o640 });
  } catch {
    // Without the record, the search still covers the default backup folder.
  }
}

/**
 * Returns the newest backup; null if none is found. The search covers the folder of the packaged timer (beside the data
 * folder) and the folder of the last backup.
 */
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
