import type Database from 'better-sqlite3';
import { signCheckpointsAgain } from './audit_checkpoint.ts';
import type { AuditKey } from './audit_key.ts';
import { type Ledger, systemDeed } from './ledger.ts';
import type { State } from './state.ts';

/** Kind of the row that the first start with a secret key writes. */
export const AUDIT_SECRET = 'audit.secret_key';

/**
 * Whether the chain records that the secret key signs the audit log, by such a row or by a checkpoint of that key. From
 * then on, signatures of the folder's key count for nothing where the secret key is available.
 */
export function hasSecretTrace(db: Database.Database): boolean {
  const sql = `SELECT EXISTS (SELECT 1 FROM audit_checkpoints WHERE signature LIKE 'secret:%')
    OR EXISTS (SELECT 1 FROM audit WHERE kind = ?)`;
  return db.prepare<[string], number>(sql).pluck().get(AUDIT_SECRET) === 1;
}

/** Whether secrets in the database are sealed with the secret key. */
export function hasSealedSecrets(db: Database.Database): boolean {
  return db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM sealed_secrets)').pluck().get() === 1;
}

/**
 * Records once per box that the secret key signs from here on. `vouched`: no earlier row is signed only with the key in
 * the data folder. Otherwise returns the sentence of an alert. Then the secret key is new, or rows were cut or
 * rewritten, back to before an earlier such row.
 */
export function noteSecretKey(
  { state, ledger, key }: { state: State; ledger: Ledger; key: AuditKey },
  vouched: boolean,
): string | null {
  const last = ledger.audit.lastSeq();
  const before = last === 0 ? 'no row stands before it' : `rows up to ${last} were not`;
  const text = `the audit log is signed with the secret key from here on${vouched ? '' : `; ${before}`}`;
  const severity = vouched ? 'notice' : 'warning';
  ledger.change('The first signature of the secret key', () => {
    signCheckpointsAgain(state.db, key);
    return { result: undefined, deed: systemDeed(AUDIT_SECRET, severity, text) };
  });
  return vouched ? null : `${text}: if this box had its secret key before, rows were cut or rewritten`;
}
