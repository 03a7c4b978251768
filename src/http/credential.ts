import type { IncomingMessage } from 'node:http';
import type { Credential } from '../access/access.ts';
import { Fault, invalidInput } from '../model/fault.ts';

/**
 * Returns the credential of a request; null if it has none. Throws `invalid_input` for two credentials, because it is
 * unclear which one applies. Throws `unauthenticated` for a ticket, for a key or token in the wrong header, and for a
 * malformed `Authorization` header.
 */
export function credentialOf({ headers, rawHeaders }: IncomingMessage): Credential | null {
  const key = headers['x-api-key'];
  const { authorization } = headers;
  if (key === undefined && authorization === undefined) return null;
  if (key !== undefined && authorization !== undefined) {
    throw invalidInput('a request may have the header X-Api-Key or Authorization, but not both');
  }
  // Node silently keeps only the first of several Authorization headers, so repeated headers are detected in the raw
  // headers.
  if (isRepeated(rawHeaders)) throw invalidInput('a request must not have more than one credential');
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
  "the header X-Api-Key has the token of a session; send the token as 'Authorization: Bearer TOKEN', with X-Workspace-Id";
const keyAsSession = 'the header Authorization has an API key; send the key in the header X-Api-Key';
const noToken =
  "the header Authorization must be 'Bearer' and the token of a session; send an API key in the header X-Api-Key";

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
    'a ticket in the query is accepted only for a stream, or for the file that the ticket names: ' +
    'other requests need an API key or the token of a session';
  return new Fault('unauthenticated', sentence);
}

function isRepeated(rawHeaders: readonly string[]): boolean {
  let found = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (/^(authorization|x-api-key)$/i.test(rawHeaders[i] ?? '')) found++;
  }
  return found > 1;
}
