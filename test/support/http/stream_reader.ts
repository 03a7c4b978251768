import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { EventKind } from '../../../src/model/event.ts';
import type { Owner } from '../basics/owner.ts';
import { parseEvents, type Received } from './event_parser.ts';

/** An event and when it came, in milliseconds since the epoch of this machine. */
export type Arrival = Received & { arrivedMs: number };

type Waiting = { holds: () => boolean; resolve: () => void };

/** A client of a daemon's event stream that reads as fast as it comes, and remembers everything. */
export class StreamReader {
  readonly status: number;
  readonly events: Arrival[] = [];
  /** Resolves when the server ended the stream, or the connection broke. */
  readonly ended: Promise<void>;
  hasEnded = false;
  readonly #request: ClientRequest;
  #rest = '';
  readonly #waiting = new Set<Waiting>();

  constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.status = response.statusCode ?? 0;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('error', () => {});
    this.ended = new Promise((resolve) => {
      response.once('close', () => {
        this.hasEnded = true;
        resolve();
      });
    });
  }

  get lastId(): string | null {
    return this.events.at(-1)?.id ?? null;
  }

  of(kind: EventKind): Arrival[] {
    return this.events.filter((event) => event.kind === kind);
  }

  /** Resolves with the first event, past or to come, of which `wanted` holds. */
  async first(what: string, wanted: (event: Arrival) => boolean, withinMs = 60_000): Promise<Arrival> {
    await this.when(what, () => this.events.some(wanted), withinMs);
    return this.events.find(wanted) as Arrival;
  }

  /** Resolves when `holds` does, looked at after each chunk that comes. */
  async when(what: string, holds: () => boolean, withinMs = 60_000): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const waiting = { holds, resolve: () => done() };
      const late = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(new Error(`the stream did not show within ${withinMs} ms: ${what}`));
      }, withinMs);
      const done = () => {
        clearTimeout(late);
        this.#waiting.delete(waiting);
        resolve();
      };
      this.#waiting.add(waiting);
    });
  }

  leave(): void {
    this.#request.destroy();
  }

  #take(text: string): void {
    const { events, rest } = parseEvents(this.#rest + text);
    const arrivedMs = performance.timeOrigin + performance.now();
    this.#rest = rest;
    for (const event of events) this.events.push({ ...event, arrivedMs });
    for (const waiting of this.#waiting) if (waiting.holds()) waiting.resolve();
  }
}

/** Opens a stream; resolves when its head has come, whatever its status. It is left when the test ends. */
export async function readStream(t: Owner, url: string, lastEventId?: string): Promise<StreamReader> {
  const query = lastEventId === undefined ? '' : `?last_event_id=${encodeURIComponent(lastEventId)}`;
  return openStream(t, `${url}/api/stream${query}`);
}

/** The same for a whole address, a ticket in it perhaps. */
export async function openStream(t: Owner, address: string): Promise<StreamReader> {
  const reader = await new Promise<StreamReader>((resolve, reject) => {
    const request = get(address, { agent: false }, (response) => resolve(new StreamReader(request, response)));
    request.on('error', reject);
  });
  t.teardown(() => reader.leave());
  return reader;
}
