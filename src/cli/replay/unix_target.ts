import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { codeOf, explain } from '../../edge/link/explain.ts';
import { unavailable } from '../../model/fault.ts';
import type { Target, TargetOptions } from './target.ts';

/**
 * Opens a Unix stream socket to which a link connects, like the socket of `dunlin-radio`. Resolves when the first link
 * has connected. Frames that are sent while no link is connected are lost, as with a radio. The latest link replaces an
 * earlier one.
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

/** Resolves when the first link has connected. An abort before that closes the socket and rejects. */
async function firstLink(server: Server, signal: AbortSignal | undefined): Promise<void> {
  try {
    await once(server, 'connection', signal === undefined ? {} : { signal });
  } catch (thrown) {
    server.close();
    throw unavailable('the replay was stopped before a link connected to the socket', { cause: thrown });
  }
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (thrown) => reject(unavailable(explain(path, thrown), { cause: thrown })));
    server.listen(path, resolve);
  });
}

/** Deletes the socket file of an earlier program that no longer listens. */
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
