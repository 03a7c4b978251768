import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_HEAD_FILE } from './audit_head.ts';
import { AUDIT_KEY_FILE } from './audit_key.ts';
import { moveIntoPlace } from './place.ts';

/**
 * Stands beside `state.db` from the first start on that sealed the audit log. It tells a new box from one whose database
 * was removed or emptied, and a database of an earlier version from one whose seal was removed.
 */
export const MARKER_FILE = 'state.marker';

export function writeMarker(dataDir: string, at: string): void {
  const path = join(dataDir, MARKER_FILE);
  if (existsSync(path)) return;
  const text =
    `This folder has held the state of a Dunlin since ${at}, and state.db has a signed record of the head of its audit ` +
    'log (audit.head). Keep this file beside state.db.\n';
  moveIntoPlace(path, (part) => writeFileSync(part, text, { mode: 0o640 }));
}

export function isMarked(dataDir: string): boolean {
  return existsSync(join(dataDir, MARKER_FILE));
}

/**
 * The path of a file that shows that a folder has had a database, null for a new folder. Files of earlier versions, which
 * wrote no marker, count too.
 */
export function traceOfState(dataDir: string): string | null {
  const names = [MARKER_FILE, AUDIT_HEAD_FILE, AUDIT_KEY_FILE];
  const found = names.map((name) => join(dataDir, name)).find((path) => existsSync(path));
  return found ?? dayFileIn(join(dataDir, 'history'));
}

function dayFileIn(folder: string): string | null {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  const name = readdirSync(folder).find((entry) => /^\d{4}-\d\d-\d\d\.db$/.test(entry));
  return name === undefined ? null : join(folder, name);
}
