import { createDecipheriv, createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Fault, invalidInput } from '../../../model/fault.ts';
import { childrenOf, type Element, integerOf, octetsOf, oidOf, tags } from './der.ts';

/** Limit of key derivation rounds. Files of common programs have 1 to 600,000. */
const MOST_ROUNDS = 1_000_000;
/** Number of rounds after which the key derivation lets the event loop run. */
const ROUNDS_A_TURN = 4_096;

const pbes2 = '1.2.840.113549.1.5.13';
const pbkdf2Id = '1.2.840.113549.1.5.12';
const shaAnd3Des = '1.2.840.113549.1.12.1.3';
/**
 * Object identifiers of obsolete encryption: PKCS#12 with RC2, RC4 or two-key 3DES, and PBES1. OpenSSL 3 has RC2, RC4
 * and PBES1 only in its legacy provider.
 */
const legacy = /^1\.2\.840\.113549\.1\.(?:12\.1\.[12456]|5\.(?:1|3|4|6|10|11))$/;

const ciphers: Readonly<Record<string, { name: string; keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
};
/** Hashes of HMAC in PBKDF2 (RFC 8018, B.1.2). */
const hmacs: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const hashes: Readonly<Record<string, { name: string; blockBytes: number }>> = {
  '1.3.14.3.2.26': { name: 'sha1', blockBytes: 64 },
  '2.16.840.1.101.3.4.2.1': { name: 'sha256', blockBytes: 64 },
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', blockBytes: 128 },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', blockBytes: 128 },
};

/** Identifiers of the purpose of derived bytes (RFC 7292, B.3). */
const purposes = { key: 1, iv: 2, mac: 3 } as const;

/** Error of a file with an obsolete encryption, which this program does not read. */
export class LegacyEncryption extends Error {}

export function wrongPassphrase(): Fault {
  return invalidInput("does not open with this 'passphrase', or is damaged");
}

export function refuseLegacy(algorithm: Element | undefined): void {
  const oid = oidOf(childrenOf(algorithm, tags.sequence)[0]);
  if (legacy.test(oid)) throw new LegacyEncryption(oid);
}

/**
 * Decrypts bytes with a passphrase: PBES2 with PBKDF2 and AES or 3DES (RFC 8018), and SHA-1 with 3DES (RFC 7292). The
 * key derivation does not block the event loop. Throws `LegacyEncryption`, a Fault, or an Error if the parameters are
 * malformed.
 */
export async function decrypted(algorithm: Element | undefined, bytes: Buffer, passphrase: string): Promise<Buffer> {
  refuseLegacy(algorithm);
  const [id, parameters] = childrenOf(algorithm, tags.sequence);
  const oid = oidOf(id);
  if (oid === pbes2) return decipher(await ofPbes2(parameters, passphrase), bytes);
  if (oid !== shaAnd3Des) throw invalidInput(`is encrypted with an unsupported method (${oid})`);
  const [salt, rounds] = childrenOf(parameters, tags.sequence);
  const derive = (purpose: number, length: number): Promise<Buffer> =>
    derived({
      hash: 'sha1',
      blockBytes: 64,
      salt: octetsOf(salt),
      rounds: roundsOf(rounds),
      passphrase,
      purpose,
      length,
    });
  const [key, iv] = [await derive(purposes.key, 24), await derive(purposes.iv, 8)];
  return decipher({ cipher: 'des-ede3-cbc', key, iv }, bytes);
}

/** Checks the MAC of a PKCS#12 file (RFC 7292, section 5.1). Throws the Fault of `wrongPassphrase` if it differs. */
export async function checkMac(mac: Element, content: Buffer, passphrase: string): Promise<void> {
  const [digestInfo, salt, rounds] = childrenOf(mac, tags.sequence);
  const [algorithm, digest] = childrenOf(digestInfo, tags.sequence);
  const hash = hashes[oidOf(childrenOf(algorithm, tags.sequence)[0])];
  if (hash === undefined)
    throw invalidInput(
      'has a message authentication code of an unsupported kind: use SHA-1, SHA-256, SHA-384 or SHA-512',
    );
  const { name, blockBytes } = hash;
  const expected = octetsOf(digest);
  const key = await derived({
    ...{ hash: name, blockBytes, salt: octetsOf(salt), rounds: rounds === undefined ? 1 : roundsOf(rounds) },
    ...{ passphrase, purpose: purposes.mac, length: createHash(name).digest().length },
  });
  const found = createHmac(name, key).update(content).digest();
  if (expected.length !== found.length || !timingSafeEqual(expected, found)) throw wrongPassphrase();
}

type Cipher = { cipher: string; key: Buffer; iv: Buffer };

async function ofPbes2(parameters: Element | undefined, passphrase: string): Promise<Cipher> {
  const [derivation, encryption] = childrenOf(parameters, tags.sequence);
  const [derivationId, given] = childrenOf(derivation, tags.sequence);
  const [cipherId, iv] = childrenOf(encryption, tags.sequence);
  const cipher = ciphers[oidOf(cipherId)];
  if (oidOf(derivationId) !== pbkdf2Id)
    throw invalidInput('uses PBES2 without PBKDF2, the only key derivation that is supported with PBES2');
  if (cipher === undefined) throw new LegacyEncryption(oidOf(cipherId));
  const [salt, rounds, ...others] = childrenOf(given, tags.sequence);
  const prf = others.find(({ tag }) => tag === tags.sequence);
  const hash = prf === undefined ? 'sha1' : hmacs[oidOf(childrenOf(prf)[0])];
  if (hash === undefined) throw invalidInput('uses an unsupported hash function');
  const key = await promisify(pbkdf2)(passphrase, octetsOf(salt), roundsOf(rounds), cipher.keyBytes, hash);
  return { cipher: cipher.name, key, iv: octetsOf(iv) };
}

function roundsOf(element: Element | undefined): number {
  const rounds = integerOf(element);
  if (rounds >= 1 && rounds <= MOST_ROUNDS) return rounds;
  throw invalidInput(`needs ${rounds} rounds of key derivation; at most ${MOST_ROUNDS} are allowed`);
}

function decipher({ cipher, key, iv }: Cipher, bytes: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(cipher, key, iv);
    return Buffer.concat([decipher.update(bytes), decipher.final()]);
  } catch {
    throw wrongPassphrase();
  }
}

type Derivation = {
  hash: string;
  blockBytes: number;
  salt: Buffer;
  rounds: number;
  passphrase: string;
  purpose: number;
  length: number;
};

/** Key derivation of PKCS#12 (RFC 7292, B.2). */
async function derived({ hash, blockBytes, salt, rounds, passphrase, purpose, length }: Derivation): Promise<Buffer> {
  const password = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
  const input = Buffer.concat([filled(salt, blockBytes), filled(password, blockBytes)]);
  const parts: Buffer[] = [];
  for (let bytes = 0; bytes < length; ) {
    const part = await hashed(hash, Buffer.concat([Buffer.alloc(blockBytes, purpose), input]), rounds);
    parts.push(part);
    bytes += part.length;
    const block = filled(part, blockBytes);
    for (let at = 0; at < input.length; at += blockBytes) addOne(input.subarray(at, at + blockBytes), block);
  }
  return Buffer.concat(parts).subarray(0, length);
}

async function hashed(hash: string, first: Buffer, rounds: number): Promise<Buffer> {
  let value = createHash(hash).update(first).digest();
  for (let round = 1; round < rounds; round++) {
    value = createHash(hash).update(value).digest();
    if (round % ROUNDS_A_TURN === 0) await setImmediate();
  }
  return value;
}

/** Repeats the bytes up to the next multiple of the block length. */
function filled(bytes: Buffer, blockBytes: number): Buffer {
  if (bytes.length === 0) return bytes;
  return Buffer.alloc(Math.ceil(bytes.length / blockBytes) * blockBytes, bytes);
}

/** Computes `number + other + 1` on big-endian integers in place, modulo their size (RFC 7292, B.2, step 6C). */
function addOne(number: Buffer, other: Buffer): void {
  let carry = 1;
  for (let at = number.length - 1; at >= 0; at--) {
    carry += (number[at] ?? 0) + (other[at] ?? 0);
    number[at] = carry & 0xff;
    carry >>= 8;
  }
}
