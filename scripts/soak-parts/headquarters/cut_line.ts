import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Owner } from '../../../test/support/basics/owner.ts';

/** A line to a port that can be cut: its connections end, and further ones are refused until it is mended. */
export type CutLine = { port: number; cut(): void; mend(): void };

/** `toPort` is asked at each connection; 0 while nothing listens there yet. */
export async function cutLine(owner: Owner, toPort: () => number): Promise<CutLine> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const port = toPort();
    if (isCut || port === 0) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.teardown(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend() {
      isCut = false;
    },
  };
}
