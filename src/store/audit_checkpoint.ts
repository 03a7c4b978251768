import type Database from 'better-sqlite3';
import { type AuditKey, isOfSecretKey } from './audit_key.ts';
import type { State } from './state.ts';

/**
 * Signed record of the last pruned row, after which the chain begins. Because of the signature, nobody without the key
 * can delete the beginning of the chain unnoticed.
 */
export type Checkpoint = { seq: number; hash: string; at: string; signature: string };

/** Earliest plausible year of a row. An earlier time means that the clock was not set. */
const FIRST_YEAR = '2020';

/** Limit of the rows deleted by one pruning; more rows would delay other writes. */
const PRUNED_AT_ONCE = 10_000;

function textOf({ seq, hash, at }: Omit<Checkpoint, 'signature'>): string {
  return `checkpoint ${seq} ${hash} ${at}`;
}

export function checkpointsOf(db: Database.Database): Checkpoint[] {
  return db.prepare<[], Checkpoint>('SELECT seq, hash, at, signature FROM audit_checkpoints ORDER BY seq').all();
}

/** Returns true if a checkpoint's signature is genuine, false if not; null if its key is not available. */
export function isCheckpointGenuine(checkpoint: Checkpoint, key: AuditKey): boolean | null {
  return key.verify(textOf(checkpoint), checkpoint.signature);
}

/** Returns true if the checkpoint was signed with the key in the data folder, and not with the secret key. */
export function isOfBoxKey(checkpoint: Checkpoint): boolean {
  return !isOfSecretKey(checkpoint.signature);
}

/** Signs each genuine checkpoint again with the current key. Call it within a transaction. */
export function signCheckpointsAgain(db: Database.Database, key: AuditKey): void {
  const put = db.prepare('UPDATE audit_checkpoints SET signature = ? WHERE seq = ?');
  for (const checkpoint of checkpointsOf(db))
    if (isCheckpointGenuine(checkpoint, key)) put.run(key.sign(textOf(checkpoint)), checkpoint.seq);
}

/**
 * Deletes the rows at the beginning of the chain that are older than `before` (RFC 3339). It signs a checkpoint for the
 * new beginning. One call deletes at most `PRUNED_AT_ONCE` rows, and never the last row of the chain. Pruning stops at
 * a row with a time before `FIRST_YEAR`: the clock was not set, so the row's age is unknown. Call it within a
 * transaction. Returns the number of deleted rows.
 */
export function pruneAudit(state: State, before: string, at: string, key: AuditKey): number {
  const first = state.db
    .prepare<[string, string], number>('SELECT min(seq) FROM audit WHERE at >= ? OR at < ?')
    .pluck()
    .get(before, FIRST_YEAR);
  const last = state.db
    .prepare<[number | null, number], { seq: number; hash: string }>(
      `SELECT seq, hash FROM (SELECT seq, hash FROM audit WHERE seq < coalesce(?, (SELECT max(seq) FROM audit))
         ORDER BY seq LIMIT ?) ORDER BY seq DESC LIMIT 1`,
    )
    .get(first ?? null, PRUNED_AT_ONCE);
  if (last === undefined) return 0;
  const place = { ...last, at };
  state.db
    .prepare('INSERT INTO audit_checkpoints (seq, hash, at, signature) VALUES (?, ?, ?, ?)')
    .run(place.seq, place.hash, place.at, key.sign(textOf(place)));
  // The newest checkpoint covers all earlier checkpoints.
  state.db.prepare('DELETE FROM audit_checkpoints WHERE seq < ?').run(place.seq);
  return state.db.prepare('DELETE FROM audit WHERE seq <= ?').run(place.seq).changes;
}
