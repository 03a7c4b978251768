import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Actor } from '../../../src/model/actor.ts';
import { type AuditKey, auditKey } from '../../../src/store/audit_key.ts';
import { beginAudit } from '../../../src/store/audit_sealing.ts';
import { type Deed, Ledger } from '../../../src/store/ledger.ts';
import { LogCounter } from '../../../src/store/log_counter.ts';
import { openState, type State } from '../../../src/store/state.ts';
import { workspaceRows } from '../../../src/store/workspaces.ts';
import type { Owner } from '../basics/owner.ts';

export const anna: Actor = { type: 'user', id: 'u1', name: 'anna', address: '10.0.0.7' };

export type AuditBench = {
  folder: string;
  state: State;
  ledger: Ledger;
  key: AuditKey;
  workspaceId: string;
  /** UTC milliseconds of the rows that are written next. */
  clock: { ms: number };
  note(deed?: Partial<Deed>): void;
  /** Gives a number to something else. */
  skipSeq(): void;
};

/** A state with a ledger over it, in a folder that goes with the test, and a clock that a test moves. */
export function auditBench(t: Owner): AuditBench {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-audit-'));
  const state = openState(folder);
  t.teardown(() => {
    state.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const clock = { ms: Date.parse('2026-03-04T12:00:00.000Z') };
  const counter = new LogCounter(0);
  const ledger = new Ledger(state, counter, () => clock.ms);
  const key = auditKey(folder, null, true);
  beginAudit({ state, ledger, key });
  const workspaceId = workspaceRows(state).list()[0]?.id ?? '';
  const subject = { type: 'sensor', id: 's1', label: 'mast' };
  const usual = { kind: 'sensor.changed', text: 'sensor mast was changed', by: anna, workspaceId, subject } as const;
  return {
    folder,
    state,
    ledger,
    key,
    workspaceId,
    clock,
    skipSeq: () => void counter.next(),
    note: (deed = {}) => ledger.note({ ...usual, before: { name: 'a' }, after: { name: 'b' }, reason: 'why', ...deed }),
  };
}

/** Lets somebody with the file in hand do what the daemon never does, and leave no trace in the schema. */
export function withoutGuards(db: Database.Database, work: () => void): void {
  const guards = db.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name LIKE 'audit_is_not_%'").pluck().all();
  db.exec('DROP TRIGGER IF EXISTS audit_is_not_rewritten; DROP TRIGGER IF EXISTS audit_is_not_cut;');
  work();
  db.exec(guards.join(';'));
}
