import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Fault } from '../model/fault.ts';

/**
 * Refuses requests that a foreign web page could make a browser on a trusted network send: a host name that is not
 * this box's (DNS rebinding), a foreign `Origin`, and a cross-site request. `ownNames` are in lower case.
 */
export function checkOrigin(req: IncomingMessage, path: string, ownNames: ReadonlySet<string>): void {
  const host = requireHost(req);
  const name = hostName(host);
  if (name === null) throw new Fault('invalid_input', 'the Host header is not a name or address with an optional port');
  if (isIP(name) === 0 && !ownNames.has(name)) {
    throw new Fault('forbidden', `'${name}' is not a name this service answers to; see access.allowed_hosts`);
  }
  const origin = req.headers.origin;
  if (origin !== undefined && !isSameOrigin(origin, host)) {
    throw new Fault('forbidden', 'the request comes from a page of another origin');
  }
  if (req.headers['sec-fetch-site'] === 'cross-site' && !isNavigation(req, path)) {
    throw new Fault('forbidden', 'the request comes from a page of another site');
  }
}

function requireHost(req: IncomingMessage): string {
  const hosts = req.rawHeaders.filter((_, i) => i % 2 === 0 && req.rawHeaders[i]?.toLowerCase() === 'host');
  if (hosts.length !== 1) throw new Fault('invalid_input', 'a request must have exactly one Host header');
  return req.headers.host ?? '';
}

/** The name or address of a `Host` header, in lower case, or null where it is neither. */
export function hostName(host: string): string | null {
  const found = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?)\.?)(?::\d{1,5})?$/i.exec(host);
  if (found === null) return null;
  const [, bracketed, plain] = found;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed.toLowerCase() : null;
  return plain?.toLowerCase() ?? null;
}

function isSameOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.protocol !== 'http:' && page.protocol !== 'https:') return false;
  const own = `${page.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === page.host;
}

/** Tests for a followed link to the console or the documentation, which may come from anywhere: it opens a page, not data. */
function isNavigation(req: IncomingMessage, path: string): boolean {
  const page = path === '/docs' || path.startsWith('/console/');
  const document = req.headers['sec-fetch-mode'] === 'navigate' && req.headers['sec-fetch-dest'] === 'document';
  return page && document && req.method === 'GET';
}
