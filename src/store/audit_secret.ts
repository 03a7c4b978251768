import type Database from 'better-sqlite3';
import { signCheckpointsAgain } from './audit_checkpoint.ts';
import type { AuditKey } from './audit_key.ts';
import { type Ledger, systemDeed } from './ledger.ts';
import type { State } from './state.ts';

/** Kind of the row that records the first signature of the secret key. */
export const AUDIT_SECRET = 'audit.secret_key';

/**
 * Returns true if the chain records that the secret key signs the audit log, by a row or a checkpoint of that key. From
 * then on, a signature of the data folder's key is invalid if the secret key is available.
 */
export function hasSecretTrace(db: Database.Database): boolean {
  const sql = `SELECT EXISTS (SELECT 1 FROM audit_checkpoints WHERE signature LIKE 'secret:%')
    OR EXISTS (SELECT 1 FROM audit WHERE kind = ?)`;
  return db.prepare<[string], number>(sql).pluck().get(AUDIT_SECRET) === 1;
}

/** Returns true if the database contains secrets sealed with the secret key. */
export function hasSealedSecrets(db: Database.Database): boolean {
  return db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM sealed_secrets)').pluck().get() === 1;
}

/**
 * Records in the audit log that the secret key signs from now on. Returns the sentence of an alert; null if `vouched`.
 * `vouched` is true if there are no earlier rows, the secret key signed their end, or an alarm was already raised. The
 * alert is needed because the log cannot show whether the key is new. Somebody may have removed rows that the key had
 * signed.
 */
export function noteSecretKey(
  { state, ledger, key }: { state: State; ledger: Ledger; key: AuditKey },
  vouched: boolean,
): string | null {
  const last = ledger.audit.lastSeq();
  const before = last === 0 ? 'it is the first row' : `rows up to ${last} were not signed with it`;
  const text = `the audit log is signed with the secret key from this row on${vouched ? '' : `; ${before}`}`;
  const severity = vouched ? 'notice' : 'warning';
  ledger.change('The first signature of the secret key', () => {
    signCheckpointsAgain(state.db, key);
    return { result: undefined, deed: systemDeed(AUDIT_SECRET, severity, text) };
  });
  return vouched ? null : `${text}: if this box had its secret key before, rows were deleted or rewritten`;
}
