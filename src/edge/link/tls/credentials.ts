import { constants, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { CredentialFiles, CredentialsBody, CredentialsView } from '../../../model/credentials.ts';
import { Fault, invalidInput } from '../../../model/fault.ts';
import { formatTime } from '../../../model/time.ts';
import { childrenOf, elementsOf, octetsOf } from './der.ts';
import { decrypted } from './password_encryption.ts';
import { type Block, blocksOf } from './pem.ts';
import { readPkcs12 } from './pkcs12.ts';

/** Checked credentials of a link or outlet. The key is unencrypted. */
export type Credentials = {
  /**
   * Own certificate, followed by the other certificates of its file except roots; null for none. `cert`, `key` and `ca`
   * are PEM.
   */
  cert: string | null;
  key: string | null;
  /** Authorities by which the server is verified; null for the public ones. */
  ca: string | null;
  username: string | null;
  password: string | null;
};

/** The part of the credentials that TLS uses. */
export type TlsMaterial = Pick<Credentials, 'cert' | 'key' | 'ca'>;

/** Greatest number of certificates in one file. */
const MOST_CERTIFICATES = 64;
const ENCRYPTED_KEY = 'ENCRYPTED PRIVATE KEY';

/**
 * Reads and checks credentials. Throws `invalid_input` with a sentence that contains no secret. The sentence names the
 * field, unless the fault lies between fields, such as a key of another certificate.
 */
export async function readCredentials(given: CredentialsBody): Promise<Credentials> {
  const { passphrase = '', username = null, password = null } = given;
  const identity = await identityOf(given, passphrase);
  return { ...checked(identity, await authoritiesOf(given, passphrase)), username, password };
}

/** Reads PEM texts of configuration files, whose key must not be encrypted. Throws as `readCredentials` does. */
export function readPem({
  cert_file,
  key_file,
  ca_file,
}: Readonly<Record<keyof CredentialFiles, string | null>>): Credentials {
  const identity: Identity = { certificates: [], key: null };
  if (cert_file !== null && key_file !== null) {
    identity.certificates = certificatesOf('cert_file', cert_file);
    const { text, isEncrypted } = keyBlockOf('key_file', key_file);
    if (isEncrypted)
      throw invalidInput("'key_file' is encrypted. Decrypt it with: openssl pkey -in key.pem -out plain.pem");
    identity.key = keyOf('key_file', text);
  }
  const ca = ca_file === null ? [] : certificatesOf('ca_file', ca_file);
  return { ...checked(identity, ca), username: null, password: null };
}

function checked({ certificates, key }: Identity, ca: readonly X509Certificate[]): TlsMaterial {
  const leaf = key === null ? null : ownOf(certificates, key);
  const others = certificates.filter((one) => one !== leaf);
  // An identity file often contains its own authorities. They are used if the file has a root certificate and `ca` is
  // empty. If `ca` is empty and the file has no root certificate, the public authorities apply.
  const roots = others.some(isRoot) ? others.filter((one) => one.ca) : [];
  const trusted = ca.length > 0 ? ca : roots;
  const read = {
    cert: leaf === null ? null : pemOf([leaf, ...others.filter((one) => !isRoot(one))]),
    key: key === null ? null : String(key.export({ type: 'pkcs8', format: 'pem' })),
    ca: trusted.length === 0 ? null : pemOf(trusted),
  };
  checkUse(read);
  return read;
}

/** Returns a view of credentials that people may see: it contains no secret. */
export function viewOf({ cert, ca, username }: Credentials): CredentialsView {
  const own = cert === null ? null : new X509Certificate(cert);
  const kind = own
    ? username === null
      ? 'certificate'
      : 'certificate_password'
    : username === null
      ? 'authority'
      : 'password';
  return {
    kind,
    subject: own === null ? username : own.subject.replaceAll('\n', ', ').slice(0, 1_000),
    not_after: own === null ? null : formatTime(Date.parse(own.validTo)),
    ca_sha256: ca === null ? null : new X509Certificate(ca).fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

type Identity = { certificates: X509Certificate[]; key: KeyObject | null };

async function identityOf({ cert_pem, key_pem, p12 }: CredentialsBody, passphrase: string): Promise<Identity> {
  if (cert_pem !== undefined && key_pem !== undefined)
    return { certificates: certificatesOf('cert_pem', cert_pem), key: await keyOfPem(key_pem, passphrase) };
  if (p12 === undefined) return { certificates: [], key: null };
  const { certificates, key } = await readPkcs12('p12', Buffer.from(p12, 'base64'), passphrase);
  if (key === null) throw invalidInput("'p12' has no private key: give a truststore as 'ca_p12'");
  return { certificates: certificates.map((der) => certificateOf('p12', der)), key: keyOf('p12', key) };
}

async function authoritiesOf({ ca_pem, ca_p12 }: CredentialsBody, passphrase: string): Promise<X509Certificate[]> {
  if (ca_pem !== undefined) return certificatesOf('ca_pem', ca_pem);
  if (ca_p12 === undefined) return [];
  const { certificates } = await readPkcs12('ca_p12', Buffer.from(ca_p12, 'base64'), passphrase);
  if (certificates.length === 0) throw invalidInput("'ca_p12' has no certificate");
  return certificates.map((der) => certificateOf('ca_p12', der));
}

function ownOf(certificates: readonly X509Certificate[], key: KeyObject): X509Certificate {
  const own = certificates.find((one) => one.checkPrivateKey(key));
  if (own === undefined)
    throw invalidInput('the key does not belong to the certificate: give the certificate and its own key');
  return own;
}

function isRoot(certificate: X509Certificate): boolean {
  return certificate.ca && certificate.checkIssued(certificate);
}

function certificatesOf(field: string, pem: string): X509Certificate[] {
  const blocks = blocksOf(pem).filter(({ label }) => label.endsWith('CERTIFICATE'));
  if (blocks.length === 0) throw invalidInput(`'${field}' has no certificate in PEM (-----BEGIN CERTIFICATE-----)`);
  if (blocks.length > MOST_CERTIFICATES)
    throw invalidInput(`'${field}' has ${blocks.length} certificates; at most ${MOST_CERTIFICATES} are allowed`);
  return blocks.map(({ text }) => certificateOf(field, text));
}

function certificateOf(field: string, bytes: Buffer | string): X509Certificate {
  try {
    return new X509Certificate(bytes);
  } catch {
    throw invalidInput(`'${field}' has a certificate that cannot be read`);
  }
}

function keyBlockOf(field: string, pem: string): Block & { isEncrypted: boolean } {
  const block = blocksOf(pem).find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (block === undefined) throw invalidInput(`'${field}' has no private key in PEM (-----BEGIN PRIVATE KEY-----)`);
  return { ...block, isEncrypted: block.label === ENCRYPTED_KEY || block.body.includes('Proc-Type: 4,ENCRYPTED') };
}

async function keyOfPem(pem: string, passphrase: string): Promise<KeyObject> {
  const { label, text, body, isEncrypted } = keyBlockOf('key_pem', pem);
  if (isEncrypted && passphrase === '') throw invalidInput("'key_pem' is encrypted: give its 'passphrase'");
  if (label !== ENCRYPTED_KEY) return keyOf('key_pem', text, passphrase);
  return keyOf('key_pem', await unwrapped(Buffer.from(body, 'base64'), passphrase));
}

/** Decrypts the key of an EncryptedPrivateKeyInfo (RFC 5958). */
async function unwrapped(bytes: Buffer, passphrase: string): Promise<Buffer> {
  try {
    const [algorithm, content] = childrenOf(elementsOf(bytes)[0]);
    return await decrypted(algorithm, octetsOf(content), passphrase);
  } catch (thrown) {
    if (thrown instanceof Fault) throw invalidInput(`'key_pem' ${thrown.message}`);
    throw invalidInput(
      "'key_pem' is damaged, or encrypted with an obsolete method. Convert it with: openssl pkey -in key.pem -aes256 -out new.pem",
    );
  }
}

function keyOf(field: string, key: Buffer | string, passphrase?: string): KeyObject {
  try {
    if (typeof key !== 'string') return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    return createPrivateKey({ key, format: 'pem', ...(passphrase && { passphrase }) });
  } catch {
    throw invalidInput(`'${field}' has a private key that cannot be read, or its passphrase is wrong`);
  }
}

/** Throws `invalid_input` if OpenSSL refuses the credentials, for example for a key that is too short. */
function checkUse({ cert, key, ca }: TlsMaterial): void {
  try {
    contextOf({ cert, key, ca });
  } catch (thrown) {
    const reason = thrown instanceof Error && 'reason' in thrown ? String(thrown.reason) : 'no reason is known';
    throw invalidInput(`the certificate cannot be used for TLS: ${reason}`);
  }
}

/** Creates the TLS context of an outgoing connection. Throws the error of OpenSSL. */
export function contextOf({ cert, key, ca }: TlsMaterial): SecureContext {
  return createSecureContext({
    minVersion: 'TLSv1.2',
    // Renegotiation would let a server change its identity, and would let it consume unlimited processor time.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(cert !== null && key !== null && { cert, key }),
    ...(ca !== null && { ca }),
  });
}

function pemOf(certificates: readonly X509Certificate[]): string {
  return certificates.map((one) => one.toString()).join('');
}
