import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { Owner } from '../basics/owner.ts';
import { type Read, readXml } from './xml.ts';

/** An event as a strict reader of the schema 2.0 takes it. */
export type TakEvent = {
  uid: string;
  type: string;
  how: string;
  time: string;
  start: string;
  stale: string;
  point: Record<'lat' | 'lon' | 'hae' | 'ce' | 'le', number>;
  detail: Read;
  text: string;
};

const times = ['time', 'start', 'stale'] as const;
const point = ['lat', 'lon', 'hae', 'ce', 'le'] as const;

/** Reads one event; throws where it is not well-formed, or lacks what the schema demands. */
export function readEvent(text: string): TakEvent {
  const { name, attributes, children } = readXml(text);
  if (name !== 'event' || attributes.version !== '2.0') throw new Error(`no event of version 2.0: ${text}`);
  const [place, detail] = children;
  if (place?.name !== 'point' || detail?.name !== 'detail' || children.length !== 2)
    throw new Error(`an event is a point and a detail: ${text}`);
  for (const key of ['uid', 'type', 'how', ...times])
    if (!attributes[key]) throw new Error(`the event lacks ${key}: ${text}`);
  for (const key of times) if (Number.isNaN(Date.parse(attributes[key] ?? ''))) throw new Error(`no time: ${text}`);
  const numbers = Object.fromEntries(point.map((key) => [key, Number(place.attributes[key])]));
  if (Object.values(numbers).some((value) => !Number.isFinite(value))) throw new Error(`no number: ${text}`);
  return { ...(attributes as unknown as TakEvent), point: numbers as TakEvent['point'], detail, text };
}

/** The first child of a detail with a name. */
export function childOf({ detail }: TakEvent, name: string): Read | undefined {
  return detail.children.find((child) => child.name === name);
}

/** Events as they come, and a wait for one among them. */
export class TakEvents {
  readonly all: TakEvent[] = [];
  readonly faults: string[] = [];
  readonly #waiting = new Set<() => void>();

  take(text: string): void {
    try {
      this.all.push(readEvent(text));
    } catch (thrown) {
      this.faults.push(String(thrown));
    }
    for (const check of this.#waiting) check();
  }

  /** The first event, from number `from` on, for which `is` holds; rejects where a malformed one comes before it. */
  find(is: (event: TakEvent) => boolean, from = 0, withinMs = 30_000): Promise<TakEvent> {
    return new Promise((resolve, reject) => {
      const end = (act: () => void): void => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        act();
      };
      const check = (): void => {
        const found = this.all.slice(from).find(is);
        if (this.faults.length > 0) end(() => reject(new Error(this.faults.join('; '))));
        else if (found) end(() => resolve(found));
      };
      const last = (): string => JSON.stringify(this.all.slice(-3).map(({ text }) => text));
      const timer = setTimeout(() => end(() => reject(new Error(`no such event among ${last()}`))), withinMs);
      this.#waiting.add(check);
      check();
    });
  }
}

/** A TAK client of a mesh: each datagram is one event. */
export async function takDatagrams(t: Owner): Promise<{ port: number; events: TakEvents }> {
  const socket = createSocket('udp4');
  const events = new TakEvents();
  socket.on('message', (bytes) => events.take(bytes.toString('utf8')));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { port: socket.address().port, events };
}

/** Cuts a stream into events. Between two events nothing may stand. */
export function streamReader(events: TakEvents): (bytes: Buffer) => void {
  let rest = '';
  return (bytes) => {
    rest += bytes.toString('utf8');
    for (let end = rest.indexOf('</event>'); end >= 0; end = rest.indexOf('</event>')) {
      events.take(rest.slice(0, end + 8));
      rest = rest.slice(end + 8);
    }
  };
}

export type TakServer = {
  port: number;
  events: TakEvents;
  /** Connections, the newest last. */
  sockets: Socket[];
  /** Handshakes that failed. */
  refusals: Error[];
};

type TakOptions = { reads?: boolean; tls?: TlsOptions };

/** A TAK server: reads events from each connection, until `reads` is false. `tls`: it speaks TLS with these options. */
export async function takServer(t: Owner, { reads = true, tls }: TakOptions = {}): Promise<TakServer> {
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  const events = new TakEvents();
  const sockets: Socket[] = [];
  const refusals: Error[] = [];
  server.on('tlsClientError', (error) => refusals.push(error));
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    if (reads) socket.on('data', streamReader(events));
    else socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, events, sockets, refusals };
}
