import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { conflict, sentenceOf } from '../../model/fault.ts';
import { dialAddress, joinHostPort, splitHostPort } from './address.ts';
import type { Cancel, FullDeps } from './deps.ts';
import { explain } from './explain.ts';
import type { LinkPlace } from './link.ts';
import { interfaceAddresses, isGroup } from './multicast.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { writtenToSome } from './stream_writer.ts';

/** Interval of the checks for new interfaces, ms. */
const lookEveryMs = 10_000;
/** Greatest number of concurrent writes. A datagram waits only while the queue of the interface is full. */
const pendingMax = 64;
/** Time to live of multicast datagrams: with 1, routers do not forward them to other networks. */
const multicastTtl = 1;

type Receiver = { host: string; port: number };

/**
 * Declaration of a UDP sender. `interface` is the network interface for a multicast group; null for the interfaces that
 * `interfacesFor` selects.
 */
export type SenderPlace = LinkPlace & { interface: string | null };

/**
 * Transport that sends UDP to one address, or to a multicast group on the interfaces that `interfacesFor` selects.
 * Received datagrams are not read.
 */
export function udpSenderTransport(spec: SenderPlace, deps: FullDeps): Transport {
  const receiver = dialAddress(spec);
  return {
    port: (events) => udpSenderPort(spec.interface, receiver, events, deps),
    claim: () => () => {},
    onSilence: 'ignore',
    carrier: 'open',
    warning: null,
  };
}

function udpSenderPort(only: string | null, { host, port }: Receiver, events: PortEvents, deps: FullDeps): Port {
  /**
   * Sockets by the name of their network interface, in the form that the kernel accepts. A receiver that is no
   * multicast group has one socket, under the key `any`.
   */
  const sockets = new Map<string, Socket>();
  let address = host;
  let closed = false;
  let nextLook: Cancel | null = null;
  let pending = 0;

  async function refresh(): Promise<void> {
    const present = interfacesFor(isIPv4(address), only);
    for (const [name, socket] of sockets) {
      if (present.includes(name)) continue;
      sockets.delete(name);
      socket.close();
    }
    for (const name of present) if (!sockets.has(name)) await add(name);
  }

  /**
   * Opens a socket on one interface. An interface that refuses (it is going down, or has no multicast) is retried at
   * the next `refresh`.
   */
  async function add(name: string): Promise<void> {
    const socket = await bound(isIPv4(address));
    try {
      if (closed) throw new Error('closed');
      socket.setMulticastInterface(name);
      socket.setMulticastTTL(multicastTtl);
      sockets.set(name, socket);
    } catch {
      socket.close();
    }
  }

  function lookLater(): void {
    nextLook = deps.timers.after(lookEveryMs, async () => {
      await refresh().catch(() => {});
      if (!closed) lookLater();
    });
  }

  return {
    async open() {
      address = await addressOf(host);
      if (isGroup(address)) {
        await refresh();
        if (sockets.size === 0) throw new Error(`no network interface that can send to the group ${address} is up`);
        lookLater();
      } else {
        const socket = await bound(isIPv4(address));
        if (closed) socket.close();
        else {
          socket.setBroadcast(true);
          sockets.set('any', socket);
        }
      }
      if (closed) throw new Error('the sender was closed while it opened');
      return joinHostPort(address, port);
    },
    async close() {
      closed = true;
      nextLook?.();
      for (const socket of sockets.values()) socket.close();
      sockets.clear();
    },
    async write(bytes, to) {
      const receiver = to === undefined ? { host: address, port } : splitHostPort(to);
      if (receiver === null) throw conflict(`${to} does not have the form ADDRESS:PORT`);
      if (pending >= pendingMax)
        throw conflict(`the message was not sent: ${pendingMax} earlier messages still wait for the network`);
      pending += 1;
      try {
        const sent = await writtenToSome(
          [...sockets.values()].map((socket) => send(socket, bytes, receiver)),
          bytes.length,
        );
        return Math.min(sent, bytes.length);
      } catch (thrown) {
        // Every socket refused the datagram. The port is therefore reopened, and the reopening selects the
        // interfaces again.
        events.lost(explain(joinHostPort(receiver.host, receiver.port), thrown));
        throw thrown;
      } finally {
        pending -= 1;
      }
    },
  };
}

function send(socket: Socket, bytes: Uint8Array, { host, port }: Receiver): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(bytes, port, host, (error) => (error ? reject(error) : resolve()));
  });
}

async function bound(isV4: boolean): Promise<Socket> {
  const socket = createSocket({ type: isV4 ? 'udp4' : 'udp6' });
  const listening = once(socket, 'listening');
  socket.bind(0);
  await listening;
  // Later errors of the socket come from `send`, which reports them itself.
  socket.on('error', () => {});
  return socket;
}

async function addressOf(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  try {
    return (await lookup(host)).address;
  } catch (thrown) {
    throw new Error(explain(host, thrown), { cause: sentenceOf(thrown) });
  }
}

/**
 * Interfaces on which datagrams for a group are sent. The loopback interface is used only if it is named or is the only
 * one. It is not needed otherwise: programs of this computer also receive datagrams that are sent on another interface.
 */
function interfacesFor(isV4: boolean, only: string | null): string[] {
  const all = interfaceAddresses(isV4, only ?? undefined);
  if (only !== null) return all;
  const own = new Set(
    Object.entries(networkInterfaces()).flatMap(([name, entries = []]) =>
      entries.flatMap(({ internal, address }) => (internal ? [address, `::%${name}`] : [])),
    ),
  );
  const outside = all.filter((one) => !own.has(one));
  return outside.length > 0 ? outside : all;
}
