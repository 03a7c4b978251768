import { join } from 'node:path';
import { z } from 'zod';
import { count, timestamp } from '../model/scalar.ts';
import type { AuditKey } from './audit_key.ts';
import { readNote, writeNote } from './place.ts';

/**
 * Note of the end of the chain of audit rows, stored beside the database: rows missing at the end cannot be seen in the
 * chain itself. It is written about once a minute and at the stop, so it does not cover the very last rows.
 */
export const AUDIT_HEAD_FILE = 'audit.head';

const fields = { seq: count, hash: z.string(), at: timestamp, signature: z.string() };
const headSchema = z.union([
  /** Heads of versions that also write a record of the head in `state.db`. */
  z.strictObject({ v: z.literal(2), ...fields }),
  /** Heads of an earlier version: their signature shows that the chain is not sealed yet. */
  z.strictObject({ v: z.undefined().optional(), ...fields }),
]);
export type AuditHead = z.infer<typeof headSchema>;

/** The last row of a chain, and the time at which it was noted (RFC 3339). */
export type AuditPlace = { seq: number; hash: string; at: string };

/**
 * Signed text of a head. It differs between the two versions, so nobody can turn one version into the other without the
 * key.
 */
function textOf({ v, seq, hash, at }: AuditPlace & { v?: 2 | undefined }): string {
  return `${v === 2 ? 'sealed head' : 'head'} ${seq} ${hash} ${at}`;
}

/** Writes the head; `sealed` is false for a copy of a database that has no record of its head yet. */
export function writeHead(dataDir: string, place: AuditPlace, key: AuditKey, sealed = true): void {
  const { seq, hash, at } = place;
  const signed = { ...(sealed ? { v: 2 as const } : {}), seq, hash, at };
  const head: AuditHead = { ...signed, signature: key.sign(textOf(signed)) };
  writeNote(join(dataDir, AUDIT_HEAD_FILE), head);
}

/** Reads the head; null where there is none, `unreadable` where the file has other content. */
export function readHead(dataDir: string): AuditHead | 'unreadable' | null {
  return readNote(join(dataDir, AUDIT_HEAD_FILE), headSchema);
}

/** Whether a version that did not seal the chain wrote the head. */
export function isOfUnsealed(head: AuditHead): boolean {
  return head.v === undefined;
}

/** Whether a head is genuine; null where the key that signed it is not available. */
export function isHeadGenuine(head: AuditHead, key: AuditKey): boolean | null {
  return key.verify(textOf(head), head.signature);
}
