import type { IncomingMessage } from 'node:http';
import type { Credential } from '../access/access.ts';
import { Fault, invalidInput } from '../model/fault.ts';

/**
 * Returns the credential of a request; null if it has none. Throws `invalid_input` for two credentials, because it is
 * unclear which one applies. Throws `unauthenticated` if the text has not the form of a credential.
 */
export function credentialOf({ headers, rawHeaders }: IncomingMessage): Credential | null {
  const key = headers['x-api-key'];
  const { authorization } = headers;
  if (key === undefined && authorization === undefined) return null;
  if (key !== undefined && authorization !== undefined) {
    throw invalidInput('a request carries X-Api-Key or Authorization, not both');
  }
  // Node silently keeps only the first of several Authorization headers, so repeated headers are detected in the raw
  // headers.
  if (isRepeated(rawHeaders)) throw invalidInput('a request carries one credential, not several');
  if (isTicket(String(key ?? authorization?.replace(/^bearer +/i, '')))) throw ticketElsewhere();
  if (key !== undefined) {
    if (String(key).startsWith('dst_')) throw new Fault('unauthenticated', sessionAsKey);
    return { type: 'key', text: String(key) };
  }
  const token = /^bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1];
  if (token?.startsWith('dak_')) throw new Fault('unauthenticated', keyAsSession);
  if (token !== undefined) return { type: 'session', text: token };
  throw new Fault('unauthenticated', noToken);
}

const sessionAsKey =
  "X-Api-Key carries a session's token; send it as 'Authorization: Bearer TOKEN', with X-Workspace-Id";
const keyAsSession = 'Authorization carries an API key; send it in the header X-Api-Key';
const noToken = "Authorization must be 'Bearer' and a session's token; an API key goes into the header X-Api-Key";

/** Returns true if a text has the form of a ticket, whether valid or not. */
export function isTicket(text: string): boolean {
  return text.startsWith('stk_') || isFileTicket(text);
}

/** Returns true if a text has the form of a file ticket, whether valid or not. */
export function isFileTicket(text: string): boolean {
  return text.startsWith('ftk_');
}

export function ticketElsewhere(): Fault {
  const sentence =
    'a ticket opens a stream or saves the file that it names, in the query, and nothing else: ' +
    "other requests take a key or a session's token";
  return new Fault('unauthenticated', sentence);
}

function isRepeated(rawHeaders: readonly string[]): boolean {
  let found = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (/^(authorization|x-api-key)$/i.test(rawHeaders[i] ?? '')) found++;
  }
  return found > 1;
}
