import { createSocket } from 'node:dgram';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';

/** Hands bytes to the daemon; resolves when they have left the test. */
export type Send = (bytes: Uint8Array | string) => Promise<void>;

/** A socket that sends datagrams to a port of this machine, from an address of it; closed when the test ends. */
export function udpSender(t: Test, port: number, from = '127.0.0.1'): Send {
  const socket = createSocket('udp4').bind(0, from);
  t.teardown(() => socket.close());
  return (bytes) =>
    new Promise((resolve, reject) => {
      socket.send(bytes, port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    });
}

/** A connection to a tcp_server link. */
export async function tcpSender(t: Test, port: number): Promise<Send> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  t.teardown(() => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return senderTo(socket);
}

/** A server for a tcp_client link to dial; `send` waits for it to come. */
export async function tcpHost(t: Test): Promise<{ port: number; send: Send }> {
  const server = createServer();
  let meet: (socket: Socket) => void = () => {};
  const peer = new Promise<Socket>((resolve) => {
    meet = resolve;
  });
  server.on('connection', (socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    t.teardown(() => socket.destroy());
    meet(socket);
  });
  t.teardown(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, send: async (bytes) => senderTo(await peer)(bytes) };
}

function senderTo(socket: Socket): Send {
  return (bytes) =>
    new Promise((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
}

/** Calls `act` so many times, at this pace from the first call on: late calls catch up. */
export async function paced(times: number, everyMs: number, act: (turn: number) => Promise<unknown>): Promise<void> {
  const began = performance.now();
  for (let turn = 0; turn < times; turn++) {
    const aheadMs = began + turn * everyMs - performance.now();
    if (aheadMs > 0) await wait(aheadMs);
    await act(turn);
  }
}
