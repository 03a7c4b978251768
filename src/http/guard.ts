import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Context, Next } from 'koa';
import type { Access } from '../access/access.ts';
import type { Principal } from '../access/principal.ts';
import type { Role } from '../model/actor.ts';
import { Fault, forbidden, invalidInput } from '../model/fault.ts';
import { credentialOf } from './credential.ts';
import { belowMount } from './mount_path.ts';
import { createNetworks, plainAddress } from './network.ts';
import { operatorOf } from './operator_header.ts';
import type { AccessSettings } from './settings.ts';
import { ticketOf } from './ticket_query.ts';

/**
 * Need of a credential. `open`: only for a request from outside the trusted networks, or through a proxy. `closed`:
 * always. `public`: never.
 */
type Surface = 'open' | 'closed' | 'public';

/**
 * Returns the surface of a path. Unknown paths below `/api` and `/v1` are guarded too, so that strangers cannot find
 * out which routes exist.
 */
function surfaceOf(path: string): Surface {
  if (path === '/v1' || path.startsWith('/v1/')) return 'closed';
  if (path === '/api' || path.startsWith('/api/') || path === '/metrics') return 'open';
  return 'public';
}

const principals = new WeakMap<IncomingMessage, Principal>();

/** Returns the principal that the guard identified for a request. */
export function principalOf(ctx: Context): Principal {
  const found = knownPrincipalOf(ctx);
  if (found === undefined) throw new TypeError('a request reached its route without passing the guard');
  return found;
}

/** Returns the principal of a request; undefined if the guard refused the request. */
export function knownPrincipalOf(ctx: Context): Principal | undefined {
  return principals.get(ctx.req);
}

/** Returns true if the request signs in, which needs no credential. */
function isSignIn(path: string): boolean {
  return belowMount(path) === 'auth/sign-in';
}

function needsWorkspace(path: string): boolean {
  const below = belowMount(path);
  return below !== null && below !== 'me' && below !== 'workspaces' && !below.startsWith('auth/');
}

/**
 * Builds the middleware that identifies the principal of a request, or throws the Fault of its refusal. It must run
 * before any other part of the request is read. Requests without a credential act in the workspace `openWorkspaceId`.
 */
export function createGuard(settings: AccessSettings, access: Access, openWorkspaceId: string) {
  const isTrusted = createNetworks(settings.trustedNetworks);
  const ownNames = new Set(['localhost', hostname(), ...settings.allowedHosts].map((name) => name.toLowerCase()));

  const check = (req: IncomingMessage, path: string): Principal => {
    // The address is undefined after a reset of the connection. This refusal causes no audit row, because there is no
    // peer to record.
    if (req.socket.remoteAddress === undefined)
      throw invalidInput('the connection was closed before the request was read');
    const address = plainAddress(req.socket.remoteAddress);
    if (!req.url?.startsWith('/')) throw invalidInput('the request target must be a path');
    checkOrigin(req, path, ownNames);
    const surface = surfaceOf(path);
    if (surface === 'public') return openPrincipal(address, settings.openRole, openWorkspaceId, null);
    const asked = { address, workspaceId: workspaceIdOf(req), needsWorkspace: needsWorkspace(path) };
    const ticket = ticketOf(req);
    const credential = credentialOf(req);
    if (credential !== null) {
      const found = access.identify(credential, { ...asked, needsWorkspace: asked.needsWorkspace && ticket === null });
      if (ticket === null) return found;
    }
    if (ticket !== null) return access.redeemTicket(ticket.text, req.method === 'GET', asked, ticket.file);
    // A sign-in needs no credential, and may come from any network. The role `viewer` gives it nothing, because this
    // path only signs in.
    if (isSignIn(path)) return openPrincipal(address, 'viewer', openWorkspaceId, null);
    if (surface === 'closed') throw credentialMissing('this surface');
    if (isForwarded(req)) throw credentialMissing('a forwarded request');
    if (!isTrusted(req.socket.remoteAddress)) throw credentialMissing('a request from outside the trusted networks');
    if (asked.workspaceId !== null && asked.workspaceId !== openWorkspaceId) {
      throw new Fault(
        'not_a_member',
        'a request without a credential can use only the first workspace of the box: send a credential to use another',
      );
    }
    return openPrincipal(address, settings.openRole, openWorkspaceId, operatorOf(req));
  };

  return async (ctx: Context, next: Next): Promise<void> => {
    const by = check(ctx.req, ctx.path);
    principals.set(ctx.req, by);
    await next();
  };
}

function credentialMissing(what: string): Fault {
  const remedy =
    "an API key in the header X-Api-Key, or 'Authorization: Bearer' with the token of POST /api/auth/sign-in";
  return new Fault('unauthenticated', `${what} needs a credential: ${remedy}`);
}

/**
 * Builds the principal of a request without a credential, which is identified only by its address. The operator's name
 * is unverified and influences no decision.
 */
function openPrincipal(address: string, role: Role, workspaceId: string, operator: string | null): Principal {
  const actor = { type: 'open', id: address, name: operator ?? address, address } as const;
  return { actor, role, workspaceId, userId: null, passwordMark: null, key: null };
}

function workspaceIdOf(req: IncomingMessage): string | null {
  const sent = req.headers['x-workspace-id'];
  return sent === undefined ? null : String(sent);
}

/** Headers in which proxies name themselves or their clients, in addition to `X-Forwarded-…`. */
const ofProxies: ReadonlySet<string> = new Set([
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'x-original-forwarded-for'],
  ...['true-client-ip', 'cf-connecting-ip', 'fastly-client-ip', 'client-ip', 'proxy-client-ip'],
]);

/**
 * Returns true if a proxy forwarded the request. The address of the request is then the address of the proxy. The
 * client may forge the headers, so they prove no other address.
 */
function isForwarded({ headers }: IncomingMessage): boolean {
  for (const name in headers) if (ofProxies.has(name) || name.startsWith('x-forwarded')) return true;
  return false;
}

/**
 * Refuses requests that a foreign web page may have sent through a browser on a trusted network. Such a request names
 * a host name that is not of this box (DNS rebinding), has a foreign `Origin`, or is marked as cross-site. A link that
 * only opens a page may be cross-site (`isNavigation`). `ownNames` are the names of this box, in lower case.
 */
function checkOrigin(req: IncomingMessage, path: string, ownNames: ReadonlySet<string>): void {
  const host = requireHost(req);
  const name = hostName(host);
  if (name === null) throw invalidInput('the Host header is not a name or address with an optional port');
  if (isIP(name) === 0 && !ownNames.has(name)) {
    throw forbidden(`'${name}' is not a host name of this service; access.allowed_hosts can add host names`);
  }
  const origin = req.headers.origin;
  if (origin !== undefined && !isSameOrigin(origin, host)) {
    throw forbidden('the request comes from a web page of another origin');
  }
  if (req.headers['sec-fetch-site'] === 'cross-site' && !isNavigation(req, path)) {
    throw forbidden('the request comes from a web page of another site');
  }
}

function requireHost(req: IncomingMessage): string {
  const hosts = req.rawHeaders.filter((_, i) => i % 2 === 0 && req.rawHeaders[i]?.toLowerCase() === 'host');
  if (hosts.length !== 1) throw invalidInput('a request must have exactly one Host header');
  return req.headers.host ?? '';
}

/** Returns the name or address in a `Host` header, in lower case; null if the header is malformed. */
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

/**
 * Returns true if a request follows a link to the root, the console or the documentation. Such a request may come from
 * any site, because it opens a page and returns no data.
 */
function isNavigation(req: IncomingMessage, path: string): boolean {
  const page = path === '/' || path === '/docs' || path.startsWith('/console/');
  const document = req.headers['sec-fetch-mode'] === 'navigate' && req.headers['sec-fetch-dest'] === 'document';
  return page && document && req.method === 'GET';
}
