import { Fault, invalidInput } from '../../../model/fault.ts';
import { childrenOf, type Element, elementsOf, integerOf, octetsOf, oidOf, tags } from './der.ts';
import { checkMac, decrypted, LegacyEncryption, refuseLegacy } from './password_encryption.ts';

/** Content of a PKCS#12 file: certificates as DER, and the key as unencrypted PKCS#8, null if the file has none. */
export type Pkcs12 = { certificates: Buffer[]; key: Buffer | null };

const data = '1.2.840.113549.1.7.1';
const encryptedData = '1.2.840.113549.1.7.6';
const keyBag = '1.2.840.113549.1.12.10.1.1';
const shroudedKeyBag = '1.2.840.113549.1.12.10.1.2';
const certificateBag = '1.2.840.113549.1.12.10.1.3';
const x509 = '1.2.840.113549.1.9.22.1';

/** Greatest number of certificates in a file. */
const MOST_CERTIFICATES = 64;

/**
 * Reads a PKCS#12 file (RFC 7292). The reader of Node.js is not used: it reads only files that contain a key, its key
 * derivation has no limit of rounds, and it blocks the event loop. Throws `invalid_input`, whose sentence begins with
 * `name`.
 */
export async function readPkcs12(name: string, bytes: Buffer, passphrase: string): Promise<Pkcs12> {
  try {
    return await contentOf(bytes, passphrase);
  } catch (thrown) {
    if (thrown instanceof LegacyEncryption) throw invalidInput(`'${name}' ${legacySentence(name)}`);
    if (thrown instanceof Fault) throw invalidInput(`'${name}' ${thrown.message}`);
    throw invalidInput(`'${name}' is no PKCS#12 file, or is damaged`);
  }
}

function legacySentence(name: string): string {
  const isTrust = name === 'ca_p12';
  const options = isTrust ? '-nokeys -out ca.pem' : '-nodes -out new.pem';
  const use = isTrust ? "'ca_pem'" : "'cert_pem' and 'key_pem'";
  return (
    'is encrypted with RC2 or another old cipher. Convert it with: ' +
    `openssl pkcs12 -legacy -in old.p12 ${options}. Then give that file as ${use}`
  );
}

async function contentOf(bytes: Buffer, passphrase: string): Promise<Pkcs12> {
  const [version, safe, mac] = childrenOf(elementsOf(bytes)[0], tags.sequence);
  if (integerOf(version) !== 3) throw new Error('another version');
  const contents = plainOf(childrenOf(safe, tags.sequence));
  const found: Pkcs12 = { certificates: [], key: null };
  const parts = childrenOf(elementsOf(contents)[0], tags.sequence).map((part) => childrenOf(part, tags.sequence));
  // Obsolete encryption is reported before the MAC check, whose failure would hide it.
  for (const part of parts) if (oidOf(part[0]) !== data) refuseLegacy(sealedOf(part).algorithm);
  if (mac !== undefined) await checkMac(mac, contents, passphrase);
  for (const part of parts) {
    const bags = oidOf(part[0]) === data ? plainOf(part) : await openedOf(part, passphrase);
    for (const bag of childrenOf(elementsOf(bags)[0], tags.sequence)) await take(found, bag, passphrase);
  }
  return found;
}

/** Returns the bytes of a content of type `data`. */
function plainOf([type, content]: readonly Element[]): Buffer {
  if (oidOf(type) !== data) throw new Error('no data');
  return octetsOf(childrenOf(content, tags.context0)[0]);
}

/** Returns algorithm and bytes of an encrypted content. */
function sealedOf([type, content]: readonly Element[]): { algorithm: Element | undefined; bytes: Buffer } {
  if (oidOf(type) !== encryptedData) throw invalidInput('is encrypted for a public key: encrypt it with a passphrase');
  const [, info] = childrenOf(childrenOf(content, tags.context0)[0], tags.sequence);
  const [, algorithm, bytes] = childrenOf(info, tags.sequence);
  return { algorithm, bytes: octetsOf(bytes) };
}

async function openedOf(part: readonly Element[], passphrase: string): Promise<Buffer> {
  const { algorithm, bytes } = sealedOf(part);
  return decrypted(algorithm, bytes, passphrase);
}

async function take(found: Pkcs12, bag: Element, passphrase: string): Promise<void> {
  const [type, value] = childrenOf(bag, tags.sequence);
  const [content] = childrenOf(value, tags.context0);
  switch (oidOf(type)) {
    case keyBag:
      found.key ??= content?.whole ?? null;
      break;
    case shroudedKeyBag: {
      const [algorithm, bytes] = childrenOf(content, tags.sequence);
      found.key ??= await decrypted(algorithm, octetsOf(bytes), passphrase);
      break;
    }
    case certificateBag: {
      const [kind, certificate] = childrenOf(content, tags.sequence);
      if (oidOf(kind) !== x509) return;
      if (found.certificates.length >= MOST_CERTIFICATES)
        throw invalidInput(`has more than ${MOST_CERTIFICATES} certificates, the limit`);
      found.certificates.push(octetsOf(childrenOf(certificate, tags.context0)[0]));
      break;
    }
    // Ignores other bags, such as certificate revocation lists and secrets that are no keys.
    default:
  }
}
