import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import type { Context, Next } from 'koa';
import type { Principal } from '../access/principal.ts';
import type { Role } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import { createNetworks, plainAddress } from './network.ts';
import { checkOrigin } from './origin.ts';
import type { AccessSettings } from './settings.ts';

/** `open`: trusted networks need no credential. `closed`: everyone does. `public`: nobody does. */
export type Surface = 'open' | 'closed' | 'public';

/** Which rules hold for a path. Everything below a mount is guarded, known or not, so that a stranger learns no route. */
export function surfaceOf(path: string): Surface {
  if (path === '/v1' || path.startsWith('/v1/')) return 'closed';
  if (path === '/api' || path.startsWith('/api/') || path === '/metrics') return 'open';
  return 'public';
}

const principals = new WeakMap<IncomingMessage, Principal>();

/** Who sends the request, as the guard found. */
export function principalOf(ctx: Context): Principal {
  const found = principals.get(ctx.req);
  if (found === undefined) throw new TypeError('a request reached its route without passing the guard');
  return found;
}

/**
 * Lets a request through and notes who sends it, or throws the Fault that answers it. Runs before anything of the request
 * is looked at. The open surface acts in the workspace `openWorkspaceId`.
 */
export function createGuard(access: AccessSettings, openWorkspaceId: string) {
  const isTrusted = createNetworks(access.trustedNetworks);
  const ownNames = new Set(['localhost', hostname(), ...access.allowedHosts].map((name) => name.toLowerCase()));

  const check = (req: IncomingMessage, path: string): Principal => {
    const address = plainAddress(req.socket.remoteAddress ?? '');
    const anybody = openPrincipal(address, access.openRole, openWorkspaceId);
    if (!req.url?.startsWith('/')) throw new Fault('invalid_input', 'the request target must be a path');
    checkOrigin(req, path, ownNames);
    const surface = surfaceOf(path);
    if (surface === 'public') return anybody;
    // No credential has ever been issued, so each one that is sent is a bad one.
    if (carriesCredential(req)) throw new Fault('unauthenticated', 'the credential was revoked or never issued');
    if (surface === 'closed') throw new Fault('unauthenticated', 'this surface needs a credential');
    if (isForwarded(req)) throw new Fault('unauthenticated', 'a forwarded request needs a credential');
    if (!isTrusted(req.socket.remoteAddress ?? '')) {
      throw new Fault('unauthenticated', 'a request from outside the trusted networks needs a credential');
    }
    return anybody;
  };

  return async (ctx: Context, next: Next): Promise<void> => {
    principals.set(ctx.req, check(ctx.req, ctx.path));
    await next();
  };
}

/** Whoever uses the open surface: known by address alone. */
function openPrincipal(address: string, role: Role, workspaceId: string): Principal {
  const actor = { type: 'open', id: address, name: address, address } as const;
  return { actor, role, workspaceId, userId: null, key: null };
}

function carriesCredential(req: IncomingMessage): boolean {
  return req.headers['x-api-key'] !== undefined || req.headers.authorization !== undefined;
}

/** The peer of a forwarded request is a proxy, and what stands in these headers anyone can write. */
function isForwarded(req: IncomingMessage): boolean {
  return (
    req.headers['x-forwarded-for'] !== undefined ||
    req.headers.forwarded !== undefined ||
    req.headers['x-real-ip'] !== undefined
  );
}
