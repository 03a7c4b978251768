import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import { Fault, sentenceOf } from '../model/fault.ts';

/** PEM files of the certificate chain and its private key. */
export type TlsFiles = { certFile: string; keyFile: string };

/** A server of plain HTTP, or of HTTPS where files are named. Throws a Fault that names a file that cannot be used. */
export function createWebServer(options: ServerOptions, files: TlsFiles | null): Server {
  if (files === null) return createHttpServer(options);
  // An https.Server has every method and event of an http.Server, but their types are unrelated.
  return createHttpsServer({ ...options, ...readTls(files), minVersion: 'TLSv1.2' }) as unknown as Server;
}

/** Certificate chain and key of the files. Throws a Fault that names a file that cannot be used. */
export function readTls({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  const cert = readPem('cert_file', certFile);
  const key = readPem('key_file', keyFile);
  try {
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (thrown) {
    const pair = `${certFile} and ${keyFile}`;
    throw new Fault('not_configured', `http.tls: ${pair} are no certificate and its key: ${sentenceOf(thrown)}`);
  }
}

function readPem(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (thrown) {
    throw new Fault('not_configured', `http.tls.${setting}: ${path} cannot be read: ${sentenceOf(thrown)}`);
  }
}
