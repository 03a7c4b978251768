import { close, constants, fstatSync, open, read } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { conflict, invalidInput } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { filePath } from './address.ts';
import { closeStream } from './close_stream.ts';
import { explain } from './explain.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { createTurnBudget } from './turn_budget.ts';

const openFd = promisify(open);
const readFd = promisify(read);
const closeFd = promisify(close);
const chunkBytes = 64 * 1024;
const endOfFile = 'end of file';

/**
 * Transport of a file or FIFO, which is read once from its start. At the end of the file the link is `disabled` with
 * the sentence "end of file", without a fault or retry. Starting the link again reads the file again. A FIFO ends
 * when its last writer closes it.
 */
export function fileTransport(spec: LinkSpec): Transport {
  const path = filePath(spec);
  return {
    port: (events) => filePort(path, events),
    claim: () => () => {},
    onSilence: 'ignore',
    carrier: 'open',
    warning: null,
  };
}

function filePort(path: string, events: PortEvents): Port {
  let opening: Promise<number> | null = null;
  let reading: Promise<void> = Promise.resolve();
  let fifo: Socket | null = null;
  let closed = false;

  /** Reads one chunk in each turn of the event loop, so that a long file does not delay other links. */
  async function readFile(fd: number): Promise<void> {
    try {
      for (;;) {
        await nextTurn();
        if (closed) return;
        const { bytesRead, buffer } = await readFd(fd, Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
        if (closed) return;
        if (bytesRead === 0) {
          events.ended(endOfFile);
          return;
        }
        events.bytes(buffer.subarray(0, bytesRead), '');
      }
    } catch (thrown) {
      events.lost(explain(path, thrown));
    }
  }

  /** Reads a FIFO as a stream. The returned socket owns the descriptor and closes it. */
  function readFifo(fd: number): Socket {
    const socket = new Socket({ fd, readable: true, writable: false });
    socket.on('error', (error) => events.lost(explain(path, error)));
    socket.on('end', () => events.ended(endOfFile));
    createTurnBudget().read(socket, (bytes) => events.bytes(bytes, ''));
    return socket;
  }

  return {
    async open() {
      // Without O_NONBLOCK, opening a FIFO would block one of the few worker threads of the process until a writer
      // opens it.
      opening = openFd(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const fd = await opening.catch((thrown) => {
        throw new Error(explain(path, thrown));
      });
      if (closed) throw new Error(`${path} was closed while it opened`);
      const kind = fstatSync(fd);
      if (kind.isFIFO()) fifo = readFifo(fd);
      else if (kind.isFile()) reading = readFile(fd);
      else throw invalidInput(`${path} is neither a file nor a FIFO`);
      return path;
    },
    async close() {
      closed = true;
      const fd = await opening?.catch(() => null);
      await reading;
      if (fifo) await closeStream(fifo);
      else if (fd != null) await closeFd(fd);
      events.gone('');
    },
    async write() {
      throw conflict("a link of transport 'file' cannot send");
    },
  };
}
