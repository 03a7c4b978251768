import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';
import { hideTokens } from '../host/journal/secrets.ts';
import { Fault, type FieldFault } from '../model/fault.ts';
import type { HttpLog } from './log.ts';

export const jsonType = 'application/json; charset=utf-8';

export function succeed(ctx: Context, data: unknown): void {
  ctx.status = 200;
  ctx.type = jsonType;
  ctx.body = JSON.stringify({ ok: true, data });
}

/** The text of every failure. A key that was sent in a path is hidden: clients log answers. */
export function failureText(fault: Fault): string {
  const failure = { ok: false, error: hideTokens(fault.message), code: fault.code };
  if (fault.status !== 400) return JSON.stringify(failure);
  const faults = faultsOf(fault).map(({ path, text }) => ({ path: hideTokens(path), text: hideTokens(text) }));
  return JSON.stringify({ ...failure, faults });
}

/** The faults of a request that is not valid. A sentence that is the only one begins with its field in quotes, if it is of one. */
function faultsOf({ faults, message: text }: Fault): readonly FieldFault[] {
  return faults.length > 0 ? faults : [{ path: /^'([^']{1,200})'[ :]/.exec(text)?.[1] ?? '', text }];
}

export function fail(ctx: Context, fault: Fault): void {
  ctx.status = fault.status;
  ctx.type = jsonType;
  if (fault.code === 'unauthenticated') ctx.set('WWW-Authenticate', 'Bearer realm="dunlin"');
  if (fault.code === 'rate_limited') ctx.set('Retry-After', String(fault.retryAfterS ?? 5));
  ctx.body = failureText(fault);
}

/**
 * Turns whatever a request's handling threw into the failure envelope. Any other error than a Fault is a bug: the sender
 * gets an incident's id, and the log has the same id with the stack.
 */
export function catchFaults(log: HttpLog) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (thrown) {
      // The sender is gone in the middle of its own request: there is nobody to answer and nothing went wrong here.
      if (ctx.req.destroyed && !ctx.req.complete) {
        ctx.respond = false;
        return;
      }
      // An answer that has begun cannot become another: destroying the connection shows the client that it broke.
      if (ctx.headerSent) {
        incident(thrown, ctx, log);
        ctx.respond = false;
        ctx.res.destroy();
        return;
      }
      fail(ctx, thrown instanceof Fault ? thrown : incident(thrown, ctx, log));
    }
  };
}

function incident(thrown: unknown, ctx: Context, log: HttpLog): Fault {
  const id = randomUUID();
  log.error({ incident: id, method: ctx.method, path: ctx.path.slice(0, 200), err: thrown }, 'a request failed inside');
  return new Fault('internal', `internal error; the log has the cause under the incident ${id}`);
}
