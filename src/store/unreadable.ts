import { dirname, resolve } from 'node:path';
import { Fault } from '../model/fault.ts';
import { newestBackup } from './backups_found.ts';

/** Fault of a damaged, missing or emptied state database. The daemon then starts without it, in recovery. */
export class UnreadableState extends Fault {
  constructor(sentence: string, cause?: unknown) {
    super('unavailable', sentence, { cause });
  }
}

/**
 * Builds the fault of a damaged database. Its sentence names the file and the cause, and gives the advice of
 * `adviceFor`.
 */
export function damagedState(path: string, why: string, cause?: unknown): UnreadableState {
  const what = why.trim().replaceAll(/\s+/g, ' ');
  return new UnreadableState(`The database ${path} is damaged: ${what}. ${adviceFor(dirname(path))}`, cause);
}

/** Returns advice for a data folder whose database cannot be read. It names the newest backup if there is one. */
export function adviceFor(dataDir: string): string {
  const folder = resolve(dataDir);
  const backup = newestBackup(folder);
  if (backup === null)
    return `No backup was found in ${folder}-backups or at the last destination of 'dunlin backup': restore a backup from elsewhere with 'dunlin restore', or move the folder ${folder} away to start without data.`;
  const command = `dunlin restore ${quoted(backup.path)} --data ${quoted(folder)}`;
  return `Stop Dunlin, and restore the newest backup, of ${backup.madeAt}: ${command}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
