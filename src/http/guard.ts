import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import type { Context, Next } from 'koa';
import type { Access } from '../access/access.ts';
import type { Principal } from '../access/principal.ts';
import type { Role } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import { credentialOf, isTicket, ticketElsewhere } from './credential.ts';
import { createNetworks, plainAddress } from './network.ts';
import { checkOrigin } from './origin.ts';
import type { AccessSettings } from './settings.ts';

/** `open`: trusted networks need no credential. `closed`: everyone does. `public`: nobody does. */
type Surface = 'open' | 'closed' | 'public';

/** The rules for a path. Every path below a mount is guarded, known or not, so that a stranger learns no route. */
function surfaceOf(path: string): Surface {
  if (path === '/v1' || path.startsWith('/v1/')) return 'closed';
  if (path === '/api' || path.startsWith('/api/') || path === '/metrics') return 'open';
  return 'public';
}

const principals = new WeakMap<IncomingMessage, Principal>();

/** The principal of a request, as the guard identified it. */
export function principalOf(ctx: Context): Principal {
  const found = knownPrincipalOf(ctx);
  if (found === undefined) throw new TypeError('a request reached its route without passing the guard');
  return found;
}

/** The principal of a request; undefined where the guard refused it. */
export function knownPrincipalOf(ctx: Context): Principal | undefined {
  return principals.get(ctx.req);
}

/** A path without its mount, or null where it stands below none. */
function belowMount(path: string): string | null {
  const found = /^\/(?:api|v1)\/(.*)$/s.exec(path);
  return found === null ? null : (found[1] ?? '');
}

/** Signing in needs no credential; `me`, `workspaces` and `auth/` name no workspace. */
function isSignIn(path: string): boolean {
  return belowMount(path) === 'auth/sign-in';
}

function needsWorkspace(path: string): boolean {
  const below = belowMount(path);
  return below !== null && below !== 'me' && below !== 'workspaces' && !below.startsWith('auth/');
}

/**
 * Notes the principal of a request, or throws the Fault that answers it. Runs before anything else of the request
 * is read. The open surface acts in the workspace `openWorkspaceId`.
 */
export function createGuard(settings: AccessSettings, access: Access, openWorkspaceId: string) {
  const isTrusted = createNetworks(settings.trustedNetworks);
  const ownNames = new Set(['localhost', hostname(), ...settings.allowedHosts].map((name) => name.toLowerCase()));

  const check = (req: IncomingMessage, path: string): Principal => {
    // After a connection reset the peer address is undefined. Fails without an audit row: there is no peer to record.
    if (req.socket.remoteAddress === undefined) throw new Fault('invalid_input', 'the sender is gone');
    const address = plainAddress(req.socket.remoteAddress);
    const anybody = openPrincipal(address, settings.openRole, openWorkspaceId);
    if (!req.url?.startsWith('/')) throw new Fault('invalid_input', 'the request target must be a path');
    checkOrigin(req, path, ownNames);
    const surface = surfaceOf(path);
    if (surface === 'public') return anybody;
    const asked = { address, workspaceId: workspaceIdOf(req), needsWorkspace: needsWorkspace(path) };
    const ticket = ticketOf(req, path);
    const credential = credentialOf(req);
    if (credential !== null) {
      const found = access.identify(credential, { ...asked, needsWorkspace: asked.needsWorkspace && ticket === null });
      if (ticket === null) return found;
    }
    if (ticket !== null) return access.redeemTicket(ticket, req.method === 'GET', asked);
    // No principal yet: from any network, this request can only sign in.
    if (isSignIn(path)) return openPrincipal(address, 'viewer', openWorkspaceId);
    if (surface === 'closed') throw new Fault('unauthenticated', 'this surface needs a credential');
    if (isForwarded(req)) throw new Fault('unauthenticated', 'a forwarded request needs a credential');
    if (!isTrusted(req.socket.remoteAddress)) {
      throw new Fault('unauthenticated', 'a request from outside the trusted networks needs a credential');
    }
    if (asked.workspaceId !== null && asked.workspaceId !== openWorkspaceId) {
      throw new Fault('not_a_member', 'without a credential only the first workspace can be reached');
    }
    return anybody;
  };

  return async (ctx: Context, next: Next): Promise<void> => {
    const by = check(ctx.req, ctx.path);
    principals.set(ctx.req, by);
    await next();
  };
}

/** The principal of the open surface, known by its address alone. */
function openPrincipal(address: string, role: Role, workspaceId: string): Principal {
  const actor = { type: 'open', id: address, name: address, address } as const;
  return { actor, role, workspaceId, userId: null, passwordMark: null, key: null };
}

function workspaceIdOf(req: IncomingMessage): string | null {
  const sent = req.headers['x-workspace-id'];
  return sent === undefined ? null : String(sent);
}

/** The ticket in the query of a request for a stream; nothing else of a query is read here. Throws where another request has one. */
function ticketOf(req: IncomingMessage, path: string): string | null {
  const query = req.url?.indexOf('?') ?? -1;
  const ticket = query < 0 ? null : new URLSearchParams(req.url?.slice(query)).get('ticket');
  if (belowMount(path) === 'stream') return ticket;
  if (ticket !== null && isTicket(ticket)) throw ticketElsewhere();
  return null;
}

/** Headers in which proxies name themselves or their clients, besides `X-Forwarded-…`. */
const ofProxies: ReadonlySet<string> = new Set([
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'x-original-forwarded-for'],
  ...['true-client-ip', 'cf-connecting-ip', 'fastly-client-ip', 'client-ip', 'proxy-client-ip'],
]);

/** Tests for a forwarded request: its peer is a proxy, and anyone can write these headers. */
function isForwarded({ headers }: IncomingMessage): boolean {
  for (const name in headers) if (ofProxies.has(name) || name.startsWith('x-forwarded')) return true;
  return false;
}
