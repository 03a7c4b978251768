import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import type { Access } from '../access/access.ts';
import { hideTokens } from '../host/journal/secrets.ts';
import type { Actor } from '../model/actor.ts';
import { Fault, type FaultCode } from '../model/fault.ts';
import { knownPrincipalOf } from './guard.ts';
import { plainAddress } from './network.ts';
import type { Route } from './route.ts';

const denials: ReadonlySet<FaultCode> = new Set(['unauthenticated', 'forbidden', 'not_a_member', 'read_only']);

const asked = new WeakMap<IncomingMessage, Pick<Route, 'path' | 'write'>>();
const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Notes the route of a request, so that a later refusal can be recorded with it. */
export function routeFound(ctx: Context, route: Pick<Route, 'path' | 'write'>): void {
  asked.set(ctx.req, route);
}

/**
 * Builds the middleware that records requests that were refused for lack of permission (`denials`), with their caller.
 * It covers refusals by the guard, by the role check and by the route.
 */
export function noteDenials(access: Access) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (thrown) {
      if (thrown instanceof Fault && denials.has(thrown.code)) note(access, ctx, thrown);
      throw thrown;
    }
  };
}

function note(access: Access, ctx: Context, fault: Fault): void {
  const known = knownPrincipalOf(ctx);
  const address = plainAddress(ctx.req.socket.remoteAddress ?? '');
  const by: Actor = known?.actor ?? { type: 'open', id: address, name: address, address };
  // The query is left out, because it may contain a ticket.
  const text = hideTokens(`${ctx.method} ${ctx.path.slice(0, 200)} was refused: ${fault.message}`);
  const found = asked.get(ctx.req);
  // A request that the guard refused has no route yet. Its path stands for the route, with ids replaced by `{id}`.
  const path = found?.path ?? ctx.path.slice(0, 200).replace(uuids, '{id}').slice(0, 60);
  const route = hideTokens(`${ctx.method} ${path}`);
  const write = found?.write ?? !['GET', 'HEAD', 'OPTIONS'].includes(ctx.method);
  access.denials.note({ by, workspaceId: known?.workspaceId ?? null, text, fault, route, write });
}
