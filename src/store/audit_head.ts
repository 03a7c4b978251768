import { join } from 'node:path';
import { z } from 'zod';
import { count, timestamp } from '../model/scalar.ts';
import type { AuditKey } from './audit_key.ts';
import { readNote, writeNote } from './place.ts';

/**
 * File beside the database that notes the end of the audit chain. It is needed because the chain itself cannot show
 * that its last rows are missing. The daemon writes it at the start, at the stop, and about once a minute if the end
 * changed. Between two writes, the file does not cover the newest rows.
 */
export const AUDIT_HEAD_FILE = 'audit.head';

const fields = { seq: count, hash: z.string(), at: timestamp, signature: z.string() };
const headSchema = z.union([
  /** Format of versions that also record the head in `state.db`. */
  z.strictObject({ v: z.literal(2), ...fields }),
  /** Format of earlier versions. The signature of such a head shows that the chain was not sealed yet. */
  z.strictObject({ v: z.undefined().optional(), ...fields }),
]);
export type AuditHead = z.infer<typeof headSchema>;

/** Last row of a chain, and the time at which the row was noted (RFC 3339). */
export type AuditPlace = { seq: number; hash: string; at: string };

/**
 * Returns the text that the signature of a head covers. The text differs between the two formats, so that nobody
 * without the key can convert one format into the other.
 */
function textOf({ v, seq, hash, at }: AuditPlace & { v?: 2 | undefined }): string {
  return `${v === 2 ? 'sealed head' : 'head'} ${seq} ${hash} ${at}`;
}

/** Writes the head. `sealed` is false in a backup whose `state.db` does not record the head yet. */
export function writeHead(dataDir: string, place: AuditPlace, key: AuditKey, sealed = true): void {
  const { seq, hash, at } = place;
  const signed = { ...(sealed ? { v: 2 as const } : {}), seq, hash, at };
  const head: AuditHead = { ...signed, signature: key.sign(textOf(signed)) };
  writeNote(join(dataDir, AUDIT_HEAD_FILE), head);
}

/** Reads the head; null if the file is missing, `unreadable` if it cannot be read or parsed. */
export function readHead(dataDir: string): AuditHead | 'unreadable' | null {
  return readNote(join(dataDir, AUDIT_HEAD_FILE), headSchema);
}

/** Returns true if the head has the format of earlier versions, which did not seal the chain. */
export function isOfUnsealed(head: AuditHead): boolean {
  return head.v === undefined;
}

/** Returns true if a head's signature is genuine, false if not; null if its key is not available. */
export function isHeadGenuine(head: AuditHead, key: AuditKey): boolean | null {
  return key.verify(textOf(head), head.signature);
}
