import type Database from 'better-sqlite3';
import { z } from 'zod';
import { count, timestamp } from '../model/scalar.ts';
import { type AuditHead, type AuditPlace, isHeadGenuine, isOfUnsealed, readHead } from './audit_head.ts';
import { type AuditKey, isOfSecretKey } from './audit_key.ts';
import { hasSealedSecrets, hasSecretTrace } from './audit_secret.ts';
import { parsedNote, readMeta, writeMeta } from './database.ts';
import { isMarkerGenuine, type Marker, readMarker } from './marker.ts';

/**
 * Record in `state.db` that the audit head exists and covers at least the row `seq`. Only the first seal, with `seq` 0,
 * precedes the head. The record is signed: an attacker who deletes rows and the head cannot forge a matching record.
 */
const sealSchema = z.strictObject({ seq: count, hash: z.string(), at: timestamp, signature: z.string() });
export type AuditSeal = z.infer<typeof sealSchema>;

const KEY = 'audit_seal';

function textOf({ seq, hash, at }: AuditPlace): string {
  return `seal ${seq} ${hash} ${at}`;
}

export function readSeal(db: Database.Database): AuditSeal | 'unreadable' | null {
  return parsedNote(readMeta(db, KEY), sealSchema);
}

/**
 * Writes the seal. Call it within a transaction. Except for the first seal, which covers no rows, an audit head for
 * `place` must already be on the disk.
 */
export function writeSeal(db: Database.Database, place: AuditPlace, key: AuditKey): void {
  const seal: AuditSeal = { ...place, signature: key.sign(textOf(place)) };
  writeMeta(db, KEY, JSON.stringify(seal));
}

/** Evidence from outside the chain that shows how long the chain was. */
export type AuditWitness = {
  /** True if the database has audit rows, or other data that is always written together with audit rows. */
  begun: boolean;
  /** True if the chain records that the secret key signs the audit log. */
  secret: boolean;
  /** True if the secret key sealed secrets in the database. */
  sealedSecrets: boolean;
  seal: AuditSeal | 'unreadable' | null;
  head: AuditHead | 'unreadable' | null;
  marker: Marker | 'unreadable' | null;
};

/**
 * Reads the witnesses, in an order that shows no contradiction even if a daemon seals the log at the same time. Rows
 * are read before the seal, because the daemon writes the first seal before the first row. The head is read last. If
 * the first seal appears during the reading, everything is read again.
 */
export function readWitness(db: Database.Database, dataDir: string): AuditWitness {
  const sealedSecrets = hasSealedSecrets(db);
  const secret = hasSecretTrace(db);
  const begun = isBegun(db);
  const seal = readSeal(db);
  const marker = readMarker(dataDir);
  const head = readHead(dataDir);
  if (seal === null && readSeal(db) !== null) return readWitness(db, dataDir);
  return { begun, secret, sealedSecrets, seal, head, marker };
}

/** Tables whose rows are always written in one transaction with an audit row. */
const madeWithRows = ['audit', 'audit_checkpoints', 'users', 'api_keys', 'sensors', 'assets', 'zones', 'links'];

function isBegun(db: Database.Database): boolean {
  const sql = madeWithRows.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ');
  return db.prepare<[], number>(`SELECT ${sql}`).pluck().get() === 1;
}

/** Returns true if nothing was sealed yet: the box is new, or the database is of an earlier version. */
export function isUnsealed({ marker, seal, head }: AuditWitness): boolean {
  return seal === null && marker === null && (head === null || (head !== 'unreadable' && isOfUnsealed(head)));
}

/**
 * Returns true if the secret key signed the head or the seal, or if the chain has not begun. Call it only after
 * `checkWitness` found both genuine.
 */
export function isVouchedFor({ begun, seal, head }: AuditWitness): boolean {
  const notes = [seal, head].filter((note) => note !== null && note !== 'unreadable');
  return !begun || notes.some(({ signature }) => isOfSecretKey(signature));
}

/**
 * Returns true if the database is new, and no seal covers a row. The first seal may exist, if the first start was
 * interrupted.
 */
export function isNew({ begun, seal }: AuditWitness): boolean {
  return !begun && (seal === null || (seal !== 'unreadable' && seal.seq === 0));
}

/**
 * Result of `checkWitness`. `why` is the contradiction, or null. `unchecked` has a sentence for each witness whose key
 * is not available.
 */
export type WitnessReport = { why: string | null; unchecked: string[] };

/** Checks the witnesses against each other. The rows of the chain are not read. */
export function checkWitness(witness: AuditWitness, key: AuditKey): WitnessReport {
  const unchecked: string[] = [];
  return { why: contradiction(witness, key, unchecked), unchecked };
}

const HEAD = 'the note of the end of the audit log (audit.head)';
const MARKER = 'the second note of the end of the audit log (state.marker)';
const SEAL = "state.db's record of audit.head";
const DOWNGRADED = 'is not signed with the secret key, which signed the audit log before';

function contradiction(witness: AuditWitness, key: AuditKey, unchecked: string[]): string | null {
  const { seal, head, marker } = witness;
  if (head === 'unreadable') return `${HEAD} cannot be read`;
  if (seal === 'unreadable') return `${SEAL} cannot be read`;
  if (marker === 'unreadable') return `${MARKER} cannot be read`;
  const notes: Note[] = [];
  if (head !== null) notes.push({ name: HEAD, place: head, genuine: isHeadGenuine(head, key) });
  if (marker !== null) notes.push({ name: MARKER, place: marker, genuine: isMarkerGenuine(marker, key) });
  let why = seal === null ? sealMissing(witness) : sealFault(seal, witness, key, unchecked);
  for (const note of notes) why ??= noteFault(note, seal, witness, key, unchecked);
  return why;
}

/**
 * Returns why a missing seal is a fault; null if it may be missing. Before the first seal, either the chain is empty or
 * an earlier version signed its head. An attacker without the key can change the database, but cannot forge this head.
 */
function sealMissing({ begun, marker, head }: AuditWitness): string | null {
  if (marker !== null) return `${SEAL} is missing, although state.marker says that there was one`;
  if (head === null)
    return begun
      ? `${SEAL} is missing, and there is no audit.head of an earlier version, which would explain this`
      : null;
  if (head === 'unreadable' || isOfUnsealed(head)) return null;
  return `${SEAL} is missing, although audit.head says that there was one`;
}

function sealFault(seal: AuditSeal, witness: AuditWitness, key: AuditKey, unchecked: string[]): string | null {
  const { begun, marker, secret, sealedSecrets, head } = witness;
  const genuine = key.verify(textOf(seal), seal.signature);
  if (genuine === false) return `${SEAL} has a wrong signature`;
  if (genuine === null)
    unchecked.push(`${SEAL} was not checked: it is signed with the daemon's secret key, which is not available here`);
  if (key.hasSecret && secret && !isOfSecretKey(seal.signature)) return `${SEAL} ${DOWNGRADED}`;
  // The daemon writes the row about the secret key before this key seals anything. A missing row therefore was deleted.
  if (key.hasSecret && !secret && sealedSecrets)
    return 'the secret key sealed secrets in state.db, but the audit row that records its first signature is missing';
  // The first seal covers no rows. A start that was interrupted before it wrote marker and head is therefore not
  // reported as deleted rows.
  if (head === null && (begun || seal.seq > 0)) return `${HEAD} is missing, although state.db records it on ${seal.at}`;
  const isFirst = seal.seq === 0 && (head === null || head === 'unreadable' || isOfUnsealed(head));
  if (marker === null && !isFirst) return `state.marker is missing, and ${SEAL} of ${seal.at} shows that it was there`;
  return null;
}

/** Note of the chain's end beside the database: head or marker. */
type Note = { name: string; place: { seq: number; signature: string }; genuine: boolean | null };

function noteFault(
  { name, place: { seq, signature }, genuine }: Note,
  seal: AuditSeal | null,
  { secret }: AuditWitness,
  key: AuditKey,
  unchecked: string[],
): string | null {
  if (genuine === false) return `${name} has a wrong signature`;
  if (genuine === null)
    unchecked.push(`${name} was not checked: it is signed with the daemon's secret key, which is not available here`);
  if (key.hasSecret && !isOfSecretKey(signature)) {
    if (secret) return `${name} ${DOWNGRADED}`;
    unchecked.push(`${name} is signed only with audit.key, and not with the secret key, which is available`);
  }
  if (seal === null) return null;
  if (isOfSecretKey(seal.signature) && !isOfSecretKey(signature))
    return `${name} is not signed with the secret key, which signed ${SEAL}`;
  if (seq < seal.seq) return `${name} ends at row ${seq}, but state.db says that it reached row ${seal.seq}`;
  return null;
}

/**
 * Returns the end of the chain as the head records it, and as the marker records it. A missing or unreadable record is
 * left out.
 */
export function notedPlaces({ head, marker }: AuditWitness): AuditPlace[] {
  return [head, marker].filter((note) => note !== null && note !== 'unreadable');
}
