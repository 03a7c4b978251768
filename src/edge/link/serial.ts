import { close, closeSync, constants, openSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { asyncFlush, asyncOpen } from '@serialport/bindings-cpp/dist/load-bindings.js';
import { conflict, Fault, invalidInput, sentenceOf } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { type SerialAddress, serialAddress, unstableNameWarning } from './address.ts';
import type { Release } from './claims.ts';
import { closeStream } from './close_stream.ts';
import type { FullDeps, Roots } from './deps.ts';
import { codeOf, explain } from './explain.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { createStreamWriter, type StreamWriter } from './stream_writer.ts';
import { createTurnBudget } from './turn_budget.ts';
import { findUsbTty, usbPortsHere } from './usb.ts';

const closeFd = promisify(close);

/** Open serial device: a stream of its bytes in both directions. */
type Tty = { stream: ReadStream; close(fault: boolean): Promise<void> };

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
 * Opens a serial device raw, 8N1, without flow control and locked (`flock`) against other programs that use such locks.
 *
 * The serialport package sets the line up; the tty stream of Node.js transfers the bytes. The stream of the package is
 * not used, for three measured reasons. It queues writes while closed and sends them after a reopening. After a device
 * has hung up, it repeats the failed read endlessly (serialport/bindings-cpp#162). Every opening leaks its poller,
 * about 2 KB, which is a gigabyte for a radio that is silent for a year.
 *
 * Two descriptors are open: the first holds the lock and the settings, the second belongs to the stream. A single
 * descriptor would lose the lock, because the stream opens the device itself and replaces the descriptor.
 */
async function openTty(path: string, baud: number): Promise<Tty> {
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
    if (!isatty(fd)) throw invalidInput(`${path} is not a serial device`);
    const stream = new ReadStream(fd);
    // The stream opens the tty again, and owns the new descriptor. If the second opening failed, the stream uses `fd`
    // itself.
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
  // Closing waits until the device has sent its buffered bytes. A failed device would delay the close by 30 s, so its
  // buffered bytes are discarded.
  if (fault) await asyncFlush(lock).catch(() => {});
  await closeFd(lock);
}

/** Transport of a serial device, which is located by its name at every opening, since the kernel may renumber it. */
export function serialTransport(spec: LinkSpec, deps: FullDeps): Transport {
  const address = serialAddress(spec);
  return {
    port: (events) => serialPort(spec, address, events, deps),
    claim: () => claimName(spec, address, deps),
    onSilence: 'reopen',
    carrier: 'open',
    warning: unstableNameWarning(spec),
  };
}

/**
 * Locks the device name as the owner wrote it. Throws a `conflict` Fault if the device that now has the name is locked.
 * The device itself is locked only while it is open, since a name may come to refer to another device.
 */
function claimName(spec: LinkSpec, address: SerialAddress, deps: FullDeps): Release {
  const device = currentDevice(address, deps.roots);
  if (device !== null) deps.claims.checkDevice(device);
  return deps.claims.takeDevice(`the name ${spec.address}`, spec.name);
}

function currentDevice(address: SerialAddress, roots: Roots): string | null {
  try {
    return locate(address, roots);
  } catch {
    return null;
  }
}

/**
 * Returns the real path that the device has now. Throws an Error that names a missing device, and `invalid_input` for a
 * path that is no character device.
 */
function locate(address: SerialAddress, roots: Roots): string {
  const path =
    address.by === 'path'
      ? address.path
      : join(roots.dev, findUsbTty(roots.sys, address.vendor, address.product, address.serial));
  try {
    const device = realpathSync(path);
    if (statSync(device).isCharacterDevice()) return device;
  } catch (thrown) {
    const sentence = explain(path, thrown);
    const isGone = codeOf(thrown) === 'ENOENT' && /^\/dev\/(tty(USB|ACM)\d|serial\/)/.test(path);
    throw new Error(isGone ? `${sentence}; ${usbPortsHere(roots.sys)}` : sentence);
  }
  throw invalidInput(`${path} is not a serial device`);
}

function serialPort(spec: LinkSpec, address: SerialAddress, events: PortEvents, deps: FullDeps): Port {
  let opening: Promise<Tty> | null = null;
  let release: Release | null = null;
  let writer: StreamWriter | null = null;
  let closed = false;
  return {
    async open() {
      const device = locate(address, deps.roots);
      release = deps.claims.takeDevice(device, spec.name);
      opening = openTty(device, spec.baud);
      const { stream } = await opening.catch((thrown) => {
        throw openingError(device, thrown);
      });
      if (closed) throw new Error(`${device} was closed while it opened`);
      writer = createStreamWriter(stream, device, deps);
      stream.on('error', (error) => events.lost(explain(device, error)));
      stream.on('end', () => events.lost(`${device} was disconnected`));
      stream.on('close', () => events.lost(`${device} closed`));
      createTurnBudget().read(stream, (bytes) => events.bytes(bytes, ''));
      return device;
    },
    async close(fault) {
      if (closed) return;
      closed = true;
      const tty = await opening?.catch(() => null);
      if (tty) {
        await tty.close(fault);
        events.gone('');
      }
      release?.();
    },
    async write(bytes) {
      if (!writer) throw conflict(`the device ${spec.address} is not open`);
      return writer.write(bytes);
    },
  };
}

function openingError(device: string, thrown: unknown): unknown {
  if (thrown instanceof Fault) return thrown;
  const said = sentenceOf(thrown);
  if (said.includes('Cannot lock port')) return conflict(`${device} is in use by another program`);
  if (said.includes('Inappropriate ioctl')) return invalidInput(`${device} is not a serial device`);
  if (said.includes('Permission denied'))
    return new Error(
      `${device} may not be opened by this program: permission denied (is its user in the group dialout?)`,
    );
  return new Error(explain(device, thrown));
}
