import type { Context, Next } from 'koa';

/**
 * Builds the middleware that answers a request whose body was not read to its end, and then closes the connection.
 * Closing at once would reset the connection, and a client that still sends would never see the answer. Therefore
 * further bytes are discarded for at most `lingerMs`.
 */
export function closeUnread(lingerMs: number) {
  return async (ctx: Context, next: Next): Promise<void> => {
    await next();
    if (ctx.req.complete || ctx.respond === false) return;
    answerThenClose(ctx, typeof ctx.body === 'string' ? ctx.body : '', lingerMs);
  };
}

function answerThenClose(ctx: Context, text: string, lingerMs: number): void {
  const { req, res } = ctx;
  ctx.respond = false;
  ctx.set('Connection', 'close');
  ctx.set('Content-Length', String(Buffer.byteLength(text)));
  res.statusCode = ctx.status;
  if (ctx.method === 'HEAD' || text === '') res.flushHeaders();
  else res.write(text);

  const timer = setTimeout(finish, lingerMs);
  req.once('close', finish).once('end', finish).once('error', finish);
  req.resume();

  function finish(): void {
    clearTimeout(timer);
    req.off('close', finish).off('end', finish).off('error', finish);
    res.end();
  }
}
