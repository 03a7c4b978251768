import { readFileSync } from 'node:fs';
import { isLoopback, parseHostPort, readConfig } from '../../host/config.ts';
import { invalidInput, notFound, sentenceOf } from '../../model/fault.ts';
import { dataOptions, type Values, wrongUse } from '../arguments.ts';
import { askedAt } from '../doctor/ask.ts';
import type { Io } from '../io.ts';
import { printable } from '../watch/printable.ts';

/** Options of commands that call a running daemon. */
export const placeOptions = {
  config: dataOptions.config,
  url: { type: 'string' },
  'key-file': { type: 'string' },
  ca: { type: 'string' },
} as const;
export type PlaceFlags = Values<typeof placeOptions>;

/**
 * Address and API key of a daemon. `ca` is the PEM text of the authority for the daemon's certificate; null uses the
 * authorities of Node.
 */
export type DaemonPlace = { url: URL; key: string | null; ca: string | null };

export const placeHelp = `  --url URL        the daemon, for example https://dunlin.local:8077; without it, that of this box's configuration
  --key-file FILE  file with the API key, if the daemon needs one ('dunlin key add'); or the variable DUNLIN_API_KEY
  --ca FILE        the certificate (PEM) of the authority that https trusts
  --config FILE    the configuration from which the address is taken`;

/** Throws a Fault if an address is no HTTP or HTTPS URL. */
export function checkUrl(url: string | undefined): void {
  if (url === undefined) return;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw wrongUse(`--url must be http://HOST:PORT or https://HOST:PORT, not '${printable(url)}'`);
}

/** Returns the daemon that the flags name. If the configuration is invalid, prints its problems and returns null. */
export function daemonPlace(flags: PlaceFlags, io: Io): DaemonPlace | null {
  const url = flags.url === undefined ? urlOfBox(flags, io) : new URL(flags.url);
  if (url === null) return null;
  const { 'key-file': keyFile, ca } = flags;
  const key = keyFile === undefined ? process.env.DUNLIN_API_KEY || null : readText(keyFile).trim();
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    throw invalidInput(
      `${keyFile === undefined ? 'DUNLIN_API_KEY' : `the file ${keyFile}`} does not contain an API key`,
    );
  if (key !== null && url.protocol === 'http:' && !isLoopback(url.host)) {
    io.err(`warning: the API key is sent unencrypted to ${url.host}; use https`);
  }
  return { url, key, ca: ca === undefined ? null : readText(ca) };
}

/**
 * Returns the address of this box's daemon from the configuration. If the configuration is invalid, prints its problems
 * and returns null.
 */
function urlOfBox({ config }: PlaceFlags, io: Io): URL | null {
  const found = readConfig({ config });
  for (const problem of found.problems) io.err(problem);
  if (!found.ok) return null;
  const { listen, tls } = found.config.http;
  const { host, port } = askedAt(parseHostPort(listen) ?? { host: '127.0.0.1', port: 8077 });
  return new URL(`${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    throw notFound(`cannot read ${path}: ${sentenceOf(thrown)}`, { cause: thrown });
  }
}
