import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Fault } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { joinHostPort, listenAddress } from './address.ts';
import { type IdleWatch, watchIdle } from './deadline.ts';
import { ListenPlace } from './listen_place.ts';
import type { Port, PortEvents, Way } from './port.ts';
import type { FullRim } from './rim.ts';
import { sourcesAllowed } from './sources.ts';
import { createStreamWriter, type StreamWriter } from './stream_writer.ts';
import { keepAliveMs } from './tcp_client.ts';
import { createTurnBudget } from './turn_budget.ts';

/** Connections held at once; a later one is refused until one of them ends. */
export const connectionsMax = 64;

type TcpServerSetup = {
  place: ListenPlace;
  allowed: (address: string) => boolean;
  silenceMs: number;
  rim: FullRim;
};
type Connection = { socket: Socket; writer: StreamWriter; idle: IdleWatch };

/**
 * A socket that others dial. Each connection is a sender of its own with its own silence deadline; the listening
 * socket is not opened again for silence, since that mends nothing.
 */
export function tcpServerWay(spec: LinkSpec, rim: FullRim): Way {
  const place = new ListenPlace('tcp', listenAddress(spec), spec.name, rim.claims);
  const setup = { place, allowed: sourcesAllowed(spec), silenceMs: spec.silence_s * 1_000, rim };
  return {
    port: (events) => new TcpServerPort(setup, events, newServer()),
    claim: () => place.claim(),
    onSilence: 'note',
    carrier: 'peers',
    warning: null,
  };
}

function newServer(): Server {
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
  server.maxConnections = connectionsMax;
  return server;
}

class TcpServerPort implements Port {
  readonly #setup: TcpServerSetup;
  readonly #events: PortEvents;
  readonly #server: Server;
  readonly #connections = new Map<string, Connection>();
  readonly #budget = createTurnBudget();
  #binding: Promise<unknown> | null = null;
  #closed = false;

  constructor(setup: TcpServerSetup, events: PortEvents, server: Server) {
    this.#setup = setup;
    this.#events = events;
    this.#server = server;
  }

  async open(): Promise<string> {
    const { place } = this.#setup;
    this.#server.on('connection', (socket) => this.#connected(socket));
    this.#server.on('drop', () => this.#events.count('overLimit', 1));
    this.#server.listen({ host: place.host, port: place.port });
    this.#binding = once(this.#server, 'listening');
    await this.#binding.catch((thrown) => {
      throw place.failure(thrown);
    });
    if (this.#closed) throw new Error(`port ${place.port}/tcp was closed while it opened`);
    this.#server.on('error', (error) => this.#events.lost(place.explain(error)));
    const bound = this.#server.address();
    if (bound === null || typeof bound === 'string') throw new Error(`${place.host} is not listened on`);
    place.bound(bound.port);
    return joinHostPort(bound.address, bound.port);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#binding?.catch(() => {});
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const { socket } of this.#connections.values()) socket.destroy();
    await closed;
  }

  async write(bytes: Uint8Array, to?: string): Promise<number> {
    if (to !== undefined) return this.#connectionNamed(to).writer.write(bytes);
    const ready = [...this.#connections.values()].filter(({ writer }) => !writer.busy());
    if (ready.length === 0) throw new Fault('conflict', this.#nobody());
    const sent = await Promise.allSettled(ready.map(({ writer }) => writer.write(bytes)));
    const left = sent.filter(({ status }) => status === 'fulfilled').length;
    const refused = sent.find((result) => result.status === 'rejected');
    if (left === 0 && refused) throw refused.reason;
    return left * bytes.length;
  }

  #connectionNamed(to: string): Connection {
    const connection = this.#connections.get(to);
    if (!connection) throw new Fault('conflict', `${to} is not connected`);
    return connection;
  }

  #nobody(): string {
    return this.#connections.size === 0 ? 'nobody is connected' : 'no connection has taken its former write yet';
  }

  #connected(socket: Socket): void {
    const { rim, silenceMs } = this.#setup;
    const { remoteAddress, remotePort } = socket;
    // A peer that was gone before it could be looked at has no address any more.
    if (remoteAddress === undefined || remotePort === undefined) {
      socket.destroy();
      return;
    }
    if (!this.#setup.allowed(remoteAddress)) {
      this.#events.count('notAllowed', 1);
      socket.destroy();
      return;
    }
    const from = joinHostPort(remoteAddress, remotePort);
    const watch = (): IdleWatch =>
      watchIdle(rim, silenceMs, () => {
        if (this.#events.mayBeQuiet()) connection.idle = watch();
        else socket.destroy();
      });
    const connection: Connection = { socket, writer: createStreamWriter(socket, from, rim.timers), idle: watch() };
    this.#connections.set(from, connection);
    this.#events.peers(this.#connections.size);
    // How a connection ended matters to nobody: `close` follows and says that it did.
    socket.on('error', () => {});
    socket.on('close', () => this.#gone(from, connection));
    this.#budget.read(socket, (bytes) => {
      connection.idle.touch();
      this.#events.bytes(bytes, from);
    });
  }

  #gone(from: string, connection: Connection): void {
    connection.idle.cancel();
    // The same peer may have come back from the same port before this end was noticed.
    if (this.#connections.get(from) === connection) this.#connections.delete(from);
    this.#events.peers(this.#connections.size);
    this.#events.gone(from);
  }
}
