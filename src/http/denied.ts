import type { Context, Next } from 'koa';
import type { Access } from '../access/access.ts';
import { hideTokens } from '../host/journal/secrets.ts';
import type { Actor } from '../model/actor.ts';
import { Fault, type FaultCode } from '../model/fault.ts';
import { knownPrincipalOf } from './guard.ts';
import { plainAddress } from './network.ts';

const denials: ReadonlySet<FaultCode> = new Set(['unauthenticated', 'forbidden', 'not_a_member', 'read_only']);

/** Puts down who was refused what, by whom it was refused (the guard, the role, the route). */
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
  // Of the query nothing: it may hold a ticket.
  const text = hideTokens(`${ctx.method} ${ctx.path.slice(0, 200)} was refused: ${fault.message}`);
  access.denials.note({ by, workspaceId: known?.workspaceId ?? null, text, fault });
}
