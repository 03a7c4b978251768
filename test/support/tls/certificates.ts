import { readFileSync } from 'node:fs';

/** Passphrase of the encrypted files. */
export const passphrase = 'atakatak';

/** Bytes of a file of the folder `tls` among the fixtures. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../../../test/fixtures/tls/${name}`, import.meta.url));
}

export function pem(name: string): string {
  return fixture(name).toString('utf8');
}

/** Certificate and key of a server. */
export function server(name: 'server' | 'expired'): { cert: string; key: string } {
  return { cert: pem(`${name}.pem`), key: pem(`${name}.key`) };
}

/** A server that demands a certificate of the test authority. */
export const demanding = { ...server('server'), ca: pem('ca.pem'), requestCert: true, rejectUnauthorized: true };

/** Credentials of a client as PEM. */
export function client(name: 'client' | 'renewed' | 'stranger') {
  return { cert_pem: pem(`${name}.pem`), key_pem: pem(`${name}.key`), ca_pem: pem('ca.pem') };
}

/** Texts that no answer, log or file may contain: lines of private keys, and passphrases. */
export function secretsOf(...names: string[]): string[] {
  const lines = names.flatMap((name) => pem(name).split('\n')).filter((line) => line !== '' && !line.startsWith('-'));
  return [...lines, passphrase];
}
