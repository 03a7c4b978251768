import { createHash } from 'node:crypto';
import { Fault } from '../../../model/fault.ts';
import type { SigningKey } from '../../../model/link.ts';
import { KEY_SIZE } from './signing.ts';

/** The 32 bytes that somebody means. A passphrase is hashed as Mission Planner and MAVProxy hash it: SHA-256 of its UTF-8. */
export function keyBytes({ key: said = '', passphrase }: SigningKey): Buffer {
  if (passphrase !== undefined) return createHash('sha256').update(passphrase, 'utf8').digest();
  const key = Buffer.from(said, said.length === 2 * KEY_SIZE ? 'hex' : 'base64');
  // To a vehicle a key of zeros means that it is to sign no more.
  if (key.every((byte) => byte === 0)) throw new Fault('invalid_input', "'key' must not be all zeros");
  return key;
}
