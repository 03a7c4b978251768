import type { Context } from 'koa';

/**
 * Work that takes minutes: its connection, on which nothing is said meanwhile, is not taken for a dead one. `goesOn` says
 * whether whoever asked still waits.
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
