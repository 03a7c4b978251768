import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { count, timestamp } from '../model/scalar.ts';
import { AUDIT_HEAD_FILE, type AuditPlace } from './audit_head.ts';
import { AUDIT_KEY_FILE, type AuditKey } from './audit_key.ts';
import { dayFileOf, listDays } from './log/days.ts';
import { readNote, writeNote } from './place.ts';

/**
 * File beside `state.db`, written before the first audit row. The marker distinguishes a new box from one whose
 * database was deleted or emptied. It contains a second copy of the audit head, so an older `state.db` that was put
 * back with its own `audit.head` differs from the marker. It also notes the last line of `audit.recovery.jsonl`.
 */
export const MARKER_FILE = 'state.marker';

/** Last line of the file `audit.recovery.jsonl`: its number `n` (0 before the first line), and its hash. */
export type RecoveryPlace = { n: number; hash: string };

const markerSchema = z.strictObject({
  note: z.string(),
  seq: count,
  hash: z.string(),
  at: timestamp,
  recovery: z.strictObject({ n: count, hash: z.string() }).nullable(),
  signature: z.string(),
});
export type Marker = z.infer<typeof markerSchema>;

const NOTE =
  'This folder holds the state of a Dunlin, and state.db has a signed record of the head of its audit log (audit.head). ' +
  'Keep this file beside state.db.';

function textOf({ seq, hash, at }: AuditPlace, recovery: RecoveryPlace | null): string {
  return `marker ${seq} ${hash} ${at} ${recovery === null ? 'none' : `${recovery.n} ${recovery.hash}`}`;
}

/**
 * Writes the marker. `recovery` notes the last line of a recovery file whose rows are not yet in the chain; null
 * without such a file.
 */
export function writeMarker(
  dataDir: string,
  { seq, hash, at }: AuditPlace,
  key: AuditKey,
  recovery: RecoveryPlace | null = null,
): void {
  const signature = key.sign(textOf({ seq, hash, at }, recovery));
  const marker: Marker = { note: NOTE, seq, hash, at, recovery, signature };
  writeNote(join(dataDir, MARKER_FILE), marker);
}

/** Reads the marker; null if the file is missing, `unreadable` if it cannot be read or parsed. */
export function readMarker(dataDir: string, name = MARKER_FILE): Marker | 'unreadable' | null {
  return readNote(join(dataDir, name), markerSchema);
}

/** Returns true if a marker's signature is genuine, false if not; null if its key is not available. */
export function isMarkerGenuine(marker: Marker, key: AuditKey): boolean | null {
  return key.verify(textOf(marker, marker.recovery), marker.signature);
}

/**
 * Returns the path of a file which shows that a folder once had a database; null for a new folder. Besides the marker,
 * other files of the daemon count, because earlier versions wrote no marker.
 */
export function traceOfState(dataDir: string): string | null {
  const names = [MARKER_FILE, AUDIT_HEAD_FILE, AUDIT_KEY_FILE];
  const found = names.map((name) => join(dataDir, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const history = join(dataDir, 'history');
  if (!statSync(history, { throwIfNoEntry: false })?.isDirectory()) return null;
  const [day] = listDays(history);
  return day === undefined ? null : dayFileOf(history, day);
}
