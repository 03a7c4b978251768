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

/** Returns the body of a failed answer. Keys and tokens in the text are masked, because clients log answers. */
export function failureText(fault: Fault): string {
  const failure = { ok: false, error: hideTokens(fault.message), code: fault.code };
  if (fault.status !== 400) return JSON.stringify(failure);
  const faults = faultsOf(fault).map(({ path, text }) => ({ path: hideTokens(path), text: hideTokens(text) }));
  return JSON.stringify({ ...failure, faults });
}

/**
 * Returns the faults of an invalid request. A Fault without a list counts as one fault, whose field is the quoted name
 * at the beginning of the sentence, if any.
 */
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
 * Builds the middleware that turns thrown errors into the failure envelope. An error other than a Fault is a bug: the
 * client gets the id of an incident, and the log has the stack under this id.
 */
export function catchFaults(log: HttpLog) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (thrown) {
      // The client disconnected before its request was complete. There is nobody to answer, and the service is not at
      // fault.
      if (ctx.req.destroyed && !ctx.req.complete) {
        ctx.respond = false;
        return;
      }
      // An answer that has begun cannot be replaced. Destroying the connection shows the client that the answer is
      // incomplete.
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
  log.error(
    { incident: id, method: ctx.method, path: ctx.path.slice(0, 200), err: thrown },
    'a request failed with an internal error',
  );
  return new Fault('internal', `internal error; the log has the cause under the incident ${id}`);
}
