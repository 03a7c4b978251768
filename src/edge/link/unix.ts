import { connect, type Socket } from 'node:net';
import { conflict } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { socketPath } from './address.ts';
import { closeStream } from './close_stream.ts';
import type { FullDeps } from './deps.ts';
import { explain } from './explain.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { createStreamWriter, type StreamWriter } from './stream_writer.ts';
import { createTurnBudget } from './turn_budget.ts';

/**
 * Transport of an outgoing connection to a Unix stream socket of another program on this box. `sources_allow` does
 * not apply.
 */
export function unixTransport(spec: LinkSpec, deps: FullDeps): Transport {
  const path = socketPath(spec);
  return {
    port: (events) => unixPort(path, events, deps),
    claim: () => () => {},
    onSilence: 'reopen',
    carrier: 'open',
    warning: null,
  };
}

function unixPort(path: string, events: PortEvents, deps: FullDeps): Port {
  let socket: Socket | null = null;
  let writer: StreamWriter | null = null;

  /**
   * Resolves when connected. No time limit is needed, because the kernel answers at once. If the queue of the listener
   * is full, the answer is a failure.
   */
  function connected(dialled: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      const failed = (sentence: string) => {
        reject(new Error(sentence));
        events.lost(sentence);
      };
      dialled.once('connect', resolve);
      dialled.on('error', (error) => failed(explain(path, error)));
      dialled.on('close', () => failed(`the connection to ${path} closed`));
    });
  }

  return {
    async open() {
      socket = connect({ path });
      await connected(socket);
      writer = createStreamWriter(socket, path, deps);
      socket.on('end', () => events.lost(`the program behind ${path} closed the connection`));
      createTurnBudget().read(socket, (bytes) => events.bytes(bytes, ''));
      return path;
    },
    async close() {
      if (socket) await closeStream(socket);
      events.gone('');
    },
    async write(bytes) {
      if (!writer) throw conflict(`the connection to ${path} is not open`);
      return writer.write(bytes);
    },
  };
}
