import type { IncomingMessage } from 'node:http';
import { isFileTicket, isTicket, ticketElsewhere } from './credential.ts';
import { belowMount } from './mount_path.ts';

/**
 * Ticket in the query of a request. `file` is the path and query, below the mount, for which a file ticket must have
 * been issued. Null for a stream ticket.
 */
export type SentTicket = { text: string; file: string | null };

/**
 * Returns the ticket of a request, or null. A file ticket is removed from the URL of the request, so that the route
 * sees only its own parameters. Throws `unauthenticated` if a request has a ticket that its route does not accept.
 */
export function ticketOf(req: IncomingMessage): SentTicket | null {
  const url = req.url ?? '';
  const at = url.indexOf('?');
  if (at < 0) return null;
  const text = new URLSearchParams(url.slice(at)).get('ticket');
  const path = url.slice(0, at);
  if (text === null) return null;
  if (belowMount(path) === 'stream') return { text, file: null };
  if (!isTicket(text)) return null;
  if (!isFileTicket(text) || req.method !== 'GET') throw ticketElsewhere();
  const others = url.slice(at + 1).split('&');
  const query = others.filter((pair) => !pair.startsWith('ticket=')).join('&');
  req.url = query === '' ? path : `${path}?${query}`;
  return { text, file: belowMount(req.url) };
}
