import type Database from 'better-sqlite3';

/** The kind of the row that the first start with a secret key writes. */
export const AUDIT_SECRET = 'audit.secret_key';

/**
 * Whether the chain records that the secret key signed the audit log: by that row, or by a checkpoint of that key. From
 * then on a signature of the key in the data folder is no witness where the secret key is at hand.
 */
export function hasSecretTrace(db: Database.Database): boolean {
  const sql = `SELECT EXISTS (SELECT 1 FROM audit_checkpoints WHERE signature LIKE 'secret:%')
    OR EXISTS (SELECT 1 FROM audit WHERE kind = ?)`;
  return db.prepare<[string], number>(sql).pluck().get(AUDIT_SECRET) === 1;
}
