import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { codeOf, explain } from '../../edge/link/explain.ts';
import { unavailable } from '../../model/fault.ts';
import type { Target, TargetOptions } from './target.ts';

/**
 * A stream socket that a link dials, as that of a radio's program. Opens once the first link is there. Frames without a
 * link are lost, as those of a radio that nobody listens to. It serves one link at a time, the latest.
 */
export async function openUnixTarget(path: string, { onWaiting, signal }: TargetOptions): Promise<Target> {
  await removeStale(path);
  let present: Socket | null = null;
  const server = createServer((socket) => {
    present?.destroy();
    present = socket;
    socket.on('error', () => {});
    socket.on('close', () => {
      if (present === socket) present = null;
    });
    socket.resume();
  });
  await listen(server, path);
  onWaiting?.(`waiting for a link with transport=unix,address=${path},protocol=capture`);
  await firstLink(server, signal);
  return {
    async send(bytes) {
      const socket = present;
      if (socket === null) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          socket.off('close', done);
          resolve();
        };
        socket.once('close', done);
        socket.write(bytes, done);
      });
    },
    async close() {
      const isAlone = present === null;
      const socket = present;
      if (socket !== null) await new Promise<void>((resolve) => socket.end(resolve));
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        present?.destroy();
      });
      return isAlone;
    },
  };
}

/** Resolves with the first connection; an abort before it closes the socket and rejects. */
async function firstLink(server: Server, signal: AbortSignal | undefined): Promise<void> {
  try {
    await once(server, 'connection', signal === undefined ? {} : { signal });
  } catch (thrown) {
    server.close();
    throw unavailable('stopped before a link came', { cause: thrown });
  }
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (thrown) => reject(unavailable(explain(path, thrown), { cause: thrown })));
    server.listen(path, resolve);
  });
}

/** Removes a socket of an earlier program that has ended. */
async function removeStale(path: string): Promise<void> {
  const code = await new Promise<string | null>((resolve) => {
    const probe = connect({ path });
    probe.once('connect', () => {
      probe.destroy();
      resolve(null);
    });
    probe.once('error', (thrown) => resolve(codeOf(thrown)));
  });
  if (code === 'ECONNREFUSED') await unlink(path).catch(() => {});
}
