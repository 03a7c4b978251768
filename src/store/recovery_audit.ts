import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemActor } from '../model/actor.ts';
import { logEventSchema } from '../model/event.ts';
import type { AuditRow } from './audit.ts';
import type { AuditKey } from './audit_key.ts';
import type { Ledger } from './ledger.ts';
import { syncPath } from './place.ts';
import type { State } from './state.ts';
import { workspaceRows } from './workspaces.ts';

/** Audit rows of a start in recovery, one JSON line each, until a later start takes them into the chain. */
export const RECOVERY_AUDIT_FILE = 'audit.recovery.jsonl';

const MOST_BYTES = 32 * 1024 * 1024;

/** Appends each row to the side file, signed and on the disk. `onTrouble` receives why one could not be kept. */
export function recordInRecovery(
  dataDir: string,
  ledger: Ledger,
  key: AuditKey,
  onTrouble: (sentence: string) => void,
): () => void {
  const path = join(dataDir, RECOVERY_AUDIT_FILE);
  return ledger.onRow((row) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) throw new Error('the file is full');
      append(path, lineOf(row, key));
    } catch (thrown) {
      onTrouble(`the audit row '${row.text}' was not kept in ${path}: ${String(thrown)}`);
    }
  });
}

function lineOf(row: AuditRow, key: AuditKey): string {
  const text = JSON.stringify(row);
  return `${JSON.stringify({ row: text, signature: key.sign(`recovery ${text}`) })}\n`;
}

function append(path: string, line: string): void {
  const file = openSync(path, 'a', 0o640);
  try {
    // A line that broke off when the power went must not swallow the next one.
    writeSync(file, `\n${line}`);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

type Line = { row: Omit<AuditRow, 'seq' | 'prev_hash' | 'hash'>; genuine: boolean };

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
  const unsigned = lines.filter(({ genuine }) => !genuine).length;
  ledger.change('The audit rows of the recovery', () => {
    const fresh = lines.filter(({ row }) => known.get(row.id) === undefined);
    for (const { row } of fresh)
      ledger.takeIn({ ...row, workspace_id: row.workspace_id === null ? null : workspaceId });
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
    const { row: inner, signature } = JSON.parse(text) as Record<string, unknown>;
    const { workspace_id, ...event } = JSON.parse(String(inner)) as Record<string, unknown>;
    const { seq: _seq, prev_hash: _prev, hash: _hash, ...row } = logEventSchema.parse(event);
    const genuine = key.verify(`recovery ${inner}`, String(signature)) === true;
    return { row: { ...row, workspace_id: workspace_id === null ? null : String(workspace_id) }, genuine };
  } catch {
    return null;
  }
}
