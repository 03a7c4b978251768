import { connect, type Socket } from 'node:net';
import { Fault } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { dialAddress, type HostPort, joinHostPort } from './address.ts';
import { closeStream } from './close_stream.ts';
import { explain } from './explain.ts';
import type { Port, PortEvents, Way } from './port.ts';
import type { FullRim } from './rim.ts';
import { createStreamWriter, type StreamWriter } from './stream_writer.ts';
import { createTurnBudget } from './turn_budget.ts';

const connectLimitMs = 5_000;
export const keepAliveMs = 10_000;

/** A connection that this side dials. `sources_allow` does not apply: the owner named the peer. */
export function tcpClientWay(spec: LinkSpec, rim: FullRim): Way {
  const address = dialAddress(spec);
  return {
    port: (events) => new TcpClientPort(spec.address, address, events, rim),
    claim: () => () => {},
    onSilence: 'reopen',
    carrier: 'open',
    warning: null,
  };
}

class TcpClientPort implements Port {
  readonly #peer: string;
  readonly #address: HostPort;
  readonly #events: PortEvents;
  readonly #rim: FullRim;
  #socket: Socket | null = null;
  #writer: StreamWriter | null = null;
  #from: string | null = null;

  constructor(peer: string, address: HostPort, events: PortEvents, rim: FullRim) {
    this.#peer = peer;
    this.#address = address;
    this.#events = events;
    this.#rim = rim;
  }

  async open(): Promise<string> {
    const socket = connect({ ...this.#address, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
    this.#socket = socket;
    await this.#connected(socket);
    const from = joinHostPort(socket.remoteAddress ?? this.#address.host, this.#address.port);
    this.#from = from;
    this.#writer = createStreamWriter(socket, this.#peer, this.#rim.timers);
    socket.on('end', () => this.#events.lost(`${this.#peer} closed the connection`));
    createTurnBudget().read(socket, (bytes) => this.#events.bytes(bytes, from));
    return from;
  }

  async close(): Promise<void> {
    if (this.#socket) await closeStream(this.#socket);
    if (this.#from !== null) this.#events.gone(this.#from);
  }

  async write(bytes: Uint8Array): Promise<number> {
    if (!this.#writer) throw new Fault('conflict', 'the connection is not open');
    return this.#writer.write(bytes);
  }

  /** Every way a connection ends is an `error` or a `close`; both go to the supervisor, which counts the first. */
  #connected(socket: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = new Error(`${this.#peer} did not answer in ${connectLimitMs / 1000} s`);
      const cancel = this.#rim.timers.after(connectLimitMs, () => socket.destroy(late));
      const failed = (sentence: string) => {
        cancel();
        reject(new Error(sentence));
        this.#events.lost(sentence);
      };
      socket.once('connect', () => {
        cancel();
        resolve();
      });
      socket.on('error', (error) => failed(error === late ? late.message : explain(this.#peer, error)));
      socket.on('close', () => failed(`the connection to ${this.#peer} closed`));
    });
  }
}
