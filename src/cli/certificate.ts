import { X509Certificate } from 'node:crypto';
import type { Config } from '../host/config.ts';
import { readTls } from '../http/tls.ts';
import { sentenceOf } from '../model/fault.ts';

type Tls = Config['http']['tls'];

/** Sentence about a certificate or key that cannot serve; null where they do, or where plain HTTP is served. */
export function certificateProblem(tls: Tls): string | null {
  if (tls === null) return null;
  try {
    readTls({ certFile: tls.cert_file, keyFile: tls.key_file });
    return null;
  } catch (thrown) {
    return sentenceOf(thrown);
  }
}

/** Time after which clients refuse the certificate. */
export function certificateEnd(tls: NonNullable<Tls>): Date {
  const { cert } = readTls({ certFile: tls.cert_file, keyFile: tls.key_file });
  return new Date(new X509Certificate(cert).validTo);
}
