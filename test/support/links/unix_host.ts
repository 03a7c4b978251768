import { createServer, type Socket } from 'node:net';
import type { Owner } from '../basics/owner.ts';

/** A program behind a stream socket, as the daemon dials it. */
export type UnixHost = {
  path: string;
  /** Sends to the present connection; rejects without one. */
  send(bytes: Uint8Array): Promise<void>;
  /** Resolves with the number of connections so far, once there are at least so many. */
  dialled(least: number): Promise<number>;
  /** Breaks the present connection off; the socket stays. */
  breakOff(): void;
  /** Ends the program: its socket goes away. */
  close(): Promise<void>;
};

/** Listens at a path, and greets each connection with `greeting`. */
export async function unixHost(t: Owner, path: string, greeting: Uint8Array = new Uint8Array()): Promise<UnixHost> {
  let present: Socket | null = null;
  let count = 0;
  const awaited = new Set<() => void>();
  const server = createServer((socket) => {
    present = socket;
    count++;
    socket.on('error', () => {});
    socket.on('close', () => {
      if (present === socket) present = null;
    });
    socket.resume();
    socket.write(greeting);
    for (const look of awaited) look();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  const close = (): Promise<void> => {
    present?.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  t.teardown(close);
  return {
    path,
    send: (bytes) =>
      new Promise((resolve, reject) => {
        if (present === null) return reject(new Error('nobody has dialled'));
        present.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    dialled: (least) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (count < least) return;
          awaited.delete(look);
          resolve(count);
        };
        awaited.add(look);
        look();
      }),
    breakOff: () => void present?.destroy(),
    close,
  };
}
