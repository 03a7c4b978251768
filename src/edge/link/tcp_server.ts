import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { conflict } from '../../model/fault.ts';
import { joinHostPort, listenAddress } from './address.ts';
import { type IdleWatch, watchIdle } from './deadline.ts';
import type { FullDeps } from './deps.ts';
import { keepAliveMs } from './dialled_port.ts';
import type { LinkPlace } from './link.ts';
import { ListenPlace } from './listen_place.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { sourcesAllowed } from './sources.ts';
import { createStreamWriter, type StreamWriter, writtenToSome } from './stream_writer.ts';
import { createTurnBudget } from './turn_budget.ts';

/** Greatest number of connections. Further ones are refused until a connection ends. */
export const connectionsMax = 64;

type Connection = { socket: Socket; writer: StreamWriter; idle: IdleWatch };

/**
 * Transport of a TCP socket that peers connect to. Each connection is a sender, and is closed after `silence_s` without
 * a byte unless silence is no fault (`mayBeQuiet`). Silence does not reopen the listening socket, since that would not
 * help.
 */
export function tcpServerTransport(spec: LinkPlace, deps: FullDeps): Transport {
  const place = new ListenPlace('tcp', listenAddress(spec), spec.name, deps.claims);
  const setup = { place, allowed: sourcesAllowed(spec), silenceMs: spec.silence_s * 1_000, deps };
  return {
    port: (events) => tcpServerPort(setup, events),
    claim: () => place.claim(),
    onSilence: 'note',
    carrier: 'peers',
    warning: null,
  };
}

type Setup = { place: ListenPlace; allowed: (address: string) => boolean; silenceMs: number; deps: FullDeps };

function tcpServerPort({ place, allowed, silenceMs, deps }: Setup, events: PortEvents): Port {
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
  server.maxConnections = connectionsMax;
  const connections = new Map<string, Connection>();
  const budget = createTurnBudget();
  let binding: Promise<unknown> | null = null;
  let closed = false;

  function connected(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    // A peer that has already disconnected has no address.
    const isThere = remoteAddress !== undefined && remotePort !== undefined;
    if (!isThere || !allowed(remoteAddress)) {
      if (isThere) events.count('notAllowed', 1);
      socket.destroy();
      return;
    }
    const from = joinHostPort(remoteAddress, remotePort);
    const watch = (): IdleWatch =>
      watchIdle(deps, silenceMs, () => {
        if (events.mayBeQuiet()) connection.idle = watch();
        else socket.destroy();
      });
    const connection: Connection = { socket, writer: createStreamWriter(socket, from, deps), idle: watch() };
    connections.set(from, connection);
    events.peers(connections.size);
    events.came(from);
    // Ignores the error, because a `close` event follows it.
    socket.on('error', () => {});
    socket.on('close', () => gone(from, connection));
    budget.read(socket, (bytes) => {
      connection.idle.touch();
      events.bytes(bytes, from);
    });
  }

  function gone(from: string, connection: Connection): void {
    connection.idle.cancel();
    // The peer may have connected again from the same port before this `close` event.
    if (connections.get(from) === connection) connections.delete(from);
    events.peers(connections.size);
    events.gone(from);
  }

  return {
    async open() {
      server.on('connection', connected);
      server.on('drop', () => events.count('overLimit', 1));
      server.listen({ host: place.host, port: place.port });
      binding = once(server, 'listening');
      await binding.catch((thrown) => {
        throw place.failure(thrown);
      });
      if (closed) throw new Error(`port ${place.port}/tcp was closed while it opened`);
      server.on('error', (error) => events.lost(place.explain(error)));
      const bound = server.address();
      if (bound === null || typeof bound === 'string') throw new Error(`the socket on ${place.host} does not listen`);
      place.bound(bound.port);
      return joinHostPort(bound.address, bound.port);
    },
    async close() {
      closed = true;
      await binding?.catch(() => {});
      const ended = new Promise((resolve) => server.close(resolve));
      for (const { socket } of connections.values()) socket.destroy();
      await ended;
    },
    cut(from) {
      connections.get(from)?.socket.destroySoon();
    },
    async write(bytes, to) {
      if (to !== undefined) {
        const named = connections.get(to);
        if (!named) throw conflict(`${to} is not connected`);
        return named.writer.write(bytes);
      }
      if (connections.size === 0) throw conflict('no client is connected');
      const ready = [...connections.values()].filter(({ writer }) => !writer.busy());
      if (ready.length === 0)
        throw conflict('the message was not sent: every client is still receiving the previous one');
      const writes = ready.map(({ writer }) => writer.write(bytes));
      return writtenToSome(writes, bytes.length);
    },
  };
}
