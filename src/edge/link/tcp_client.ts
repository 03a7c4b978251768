import { connect, type Socket } from 'node:net';
import { conflict } from '../../model/fault.ts';
import { dialAddress, type HostPort, joinHostPort } from './address.ts';
import { closeStream } from './close_stream.ts';
import type { FullDeps } from './deps.ts';
import { explain } from './explain.ts';
import type { LinkPlace } from './link.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { createStreamWriter, type StreamWriter } from './stream_writer.ts';
import { createTurnBudget } from './turn_budget.ts';

const connectLimitMs = 5_000;
export const keepAliveMs = 10_000;

/** A connection that this side dials. `sources_allow` does not apply: the owner named the peer. */
export function tcpClientTransport(spec: LinkPlace, deps: FullDeps): Transport {
  const address = dialAddress(spec);
  return {
    port: (events) => tcpClientPort(spec.address, address, events, deps),
    claim: () => () => {},
    onSilence: 'reopen',
    carrier: 'open',
    warning: null,
  };
}

function tcpClientPort(peer: string, address: HostPort, events: PortEvents, { timers, writeLimitMs }: FullDeps): Port {
  let socket: Socket | null = null;
  let writer: StreamWriter | null = null;
  let from: string | null = null;

  /** Every way a connection ends is an `error` or a `close`; both go to the supervisor, which counts the first. */
  function connected(dialled: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = new Error(`${peer} did not answer in ${connectLimitMs / 1000} s`);
      const cancel = timers.after(connectLimitMs, () => dialled.destroy(late));
      const failed = (sentence: string) => {
        cancel();
        reject(new Error(sentence));
        events.lost(sentence);
      };
      dialled.once('connect', () => {
        cancel();
        resolve();
      });
      dialled.on('error', (error) => failed(error === late ? late.message : explain(peer, error)));
      dialled.on('close', () => failed(`the connection to ${peer} closed`));
    });
  }

  return {
    async open() {
      socket = connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
      await connected(socket);
      const name = joinHostPort(socket.remoteAddress ?? address.host, address.port);
      from = name;
      writer = createStreamWriter(socket, peer, { timers, writeLimitMs });
      socket.on('end', () => events.lost(`${peer} closed the connection`));
      createTurnBudget().read(socket, (bytes) => events.bytes(bytes, name));
      return name;
    },
    async close() {
      if (socket) await closeStream(socket);
      if (from !== null) events.gone(from);
    },
    async write(bytes) {
      if (!writer) throw conflict('the connection is not open');
      return writer.write(bytes);
    },
  };
}
