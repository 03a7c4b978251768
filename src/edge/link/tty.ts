import { close, closeSync, constants, openSync } from 'node:fs';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { asyncFlush, asyncOpen } from '@serialport/bindings-cpp/dist/load-bindings.js';
import { Fault } from '../../model/fault.ts';
import { closeStream } from './close_stream.ts';

const closeFd = promisify(close);

/** An open serial device: a stream of its bytes, both ways. */
export type Tty = { stream: ReadStream; close(fault: boolean): Promise<void> };

const raw8n1 = {
  dataBits: 8,
  stopBits: 1,
  parity: 'none',
  rtscts: false,
  xon: false,
  xoff: false,
  xany: false,
  hupcl: true,
  vmin: 1,
  vtime: 0,
  lock: true,
};

/**
 * Opens a serial device raw, 8N1, without flow control and locked against other programs that lock (`flock`).
 *
 * The serialport package sets the line up; Node's own tty stream moves the bytes. The package's stream is not used,
 * for three measured reasons: it queues writes while closed and sends them after a reopen; a read that finds the
 * device hung up is repeated without end (serialport/bindings-cpp#162); and every opening leaks its poller, about
 * 2 KB, which a radio that is silent for a year would make a gigabyte.
 *
 * Two descriptors are open: the first holds the lock and the settings, the second belongs to the stream, which
 * replaces what it is given by an opening of its own and would lose a lock on it.
 */
export async function openTty(path: string, baud: number): Promise<Tty> {
  const lock: number = await asyncOpen(path, { ...raw8n1, baudRate: baud });
  try {
    const stream = openStream(path);
    return { stream, close: (fault) => closeTty(stream, lock, fault) };
  } catch (thrown) {
    await closeFd(lock);
    throw thrown;
  }
}

function openStream(path: string): ReadStream {
  const fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  try {
    if (!isatty(fd)) throw new Fault('invalid_input', `${path} is not a serial device`);
    const stream = new ReadStream(fd);
    // The stream closes its own descriptor; this one is another unless the tty could not be opened a second time.
    if (ownDescriptor(stream) !== fd) closeSync(fd);
    return stream;
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

function ownDescriptor(stream: ReadStream): number | undefined {
  return (stream as ReadStream & { _handle?: { fd?: number } })._handle?.fd;
}

async function closeTty(stream: ReadStream, lock: number, fault: boolean): Promise<void> {
  await closeStream(stream);
  // Closing waits for what the device has not sent yet; a device that has failed would make it wait half a minute.
  if (fault) await asyncFlush(lock).catch(() => {});
  await closeFd(lock);
}
