import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { count, timestamp } from '../model/scalar.ts';
import type { AuditKey } from './audit_key.ts';
import { moveIntoPlace } from './place.ts';

/**
 * Where the chain of audit rows had come to, kept beside the database: that rows are missing from its end cannot be seen
 * in the chain itself. Written about once a minute and at the stop, so the very last rows are not vouched for.
 */
export const AUDIT_HEAD_FILE = 'audit.head';

const headSchema = z.strictObject({ seq: count, hash: z.string(), at: timestamp, signature: z.string() });
export type AuditHead = z.infer<typeof headSchema>;

type Place = { seq: number; hash: string; at: string };

function textOf({ seq, hash, at }: Place): string {
  return `head ${seq} ${hash} ${at}`;
}

export function writeHead(dataDir: string, place: Place, key: AuditKey): void {
  const head: AuditHead = { ...place, signature: key.sign(textOf(place)) };
  moveIntoPlace(join(dataDir, AUDIT_HEAD_FILE), (part) =>
    writeFileSync(part, `${JSON.stringify(head)}\n`, { mode: 0o640 }),
  );
}

/** Null where there is none; `unreadable` where there is something else. */
export function readHead(dataDir: string): AuditHead | 'unreadable' | null {
  const path = join(dataDir, AUDIT_HEAD_FILE);
  if (!existsSync(path)) return null;
  try {
    return headSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return 'unreadable';
  }
}

/** Null where the key that signed it is not at hand. */
export function isHeadGenuine(head: AuditHead, key: AuditKey): boolean | null {
  return key.verify(textOf(head), head.signature);
}
