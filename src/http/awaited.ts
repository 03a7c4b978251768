import type { Context } from 'koa';

/**
 * Runs work that takes minutes, and meanwhile disables the idle timeout of the connection. `goesOn` returns true while
 * the client still waits.
 */
export async function whileAwaited<T>(ctx: Context, work: (goesOn: () => boolean) => Promise<T>): Promise<T> {
  const { socket } = ctx.req;
  const idleMs = socket.timeout ?? 0;
  socket.setTimeout(0);
  try {
    return await work(() => !socket.destroyed && !ctx.res.destroyed);
  } finally {
    socket.setTimeout(idleMs);
  }
}
