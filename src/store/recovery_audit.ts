import { createHash } from 'node:crypto';
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemActor } from '../model/actor.ts';
import { logEventSchema } from '../model/event.ts';
import { type AuditRow, CHAIN_BEGIN } from './audit.ts';
import { AUDIT_CUT } from './audit_chain.ts';
import type { AuditKey } from './audit_key.ts';
import type { Ledger } from './ledger.ts';
import { syncPath } from './place.ts';
import type { State } from './state.ts';
import { workspaceRows } from './workspaces.ts';

/** Audit rows of a start in recovery, one JSON line each, until a later start takes them into the chain. */
export const RECOVERY_AUDIT_FILE = 'audit.recovery.jsonl';

const MOST_BYTES = 32 * 1024 * 1024;

/** The place of a line in the file: its number, and the hash of the line before it. */
type Link = { n: number; prev: string };

/** Appends each row to the side file, chained, signed and on the disk. `onTrouble` receives why one could not be kept. */
export function recordInRecovery(
  dataDir: string,
  ledger: Ledger,
  key: AuditKey,
  onTrouble: (sentence: string) => void,
): () => void {
  const path = join(dataDir, RECOVERY_AUDIT_FILE);
  let link = linkAfter(existsSync(path) ? readLines(path, key).lines : []);
  return ledger.onRow((row) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) throw new Error('the file is full');
      const line = lineOf(row, link, key);
      append(path, line);
      link = { n: link.n + 1, prev: hashOfLine(line) };
    } catch (thrown) {
      onTrouble(`the audit row '${row.text}' was not kept in ${path}: ${String(thrown)}`);
    }
  });
}

function lineOf(row: AuditRow, { n, prev }: Link, key: AuditKey): string {
  const text = JSON.stringify(row);
  return JSON.stringify({ n, prev, row: text, signature: key.sign(signedText(text, { n, prev })) });
}

/** An earlier version signed the row alone. */
function signedText(row: string, link: Link | null): string {
  return link === null ? `recovery ${row}` : `recovery ${link.n} ${link.prev} ${row}`;
}

function hashOfLine(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/** The place of the next line. */
function linkAfter(lines: readonly Line[]): Link {
  const last = lines.findLast(({ link }) => link !== null);
  return { n: (last?.link?.n ?? 0) + 1, prev: last?.hash ?? CHAIN_BEGIN };
}

/** The first line that does not follow the one before it, as a sentence's end; null where none is missing. */
function gapIn(lines: readonly Line[]): string | null {
  let expected = linkAfter([]);
  for (const { link, hash } of lines) {
    if (link === null) continue;
    if (link.n !== expected.n || link.prev !== expected.prev)
      return `line ${link.n} stands where line ${expected.n} is due, or the line before it was changed`;
    expected = { n: link.n + 1, prev: hash };
  }
  return null;
}

function append(path: string, line: string): void {
  const file = openSync(path, 'a', 0o640);
  try {
    // A line that broke off when the power went must not swallow the next one.
    writeSync(file, `\n${line}\n`);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

type Line = { row: Omit<AuditRow, 'seq' | 'prev_hash' | 'hash'>; link: Link | null; hash: string; genuine: boolean };

/**
 * Takes what a start in recovery wrote into the chain, in one transaction with a row that counts it; then the file goes.
 * The rows keep their ids and times, and belong to the first workspace: the only one that worked.
 */
export function takeInRecovery(state: State, ledger: Ledger, dataDir: string, key: AuditKey): void {
  const path = join(dataDir, RECOVERY_AUDIT_FILE);
  if (!existsSync(path)) return;
  const { lines, unread } = readLines(path, key);
  const known = state.db.prepare<[string], number>('SELECT 1 FROM audit WHERE id = ?').pluck();
  const workspaceId = workspaceRows(state).list()[0]?.id ?? null;
  const gap = gapIn(lines);
  const unsigned = lines.filter(({ genuine }) => !genuine).length;
  ledger.change('The audit rows of the recovery', () => {
    const fresh = lines.filter(({ row }) => known.get(row.id) === undefined);
    for (const { row } of fresh)
      ledger.takeIn({ ...row, workspace_id: row.workspace_id === null ? null : workspaceId });
    if (gap !== null) {
      const text = `rows are missing from ${RECOVERY_AUDIT_FILE}, the audit rows of a start in recovery: ${gap}`;
      ledger.note({ kind: AUDIT_CUT, severity: 'critical', text, by: systemActor, workspaceId: null });
    }
    const doubts = unsigned + unread === 0 ? '' : `; ${unsigned} have no good signature, ${unread} do not read`;
    const text = `${fresh.length} audit rows of a start in recovery were taken in${doubts}`;
    const severity = doubts === '' ? 'notice' : 'critical';
    const after = { rows: fresh.length, unsigned, unread };
    const deed = { kind: 'audit.recovered', severity, text, by: systemActor, workspaceId: null, after } as const;
    return { result: undefined, deed };
  });
  rmSync(path);
  syncPath(dataDir);
}

function readLines(path: string, key: AuditKey): { lines: Line[]; unread: number } {
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
