import type { Socket } from 'node:net';
import { conflict } from '../../model/fault.ts';
import { joinHostPort } from './address.ts';
import { closeStream } from './close_stream.ts';
import type { FullDeps } from './deps.ts';
import type { Port, PortEvents } from './port.ts';
import { createStreamWriter, type StreamWriter } from './stream_writer.ts';
import { createTurnBudget } from './turn_budget.ts';

const connectLimitMs = 5_000;
export const keepAliveMs = 10_000;

/** Outgoing connection: address, way to connect, and sentences about its failures. */
export type Dialling = {
  /** Address as the owner of the link wrote it, for sentences. */
  peer: string;
  host: string;
  port: number;
  /**
   * Begins to connect, and calls `ready` when bytes may be sent. Throws an Error with a sentence if it cannot
   * begin.
   */
  dial(ready: () => void): Socket;
  /** Returns a sentence about an error of the socket. */
  explain(error: Error): string;
  /** Returns a sentence about a connection that closed without an error. */
  closed(): string;
  /** Returns a sentence about a peer that did not answer in time; `limit` is the time with its unit, such as `5 s`. */
  late(socket: Socket, limit: string): string;
};

/** Port of an outgoing stream connection over TCP or TLS. */
export function dialledPort(dialling: Dialling, events: PortEvents, { timers, writeLimitMs }: FullDeps): Port {
  const { peer } = dialling;
  let socket: Socket | null = null;
  let writer: StreamWriter | null = null;
  let from: string | null = null;

  /**
   * Connects. A connection ends with an `error` event, a `close` event, or both. Each goes to the supervisor, which
   * ignores all after the first.
   */
  function connected(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const dialled = dialling.dial(() => {
        cancel();
        resolve(dialled);
      });
      socket = dialled;
      let late: Error | null = null;
      const cancel = timers.after(connectLimitMs, () => {
        late = new Error(dialling.late(dialled, `${connectLimitMs / 1000} s`));
        dialled.destroy(late);
      });
      const failed = (sentence: string) => {
        cancel();
        reject(new Error(sentence));
        events.lost(sentence);
      };
      dialled.on('error', (error) => failed(error === late ? error.message : dialling.explain(error)));
      dialled.on('close', () => failed(dialling.closed()));
    });
  }

  return {
    async open() {
      const open = await connected();
      const name = joinHostPort(open.remoteAddress ?? dialling.host, dialling.port);
      from = name;
      writer = createStreamWriter(open, peer, { timers, writeLimitMs });
      open.on('end', () => events.lost(`${peer} closed the connection`));
      createTurnBudget().read(open, (bytes) => events.bytes(bytes, name));
      return name;
    },
    async close() {
      if (socket) await closeStream(socket);
      if (from !== null) events.gone(from);
    },
    async write(bytes) {
      if (!writer) throw conflict(`the connection to ${peer} is not open`);
      return writer.write(bytes);
    },
  };
}
