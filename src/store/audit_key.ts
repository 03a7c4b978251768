import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, unavailable } from '../model/fault.ts';
import { reasonOf } from './failures.ts';
import { moveIntoPlace } from './place.ts';

/**
 * Signs checkpoints, and the notes that say where the audit log ends, with HMAC-SHA-256. The key is derived from the
 * box's secret key if there is one. Otherwise it is the box's own key in `<dataDir>/audit.key`. A signature begins with
 * the name of its key, so earlier signatures stay verifiable after a secret key is set.
 */
export type AuditKey = {
  /** True if new signatures use the secret key. */
  readonly hasSecret: boolean;
  sign(text: string): string;
  /**
   * Returns true if a signature is genuine, false if not; null if it names the secret key, and this key is not
   * available. A missing key of the box also gives false, because this key belongs in the data folder.
   */
  verify(text: string, signature: string): boolean | null;
};

type KeyName = 'box' | 'secret';

/** Returns true if a signature was made with the secret key, which is not stored in the data folder. */
export function isOfSecretKey(signature: string): boolean {
  return signature.startsWith('secret:');
}

export const AUDIT_KEY_FILE = 'audit.key';

/**
 * Reads the key of a data folder. If `make` is true, a missing key file is created. `secretFile` is the file of the
 * box's secret key; null if there is none.
 */
export function auditKey(dataDir: string, secretFile: string | null, make: boolean): AuditKey {
  const path = join(dataDir, AUDIT_KEY_FILE);
  if (make && !existsSync(path)) moveIntoPlace(path, (part) => writeKey(part));
  const keys = new Map<KeyName, Buffer>();
  if (existsSync(path)) keys.set('box', readKey(path));
  if (secretFile !== null)
    keys.set('secret', createHmac('sha256', readKey(secretFile)).update('dunlin audit').digest());
  return {
    hasSecret: keys.has('secret'),
    sign(text) {
      const name: KeyName = keys.has('secret') ? 'secret' : 'box';
      const key = keys.get(name);
      if (key === undefined)
        throw new Fault('not_configured', `the key file ${path}, with which the audit log is signed, is missing`);
      return `${name}:${hmac(key, text)}`;
    },
    verify(text, signature) {
      const [name = '', stated = ''] = signature.split(':', 2);
      const key = keys.get(name as KeyName);
      if (key === undefined) return name === 'secret' ? null : false;
      const expected = Buffer.from(hmac(key, text));
      const given = Buffer.from(stated);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** Minimum length of a key, bytes; shorter keys could be guessed. */
const KEY_BYTES = 32;

function hmac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

function writeKey(path: string): void {
  writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
}

/**
 * Reads a key file. White space around a text key is removed, because editors add it; a binary key is used unchanged.
 */
function readKey(path: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (thrown) {
    throw unavailable(`The key file ${path} cannot be read: ${reasonOf(thrown)}.`, { cause: thrown });
  }
  const isText = bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d));
  const key = isText ? Buffer.from(bytes.toString('latin1').trim(), 'latin1') : bytes;
  if (key.length >= KEY_BYTES) return key;
  const sentence = `The key file ${path} is too short: it has ${key.length} bytes, and a key needs at least ${KEY_BYTES}.`;
  throw unavailable(sentence);
}
