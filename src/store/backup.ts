import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { conflict, invalidInput } from '../model/fault.ts';
import { CHAIN_BEGIN } from './audit.ts';
import { AUDIT_HEAD_FILE, readHead, writeHead } from './audit_head.ts';
import { AUDIT_KEY_FILE, type AuditKey, isOfSecretKey } from './audit_key.ts';
import { readSeal } from './audit_seal.ts';
import type { BackupManifest } from './backup_manifest.ts';
import { withDatabase } from './database.ts';
import { isCorrupt, isDiskFull, reasonOf } from './failures.ts';
import { makeFolder } from './folder.ts';
import { dayFileOf, listDays } from './log/days.ts';
import { MARKER_FILE, readMarker, writeMarker } from './marker.ts';
import { schemaVersion } from './migrate.ts';
import { syncPath, writeNote } from './place.ts';
import { damagedState } from './unreadable.ts';

export type BackedUp = { files: BackupManifest['files']; schemaVersion: number; skipped: string[] };

/** Returns the names of the history folders in a data folder, one for each workspace. */
export function historyFolders(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => /^history(-wsp_[0-9a-z]+)?$/.test(name));
}

/**
 * Copies `state.db`, key and notes of the audit log, and the history into the empty folder `to`, even while a daemon
 * writes. Each database is copied in one consistent state, `state.db` before the history. Day files that exist but
 * cannot be copied are listed in `skipped`.
 */
export async function copyData(
  dataDir: string,
  to: string,
  key: AuditKey,
  now: string,
  onFile: (path: string) => void,
): Promise<BackedUp> {
  const paths = ['state.db'];
  const skipped: string[] = [];
  onFile('state.db');
  // Head and marker are read before the database is copied, so the copied chain contains at least their rows.
  const present = readHead(dataDir);
  const marker = readMarker(dataDir);
  snapshotState(join(dataDir, 'state.db'), join(to, 'state.db'));
  if (existsSync(join(dataDir, AUDIT_KEY_FILE))) {
    copyFileSync(join(dataDir, AUDIT_KEY_FILE), join(to, AUDIT_KEY_FILE));
    chmodSync(join(to, AUDIT_KEY_FILE), 0o600);
    paths.push(AUDIT_KEY_FILE);
  }
  const state = aboutState(join(to, 'state.db'));
  const place = { ...(state.head ?? { seq: 0, hash: CHAIN_BEGIN }), at: now };
  // If the daemon writes its first seal at this moment, the copy lacks the seal. The marker is then left out, because
  // it says that a seal exists.
  if (state.isSealed && marker !== null) {
    if (keepsSigned(marker, key)) writeNote(join(to, MARKER_FILE), marker);
    else writeMarker(to, place, key);
    paths.push(MARKER_FILE);
  }
  if (keepsSigned(present, key)) writeNote(join(to, AUDIT_HEAD_FILE), present);
  else if (state.head !== null || present !== null) writeHead(to, place, key, state.isSealed);
  if (existsSync(join(to, AUDIT_HEAD_FILE))) paths.push(AUDIT_HEAD_FILE);
  for (const folder of historyFolders(dataDir)) {
    makeFolder(join(to, folder));
    for (const day of listDays(join(dataDir, folder))) {
      const path = dayFileOf(folder, day);
      onFile(path);
      if (copyDay(join(dataDir, path), join(to, path), skipped)) paths.push(path);
    }
    syncPath(join(to, folder));
  }
  const files = [];
  for (const path of paths) files.push({ path, ...(await measure(join(to, path))) });
  return { files, schemaVersion: state.version, skipped };
}

type Signed = { signature: string };

/**
 * Returns true if a note must be copied unchanged: the secret key signed it, and this program does not have that key. A
 * new signature with the box's own key would look like a forgery.
 */
function keepsSigned<T extends Signed>(note: T | 'unreadable' | null, { hasSecret }: AuditKey): note is T {
  return !hasSecret && note !== null && note !== 'unreadable' && isOfSecretKey(note.signature);
}

/** Copies `state.db`. If the database is damaged, throws a Fault with advice for its recovery. */
function snapshotState(from: string, to: string): void {
  try {
    snapshot(from, to);
  } catch (thrown) {
    // Another error may concern the destination, so it gets no advice about the source.
    throw isCorrupt(thrown) ? damagedState(from, reasonOf(thrown), thrown) : thrown;
  }
}

/** Copies one consistent state of a database into one file, without the pages of deleted rows. */
function snapshot(from: string, to: string): void {
  withDatabase(from, { readonly: true, timeout: 10_000 }, (db) => db.prepare('VACUUM INTO ?').run(to));
  chmodSync(to, 0o640);
  syncPath(to);
}

/**
 * Copies a day file. Returns false if it was not copied: retention deleted the day in the meantime, or the copy failed,
 * for which `skipped` gets a line.
 */
function copyDay(from: string, to: string, skipped: string[]): boolean {
  try {
    snapshot(from, to);
    return true;
  } catch (thrown) {
    // Every further file would be left out too, and the backup would still count as done.
    if (isDiskFull(thrown)) throw thrown;
    if (existsSync(from)) skipped.push(`${from}: ${reasonOf(thrown)}`);
    return false;
  }
}

type StateFacts = { version: number; head: { seq: number; hash: string } | null; isSealed: boolean };

function aboutState(path: string): StateFacts {
  return withDatabase(path, { readonly: true }, (db) => {
    const version = schemaVersion(db);
    const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit'").get() !== undefined;
    const head = known
      ? db.prepare<[], { seq: number; hash: string }>('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1').get()
      : undefined;
    return { version, head: head ?? null, isSealed: known && readSeal(db) !== null };
  });
}

export async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { bytes: statSync(path).size, sha256: hash.digest('hex') };
}

/**
 * Compares the files of a backup with its manifest. Throws a Fault that names the first file that is missing or
 * differs.
 */
export async function checkBackup(
  folder: string,
  manifest: BackupManifest,
  onFile: (path: string) => void,
): Promise<void> {
  for (const { path, bytes, sha256 } of manifest.files) {
    onFile(path);
    if (path.startsWith('/') || path.split('/').includes('..')) {
      throw invalidInput(`the manifest of the backup names a file outside the backup: ${path}`);
    }
    if (!existsSync(join(folder, path))) throw conflict(`the backup is incomplete: its file ${path} is missing`);
    const found = await measure(join(folder, path));
    if (found.bytes === bytes && found.sha256 === sha256) continue;
    throw conflict(`the file ${path} of the backup was changed or damaged: its hash differs from the manifest`);
  }
}
