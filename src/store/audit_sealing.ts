import { dirname } from 'node:path';
import { CHAIN_BEGIN } from './audit.ts';
import { type AuditPlace, writeHead } from './audit_head.ts';
import type { AuditKey } from './audit_key.ts';
import { checkWitness, isNew, readSeal, readWitness, writeSeal } from './audit_seal.ts';
import { noteSecretKey } from './audit_secret.ts';
import type { Ledger } from './ledger.ts';
import { writeMarker } from './marker.ts';
import type { State } from './state.ts';

export type Sealing = { state: State; ledger: Ledger; key: AuditKey };

/** Writes the end of the chain into the marker and the head, the two notes beside the database. Returns that end. */
export function noteHead({ state, ledger, key }: Sealing): AuditPlace {
  const head = { ...(ledger.audit.head() ?? { seq: 0, hash: CHAIN_BEGIN }), at: ledger.nowText() };
  // The notes must not be newer than the chain on the disk. Otherwise rows lost in a power failure would look like
  // deleted rows.
  ledger.sync();
  writeMarker(dirname(state.path), head, key);
  writeHead(dirname(state.path), head, key);
  return head;
}

/**
 * Writes a first seal that covers no rows, if there is no seal yet. Then writes marker, head and seal, in this order.
 * Each is on the disk before the next is written, so an interrupted start raises no alarm. If a seal that covers rows
 * exists, a missing marker or head was therefore deleted.
 */
export function sealAudit(sealing: Sealing): AuditPlace {
  const { state, ledger, key } = sealing;
  const write = (place: AuditPlace): void => state.write("The audit log's seal", () => writeSeal(state.db, place, key));
  if (readSeal(state.db) === null) write({ seq: 0, hash: CHAIN_BEGIN, at: ledger.nowText() });
  const head = noteHead(sealing);
  write(head);
  return head;
}

/**
 * Seals a new chain before its first row is written. Rows without a seal then prove that the seal was deleted. With a
 * secret key, the first row records that this key signs.
 */
export function beginAudit(sealing: Sealing): void {
  const witness = readWitness(sealing.state.db, dirname(sealing.state.path));
  if (!isNew(witness) || checkWitness(witness, sealing.key).why !== null) return;
  sealAudit(sealing);
  if (sealing.key.hasSecret) noteSecretKey(sealing, true);
}
