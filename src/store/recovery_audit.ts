import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { logEventSchema } from '../model/event.ts';
import { type AuditRow, CHAIN_BEGIN } from './audit.ts';
import { AUDIT_CUT } from './audit_chain.ts';
import { type AuditKey, isOfSecretKey } from './audit_key.ts';
import { type Ledger, systemDeed } from './ledger.ts';
import { isMarkerGenuine, MARKER_FILE, type Marker, type RecoveryPlace, readMarker, writeMarker } from './marker.ts';
import { syncPath } from './place.ts';
import type { State } from './state.ts';
import { workspaceRows } from './workspaces.ts';

/** File with the audit rows of a start in recovery, one JSON line each. A later start adds them to the chain. */
export const RECOVERY_AUDIT_FILE = 'audit.recovery.jsonl';

/**
 * Copy of the marker from a data folder that a restore replaced. It is kept if the audit rows of a recovery in that
 * folder were not yet added to the chain.
 */
const REPLACED_MARKER_FILE = 'state.marker.before-restore';

const MOST_BYTES = 32 * 1024 * 1024;

/** Position of a line in the file: its number, and the hash of the previous line. */
type Link = { n: number; prev: string };

/**
 * Appends each new audit row to the recovery file, chained, signed and synced. It also notes the last line in the
 * marker, if `markerToExtend` returns one. `onTrouble` is called with the reason if a row could not be written. Returns
 * the function that ends the recording.
 */
export function recordInRecovery(
  dataDir: string,
  ledger: Ledger,
  key: AuditKey,
  onTrouble: (sentence: string) => void,
): () => void {
  const path = join(dataDir, RECOVERY_AUDIT_FILE);
  const marker = markerToExtend(dataDir, key);
  let link = linkAfter(readLines(path, key).lines, marker?.recovery ?? null);
  const note = (): void => {
    if (marker !== null) writeMarker(dataDir, marker, key, { n: link.n - 1, hash: link.prev });
  };
  const guarded = (what: string, work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      onTrouble(`${what} was not recorded in ${path}: ${String(thrown)}`);
    }
  };
  guarded('the start in recovery', note);
  return ledger.onRow((row) =>
    guarded(`the audit row '${row.text}'`, () => {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) throw new Error('the file is full');
      const line = lineOf(row, link, key);
      append(path, line);
      link = { n: link.n + 1, prev: hashOfLine(line) };
      note();
    }),
  );
}

/**
 * Returns the marker if it is genuine and signed with the current key; else null. A marker of another key must not be
 * signed again, because this would hide that it may be forged.
 */
function markerToExtend(dataDir: string, key: AuditKey): Marker | null {
  const marker = readMarker(dataDir);
  if (marker === null || marker === 'unreadable' || isMarkerGenuine(marker, key) !== true) return null;
  return isOfSecretKey(marker.signature) === key.hasSecret ? marker : null;
}

function lineOf(row: AuditRow, { n, prev }: Link, key: AuditKey): string {
  const text = JSON.stringify(row);
  return JSON.stringify({ n, prev, row: text, signature: key.sign(signedText(text, { n, prev })) });
}

/**
 * Returns the text that the signature of a row covers. Earlier versions signed the row without its position; `link` is
 * then null.
 */
function signedText(row: string, link: Link | null): string {
  return link === null ? `recovery ${row}` : `recovery ${link.n} ${link.prev} ${row}`;
}

function hashOfLine(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/**
 * Returns the position of the next line. It follows the last line of the file. If lines were deleted at the end, it
 * follows the last line that the marker notes.
 */
function linkAfter(lines: readonly Line[], noted: RecoveryPlace | null): Link {
  const last = lines.findLast(({ link }) => link !== null);
  const n = last?.link?.n ?? 0;
  if (noted !== null && noted.n >= n) return { n: noted.n + 1, prev: noted.hash };
  return { n: n + 1, prev: last?.hash ?? CHAIN_BEGIN };
}

/**
 * Returns a sentence about the first line that does not follow its predecessor. If every line does, compares the last
 * line with `noted`, and returns a sentence about lines missing or changed at the end. Null if the lines are complete.
 */
function gapIn(lines: readonly Line[], noted: RecoveryPlace | null): string | null {
  let expected = linkAfter([], null);
  for (const { link, hash } of lines) {
    if (link === null) continue;
    if (link.n !== expected.n || link.prev !== expected.prev)
      return `line ${link.n} is in the place of line ${expected.n}, or the line before was changed`;
    expected = { n: link.n + 1, prev: hash };
  }
  const last = expected.n - 1;
  if (noted === null || noted.n < last) return null;
  if (noted.n > last) return `the file ends at line ${last}, but state.marker says that it reached line ${noted.n}`;
  return noted.hash === expected.prev ? null : `line ${last} differs from state.marker`;
}

/**
 * Returns the highest position in the marker of this folder and in the kept marker of a folder that a restore replaced.
 * Null without a position. A marker with a wrong signature is ignored.
 */
function notedPlace(dataDir: string, key: AuditKey): RecoveryPlace | null {
  const markers = [MARKER_FILE, REPLACED_MARKER_FILE].map((name) => readMarker(dataDir, name));
  const places = markers.flatMap((marker) => {
    if (marker === null || marker === 'unreadable' || isMarkerGenuine(marker, key) === false) return [];
    return marker.recovery ?? [];
  });
  return places.sort((a, b) => b.n - a.n)[0] ?? null;
}

/**
 * Returns the state of the recovery file before a start adds it to the chain: the number of its rows, and a sentence
 * about missing rows.
 */
export function recoveryDoubts(dataDir: string, key: AuditKey): { rows: number; gap: string | null } {
  const { lines } = readLines(join(dataDir, RECOVERY_AUDIT_FILE), key);
  const gap = gapIn(lines, notedPlace(dataDir, key));
  return { rows: lines.length, gap: gap === null ? null : gapText(gap) };
}

function gapText(gap: string): string {
  return `rows are missing from ${RECOVERY_AUDIT_FILE}, the audit rows of a start in recovery: ${gap}`;
}

function append(path: string, line: string): void {
  const file = openSync(path, 'a', 0o640);
  try {
    // The leading line break separates this line from a line that a power failure cut off.
    writeSync(file, `\n${line}\n`);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

type Line = { row: Omit<AuditRow, 'seq' | 'prev_hash' | 'hash'>; link: Link | null; hash: string; genuine: boolean };

/**
 * Adds the rows of a start in recovery to the chain, in one transaction with a row that counts them. The rows keep
 * their ids and times. Rows of a workspace are assigned to the first one, the only one in recovery. The file remains
 * until `endRecovery`. Returns the sentence of an alert if rows are missing; else null.
 */
export function takeInRecovery(state: State, ledger: Ledger, dataDir: string, key: AuditKey): string | null {
  const { lines, unread } = readLines(join(dataDir, RECOVERY_AUDIT_FILE), key);
  const known = state.db.prepare<[string], number>('SELECT 1 FROM audit WHERE id = ?').pluck();
  const workspaceId = workspaceRows(state).list()[0]?.id ?? null;
  const { gap } = recoveryDoubts(dataDir, key);
  const unsigned = lines.filter(({ genuine }) => !genuine).length;
  if (lines.length + unread === 0 && gap === null) return null;
  ledger.change('The audit rows of the recovery', () => {
    const fresh = lines.filter(({ row }) => known.get(row.id) === undefined);
    for (const { row } of fresh)
      ledger.takeIn({ ...row, workspace_id: row.workspace_id === null ? null : workspaceId });
    if (gap !== null) ledger.note(systemDeed(AUDIT_CUT, 'critical', gap));
    const doubts = unsigned + unread === 0 ? '' : `; ${unsigned} have no valid signature, ${unread} cannot be read`;
    const text = `${fresh.length} audit rows of a start in recovery were added to the audit log${doubts}`;
    const severity = doubts === '' ? 'notice' : 'critical';
    const after = { rows: fresh.length, unsigned, unread };
    return { result: undefined, deed: systemDeed('audit.recovered', severity, text, after) };
  });
  return gap;
}

/**
 * Deletes the recovery file once the marker on the disk is readable and notes no line of it. If the file were deleted
 * earlier, an interrupted start would report it as missing.
 */
export function endRecovery(dataDir: string): void {
  const marker = readMarker(dataDir);
  if (marker === null || marker === 'unreadable' || marker.recovery !== null) return;
  for (const name of [REPLACED_MARKER_FILE, RECOVERY_AUDIT_FILE]) {
    rmSync(join(dataDir, name), { force: true });
    syncPath(dataDir);
  }
}

/**
 * Copies the recovery file, and the marker that notes its last line, to a restored folder. Returns the paths of the
 * copies.
 */
export function carryRecovery(dataDir: string, to: string): string[] {
  const marker = readMarker(dataDir);
  const names = [[RECOVERY_AUDIT_FILE, RECOVERY_AUDIT_FILE]];
  if (marker !== null && marker !== 'unreadable' && marker.recovery !== null)
    names.push([MARKER_FILE, REPLACED_MARKER_FILE]);
  else names.push([REPLACED_MARKER_FILE, REPLACED_MARKER_FILE]);
  return names.flatMap(([from = '', as = '']) => {
    if (!existsSync(join(dataDir, from))) return [];
    copyFileSync(join(dataDir, from), join(to, as));
    return [join(to, as)];
  });
}

function readLines(path: string, key: AuditKey): { lines: Line[]; unread: number } {
  if (!existsSync(path)) return { lines: [], unread: 0 };
  const texts = readFileSync(path, 'utf8')
    .split('\n')
    .filter((text) => text !== '');
  const lines = texts.flatMap((text) => lineFrom(text, key) ?? []);
  return { lines, unread: texts.length - lines.length };
}

function lineFrom(text: string, key: AuditKey): Line | null {
  try {
    const { n, prev, row: inner, signature } = JSON.parse(text) as Record<string, unknown>;
    const { workspace_id, ...event } = JSON.parse(String(inner)) as Record<string, unknown>;
    const { seq: _seq, prev_hash: _prev, hash: _hash, ...row } = logEventSchema.parse(event);
    const link = n === undefined ? null : { n: Number(n), prev: String(prev) };
    const genuine = key.verify(signedText(String(inner), link), String(signature)) === true;
    return {
      row: { ...row, workspace_id: workspace_id === null ? null : String(workspace_id) },
      link,
      hash: hashOfLine(text),
      genuine,
    };
  } catch {
    return null;
  }
}
