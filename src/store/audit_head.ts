import { join } from 'node:path';
import { z } from 'zod';
import { count, timestamp } from '../model/scalar.ts';
import type { AuditKey } from './audit_key.ts';
import { readNote, writeNote } from './place.ts';

/**
 * Note of the end of the chain of audit rows, kept beside the database: rows missing from its end cannot be seen in the
 * chain itself. Written about once a minute and at the stop, so the very last rows are not vouched for.
 */
export const AUDIT_HEAD_FILE = 'audit.head';

const fields = { seq: count, hash: z.string(), at: timestamp, signature: z.string() };
const headSchema = z.union([
  /** Heads of versions that also write the record in `state.db`. */
  z.strictObject({ v: z.literal(2), ...fields }),
  /** Heads of an earlier version: their signature shows that this chain is not sealed yet. */
  z.strictObject({ v: z.undefined().optional(), ...fields }),
]);
export type AuditHead = z.infer<typeof headSchema>;

/** The last row of a chain, and the time at which it was noted (RFC 3339). */
export type AuditPlace = { seq: number; hash: string; at: string };

/** Text that is signed. The two versions differ in it, so neither can be turned into the other without the key. */
function textOf({ v, seq, hash, at }: AuditPlace & { v?: 2 | undefined }): string {
  return `${v === 2 ? 'sealed head' : 'head'} ${seq} ${hash} ${at}`;
}

/** `sealed` is false for a copy of a database that has no record of its head yet. */
export function writeHead(dataDir: string, place: AuditPlace, key: AuditKey, sealed = true): void {
  const { seq, hash, at } = place;
  const signed = { ...(sealed ? { v: 2 as const } : {}), seq, hash, at };
  const head: AuditHead = { ...signed, signature: key.sign(textOf(signed)) };
  writeNote(join(dataDir, AUDIT_HEAD_FILE), head);
}

/** Reads the head; null where there is none, `unreadable` where the file has another content. */
export function readHead(dataDir: string): AuditHead | 'unreadable' | null {
  return readNote(join(dataDir, AUDIT_HEAD_FILE), headSchema);
}

/** True where a version wrote it that did not seal the chain. */
export function isOfUnsealed(head: AuditHead): boolean {
  return head.v === undefined;
}

/** Whether a head is genuine; null where the key that signed it is missing here. */
export function isHeadGenuine(head: AuditHead, key: AuditKey): boolean | null {
  return key.verify(textOf(head), head.signature);
}
