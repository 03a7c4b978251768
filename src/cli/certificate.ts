import { X509Certificate } from 'node:crypto';
import type { Config } from '../host/config.ts';
import { readTls } from '../http/tls.ts';
import { sentenceOf } from '../model/fault.ts';

type Tls = Config['http']['tls'];

/** Returns a sentence about an unusable certificate or key; null if both are usable, or if plain HTTP is served. */
export function certificateProblem(tls: Tls): string | null {
  if (tls === null) return null;
  try {
    readTls({ certFile: tls.cert_file, keyFile: tls.key_file });
    return null;
  } catch (thrown) {
    return sentenceOf(thrown);
  }
}

/** Returns the time at which the certificate expires. */
export function certificateEnd(tls: NonNullable<Tls>): Date {
  const { cert } = readTls({ certFile: tls.cert_file, keyFile: tls.key_file });
  return new Date(new X509Certificate(cert).validTo);
}
