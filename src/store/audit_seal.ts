import type Database from 'better-sqlite3';
import { z } from 'zod';
import { count, timestamp } from '../model/scalar.ts';
import { type AuditHead, isHeadGenuine, readHead } from './audit_head.ts';
import { type AuditKey, isOfSecretKey } from './audit_key.ts';
import { hasSecretTrace } from './audit_secret.ts';
import { isMarked } from './marker.ts';
import { schemaVersion } from './migrate.ts';
import { auditSeal } from './migrations/0013_audit_seal.ts';

/**
 * The record in `state.db` that the audit head exists and reaches at least this row. Signed, so that whoever removes rows
 * together with the head cannot write a record that agrees.
 */
const sealSchema = z.strictObject({ seq: count, hash: z.string(), at: timestamp, signature: z.string() });
export type AuditSeal = z.infer<typeof sealSchema>;
type Place = Omit<AuditSeal, 'signature'>;

const KEY = 'audit_seal';

/** Stands in `meta` from the migration on until the first seal. */
const DUE = 'audit_seal_due';

function textOf({ seq, hash, at }: Place): string {
  return `seal ${seq} ${hash} ${at}`;
}

export function readSeal(db: Database.Database): AuditSeal | 'unreadable' | null {
  const text = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck().get(KEY);
  if (text === undefined) return null;
  try {
    return sealSchema.parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}

/** Call within a transaction, once the head that it vouches for is on the disk. */
export function writeSeal(db: Database.Database, place: Place, key: AuditKey): void {
  const seal: AuditSeal = { ...place, signature: key.sign(textOf(place)) };
  const put = 'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
  db.prepare(put).run(KEY, JSON.stringify(seal));
  db.prepare('DELETE FROM meta WHERE key = ?').run(DUE);
}

/** What is outside the chain and says how far it went. */
export type AuditWitness = {
  marked: boolean;
  /** Whether the first seal has yet to come: a new box, or a database of an earlier schema. */
  due: boolean;
  /** Whether the chain records that the secret key signed. */
  secret: boolean;
  seal: AuditSeal | 'unreadable' | null;
  head: AuditHead | 'unreadable' | null;
};

/**
 * A daemon that seals meanwhile leaves no gap to be seen: the row of the secret key is read first and the head last. The
 * marker is read before a seal that is missing, and after one that is there, since each shows that the other has to be.
 */
export function readWitness(db: Database.Database, dataDir: string): AuditWitness {
  const secret = hasSecretTrace(db);
  const wasMarked = isMarked(dataDir);
  const due = isDue(db);
  const seal = readSeal(db);
  const marked = seal === null ? wasMarked : isMarked(dataDir);
  return { marked, due, secret, seal, head: readHead(dataDir) };
}

function isDue(db: Database.Database): boolean {
  if (schemaVersion(db) < auditSeal.version) return true;
  return db.prepare<[string], number>('SELECT 1 FROM meta WHERE key = ?').pluck().get(DUE) !== undefined;
}

/** Whether nothing has been sealed yet: a new box, or a database of an earlier version. */
export function isUnsealed({ marked, due, seal }: AuditWitness): boolean {
  return seal === null && !marked && due;
}

/** `why` is null where nothing contradicts; `unchecked` lists what no key here can check, as sentences. */
export type WitnessReport = { why: string | null; unchecked: string[] };

/** Judges the witnesses themselves, without the rows. */
export function checkWitness(witness: AuditWitness, key: AuditKey): WitnessReport {
  const unchecked: string[] = [];
  return { why: contradiction(witness, key, unchecked), unchecked };
}

const HEAD = 'the note of where the chain had come to (audit.head)';
const SEAL = "state.db's record of that note";
const DOWNGRADED = 'is not signed with the secret key, which signed the audit log before';

function contradiction(witness: AuditWitness, key: AuditKey, unchecked: string[]): string | null {
  const { marked, due, secret, seal, head } = witness;
  if (head === 'unreadable') return `${HEAD} does not read`;
  if (seal === 'unreadable') return `${SEAL} does not read`;
  if (seal === null && marked) return `${SEAL} is missing, and state.marker says that there was one`;
  if (seal === null && !due) return `${SEAL} is missing, and the schema of state.db says that there was one`;
  if (seal !== null) {
    const genuine = key.verify(textOf(seal), seal.signature);
    if (genuine === false) return `${SEAL} has a wrong signature`;
    if (genuine === null) unchecked.push(`the key that signed ${SEAL} is not here`);
    if (key.hasSecret && secret && !isOfSecretKey(seal.signature)) return `${SEAL} ${DOWNGRADED}`;
    if (head === null) return `${HEAD} is missing, and state.db says that it was there on ${seal.at}`;
    // The first seal of a folder vouches for no row, so that a start which was interrupted before the marker is none.
    if (!marked && seal.seq > 0) return `state.marker is missing, and ${SEAL} of ${seal.at} shows that it was there`;
  }
  if (head === null) return null;
  const genuine = isHeadGenuine(head, key);
  if (genuine === false) return `${HEAD} has a wrong signature`;
  if (genuine === null) unchecked.push(`the key that signed ${HEAD} is not here`);
  if (key.hasSecret && !isOfSecretKey(head.signature)) {
    if (secret) return `${HEAD} ${DOWNGRADED}`;
    unchecked.push(`${HEAD} is signed with audit.key: the secret key, which is here, does not vouch for it`);
  }
  if (seal === null) return null;
  if (isOfSecretKey(seal.signature) && !isOfSecretKey(head.signature))
    return `${HEAD} is not signed with the secret key, which signed ${SEAL}`;
  if (head.seq < seal.seq) return `${HEAD} ends at row ${head.seq}, and state.db says that it went to row ${seal.seq}`;
  return null;
}
