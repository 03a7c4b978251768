import { close, constants, fstatSync, open, read } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Fault } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { filePath } from './address.ts';
import { closeStream } from './close_stream.ts';
import { explain } from './explain.ts';
import type { Port, PortEvents, Way } from './port.ts';
import { createTurnBudget } from './turn_budget.ts';

const openFd = promisify(open);
const readFd = promisify(read);
const closeFd = promisify(close);
const chunkBytes = 64 * 1024;
const endOfFile = 'end of file';

/**
 * A file or FIFO, read once from its start. At its end the link is `disabled` and says "end of file": nothing went
 * wrong and there is nothing to try again; started again it reads the file again. A FIFO ends when its last writer
 * closes it.
 */
export function fileWay(spec: LinkSpec): Way {
  const path = filePath(spec);
  return {
    port: (events) => new FilePort(path, events),
    claim: () => () => {},
    onSilence: 'ignore',
    carrier: 'open',
    warning: null,
  };
}

class FilePort implements Port {
  readonly #path: string;
  readonly #events: PortEvents;
  #opening: Promise<number> | null = null;
  #reading: Promise<void> = Promise.resolve();
  #fifo: Socket | null = null;
  #closed = false;

  constructor(path: string, events: PortEvents) {
    this.#path = path;
    this.#events = events;
  }

  async open(): Promise<string> {
    // Without O_NONBLOCK the opening of a FIFO would hold one of the process's few worker threads until a writer comes.
    this.#opening = openFd(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
    const fd = await this.#opening.catch((thrown) => {
      throw new Error(explain(this.#path, thrown));
    });
    if (this.#closed) throw new Error(`${this.#path} was closed while it opened`);
    const kind = fstatSync(fd);
    if (kind.isFIFO()) this.#readFifo(fd);
    else if (kind.isFile()) this.#reading = this.#readFile(fd);
    else throw new Fault('invalid_input', `${this.#path} is neither a file nor a FIFO`);
    return this.#path;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const fd = await this.#opening?.catch(() => null);
    await this.#reading;
    if (this.#fifo) await closeStream(this.#fifo);
    else if (fd != null) await closeFd(fd);
    this.#events.gone('');
  }

  async write(): Promise<number> {
    throw new Fault('conflict', 'a file is only read');
  }

  /** As fast as the bytes are taken, one chunk a turn, so that a long file starves nobody. */
  async #readFile(fd: number): Promise<void> {
    try {
      for (;;) {
        await nextTurn();
        if (this.#closed) return;
        const { bytesRead, buffer } = await readFd(fd, Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
        if (this.#closed) return;
        if (bytesRead === 0) {
          this.#events.ended(endOfFile);
          return;
        }
        this.#events.bytes(buffer.subarray(0, bytesRead), '');
      }
    } catch (thrown) {
      this.#events.lost(explain(this.#path, thrown));
    }
  }

  /** The descriptor is the socket's from here on. */
  #readFifo(fd: number): void {
    const fifo = new Socket({ fd, readable: true, writable: false });
    this.#fifo = fifo;
    fifo.on('error', (error) => this.#events.lost(explain(this.#path, error)));
    fifo.on('end', () => this.#events.ended(endOfFile));
    createTurnBudget().read(fifo, (bytes) => this.#events.bytes(bytes, ''));
  }
}
