import { connect, type Socket } from 'node:net';
import { Fault } from '../../model/fault.ts';
import type { Target } from './target.ts';

const CONNECT_MS = 10_000;
const FLUSH_MS = 2_000;

/** Dials, and writes frames into the stream; a frame has left when the kernel has taken it. */
export async function openTcpTarget(to: { host: string; port: number; text: string }): Promise<Target> {
  const socket = await dial(to);
  let broken: Fault | null = null;
  const breakWith = (why: string): void => {
    broken ??= new Fault('unavailable', `the connection to ${to.text} ended: ${why}`);
  };
  socket.on('error', (thrown) => breakWith(thrown.message));
  socket.on('close', () => breakWith('the other side closed it'));
  // Nothing that comes back is of use, but unread bytes would hide that the other side has closed.
  socket.resume();
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        if (broken !== null) return reject(broken);
        socket.write(bytes, (thrown) => {
          if (!thrown) return resolve();
          breakWith(thrown.message);
          reject(broken);
        });
      }),
    close: () => hangUp(socket),
  };
}

function dial(to: { host: string; port: number; text: string }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: to.host, port: to.port, noDelay: true });
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Fault('unavailable', `cannot connect to ${to.text}: ${why}`));
    };
    // A name with several addresses fails with an error for each and no message of its own.
    const onError = (thrown: NodeJS.ErrnoException): void =>
      fail(thrown.message || thrown.code || 'no address answered');
    socket.once('error', onError);
    socket.setTimeout(CONNECT_MS, () => fail(`no answer within ${CONNECT_MS / 1000} s`));
    socket.once('connect', () => {
      socket.off('error', onError);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

/** Lets the other side have what was written, but does not wait for ever on one that has stopped reading. */
function hangUp(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) return resolve();
    const impatience = setTimeout(() => socket.destroy(), FLUSH_MS);
    socket.once('close', () => {
      clearTimeout(impatience);
      resolve();
    });
    socket.destroySoon();
  });
}
