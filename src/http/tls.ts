import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import { Fault, sentenceOf } from '../model/fault.ts';

/** Paths of the PEM files with the certificate chain and its private key. */
export type TlsFiles = { certFile: string; keyFile: string };

/**
 * Creates an HTTP server, or an HTTPS server if `files` is not null. Throws a Fault that names a file which cannot be
 * used.
 */
export function createWebServer(options: ServerOptions, files: TlsFiles | null): Server {
  if (files === null) return createHttpServer(options);
  // An https.Server has all methods and events of an http.Server, but the two types are unrelated.
  return createHttpsServer({ ...options, ...readTls(files), minVersion: 'TLSv1.2' }) as unknown as Server;
}

/** Reads certificate chain and key. Throws a Fault that names a file which cannot be used. */
export function readTls({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  const cert = readPem('cert_file', certFile);
  const key = readPem('key_file', keyFile);
  try {
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (thrown) {
    const pair = `${certFile} and ${keyFile}`;
    throw new Fault(
      'not_configured',
      `http.tls: ${pair} are not a certificate and its private key: ${sentenceOf(thrown)}`,
    );
  }
}

function readPem(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (thrown) {
    throw new Fault('not_configured', `http.tls.${setting}: ${path} cannot be read: ${sentenceOf(thrown)}`);
  }
}
