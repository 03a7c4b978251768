import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../host/config.ts';
import { secretKeyFile } from '../../host/config.ts';
import { AUDIT_KEY_FILE } from '../../store/audit_key.ts';
import { readDatabase } from '../read_database.ts';

/** Pattern of environment variables with secrets. Variables whose names match `pathVariable` contain a path instead. */
const secretVariable = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i;
const pathVariable = /(_FILE|_DIRECTORY|_SOCK)$/i;

/**
 * Returns the secrets of this box that this user can read: key files (as hexadecimal, base64 and text), environment
 * variables, and unsealed URLs of webhooks.
 */
export function knownSecrets(config: Config | null, dataDir: string | null): string[] {
  const rows = config === null ? [] : [...config.links, ...config.outlets];
  const files = [
    ...[secretKeyFile(), config?.http.tls?.key_file ?? null, dataDir && join(dataDir, AUDIT_KEY_FILE)],
    ...rows.map(({ key_file }) => key_file ?? null),
  ];
  return [
    ...files.flatMap((path) => (path === null ? [] : formsOf(path))),
    ...Object.entries(process.env).flatMap(([name, text]) =>
      text !== undefined && secretVariable.test(name) && !pathVariable.test(name) ? [text] : [],
    ),
    ...(dataDir === null ? [] : webhookUrls(join(dataDir, 'state.db'))),
  ];
}

function formsOf(path: string): string[] {
  try {
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8').trim();
    const lines = text.split('\n').filter((line) => line.length >= 16 && !line.startsWith('-----'));
    return [bytes.toString('hex'), bytes.toString('base64'), text, ...lines];
  } catch {
    return [];
  }
}

/** Returns a URL, its host, and each part of path and query that may be a credential. */
function piecesOf({ href, host, pathname, searchParams }: URL): string[] {
  const pieces = [...pathname.split('/'), ...searchParams.values()].filter(({ length }) => length >= 8);
  return [href, host, ...pieces];
}

function webhookUrls(path: string): string[] {
  try {
    const documents = readDatabase(path, (db) => db.prepare<[], string>('SELECT document FROM webhooks').pluck().all());
    return documents.flatMap((document) => {
      const { url } = JSON.parse(document) as { url?: unknown };
      return typeof url === 'string' ? piecesOf(new URL(url)) : [];
    });
  } catch {
    return [];
  }
}
