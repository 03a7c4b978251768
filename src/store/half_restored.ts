import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { unavailable } from '../model/fault.ts';

/** Folder in which a restore prepares the new data folder. */
export function partOf(dataDir: string): string {
  return `${dataDir}.restore-part`;
}

/** Begin of the paths of the data folders that restores replaced. A time follows. */
export function keptPrefix(dataDir: string): string {
  return `${dataDir}.before-restore-`;
}

/**
 * Throws a Fault `unavailable` for a missing or empty data folder beside which a restore left folders. A power failure
 * can stop a restore between its two renames. Started as a new box, anyone could become its owner. systemd creates a
 * missing folder before the start, so an empty one counts as missing.
 */
export function refuseHalfRestored(dataDir: string): void {
  if (existsSync(dataDir) && namesIn(dataDir)?.length !== 0) return;
  const part = existsSync(partOf(dataDir)) ? partOf(dataDir) : null;
  const kept = newestKept(dataDir);
  if (part === null && kept === null) return;
  throw unavailable(`The data folder ${dataDir} is missing or empty. ${adviceOf(dataDir, part, kept)}`);
}

function adviceOf(dataDir: string, part: string | null, kept: string | null): string {
  if (part === null) return `Rename ${kept} to ${dataDir}, or move it away to start without data.`;
  // The old folder is renamed only after the new one is complete.
  if (kept === null) return `A restore was interrupted: repeat it, or delete ${part} to start without data.`;
  return `A restore was interrupted: rename ${part} to ${dataDir} to finish it, or ${kept} to ${dataDir} to undo it.`;
}

function newestKept(dataDir: string): string | null {
  const parent = dirname(dataDir);
  const prefix = basename(keptPrefix(dataDir));
  const names = namesIn(parent)?.filter((name) => name.startsWith(prefix)) ?? [];
  const newest = names.sort().at(-1);
  return newest === undefined ? null : join(parent, newest);
}

/** Returns the names in a folder; null if it is missing or cannot be read, which the start reports later. */
function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder);
  } catch {
    return null;
  }
}
