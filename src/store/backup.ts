import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, createReadStream, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Fault } from '../model/fault.ts';
import { CHAIN_BEGIN } from './audit.ts';
import { AUDIT_HEAD_FILE, readHead, writeHead } from './audit_head.ts';
import { AUDIT_KEY_FILE, type AuditKey, isOfSecretKey } from './audit_key.ts';
import { readSeal } from './audit_seal.ts';
import type { BackupManifest } from './backup_manifest.ts';
import { isCorrupt, reasonOf } from './failures.ts';
import { makeFolder } from './folder.ts';
import { isMarked, MARKER_FILE } from './marker.ts';
import { schemaVersion } from './migrate.ts';
import { syncPath } from './place.ts';
import { damagedState } from './unreadable.ts';

export type BackedUp = { files: BackupManifest['files']; schemaVersion: number; skipped: string[] };

/** The history folders of a data folder: each workspace has one. */
export function historyFolders(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => /^history(-wsp_[0-9a-z]+)?$/.test(name));
}

export function dayFileNames(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.db$/.test(name));
}

/**
 * Copies a data folder into the empty folder `to`, also while a daemon writes: each database as it stands at one moment,
 * the state before the history. Day files that cannot be read are left out and told of in `skipped`.
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
  // Before the database: what the head says of the chain holds in each later state of it.
  const present = readHead(dataDir);
  snapshotState(join(dataDir, 'state.db'), join(to, 'state.db'));
  if (existsSync(join(dataDir, AUDIT_KEY_FILE))) {
    copyFileSync(join(dataDir, AUDIT_KEY_FILE), join(to, AUDIT_KEY_FILE));
    chmodSync(join(to, AUDIT_KEY_FILE), 0o600);
    paths.push(AUDIT_KEY_FILE);
  }
  const state = aboutState(join(to, 'state.db'));
  // A copy without the signed record, of a start that was sealing, must not have the file that says that it exists.
  if (state.isSealed && isMarked(dataDir)) {
    copyFileSync(join(dataDir, MARKER_FILE), join(to, MARKER_FILE));
    paths.push(MARKER_FILE);
  }
  // The command line may lack the secret key; a head signed with the box's own key would then be a downgrade.
  if (!key.hasSecret && present !== null && present !== 'unreadable' && isOfSecretKey(present.signature))
    writeFileSync(join(to, AUDIT_HEAD_FILE), `${JSON.stringify(present)}\n`, { mode: 0o640 });
  else if (state.head !== null || present !== null)
    writeHead(to, { ...(state.head ?? { seq: 0, hash: CHAIN_BEGIN }), at: now }, key);
  if (existsSync(join(to, AUDIT_HEAD_FILE))) paths.push(AUDIT_HEAD_FILE);
  for (const folder of historyFolders(dataDir)) {
    makeFolder(join(to, folder));
    for (const name of dayFileNames(join(dataDir, folder))) {
      const path = join(folder, name);
      onFile(path);
      if (copyDay(join(dataDir, path), join(to, path), skipped)) paths.push(path);
    }
    syncPath(join(to, folder));
  }
  const files = [];
  for (const path of paths) files.push({ path, ...(await measure(join(to, path))) });
  return { files, schemaVersion: state.version, skipped };
}

/** Throws a Fault with the way back where the database of the box is damaged. */
function snapshotState(from: string, to: string): void {
  try {
    snapshot(from, to);
  } catch (thrown) {
    // Any other error may be one of the place that is written to.
    throw isCorrupt(thrown) ? damagedState(from, reasonOf(thrown), thrown) : thrown;
  }
}

/** One state of a database in one file, without what was deleted. */
function snapshot(from: string, to: string): void {
  const db = new Database(from, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
  chmodSync(to, 0o640);
  syncPath(to);
}

/** False where there is nothing to copy: retention may have taken the day meanwhile, or the file is damaged. */
function copyDay(from: string, to: string, skipped: string[]): boolean {
  try {
    snapshot(from, to);
    return true;
  } catch (thrown) {
    if (existsSync(from)) skipped.push(`${from}: ${reasonOf(thrown)}`);
    return false;
  }
}

type StateFacts = { version: number; head: { seq: number; hash: string } | null; isSealed: boolean };

function aboutState(path: string): StateFacts {
  const db = new Database(path, { readonly: true });
  try {
    const version = schemaVersion(db);
    const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit'").get() !== undefined;
    const head = known
      ? db.prepare<[], { seq: number; hash: string }>('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1').get()
      : undefined;
    return { version, head: head ?? null, isSealed: known && readSeal(db) !== null };
  } finally {
    db.close();
  }
}

export async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { bytes: statSync(path).size, sha256: hash.digest('hex') };
}

/** Throws a Fault that names the first file that is not what the manifest says. */
export async function checkBackup(
  folder: string,
  manifest: BackupManifest,
  onFile: (path: string) => void,
): Promise<void> {
  for (const { path, bytes, sha256 } of manifest.files) {
    onFile(path);
    if (path.startsWith('/') || path.split('/').includes('..')) {
      throw new Fault('invalid_input', `the backup names a file outside itself: ${path}`);
    }
    if (!existsSync(join(folder, path))) throw new Fault('conflict', `the backup lacks its file ${path}`);
    const found = await measure(join(folder, path));
    if (found.bytes === bytes && found.sha256 === sha256) continue;
    throw new Fault('conflict', `the file ${path} of the backup is not as it was written: its hash differs`);
  }
}
