import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SerialPort } from 'serialport';
import { codeOf } from '../../edge/link/explain.ts';
import { type Fault, invalidInput, sentenceOf, unavailable } from '../../model/fault.ts';
import { openUnixTarget } from './unix_target.ts';

/**
 * Destination of frames. `send` resolves when the bytes have left this process, or are lost because no link is
 * connected to a Unix socket. It rejects with a Fault.
 */
export type Target = {
  send(bytes: Uint8Array): Promise<void>;
  /**
   * Closes the target. Resolves with true if it is known that nobody received the last bytes: no program listened at a
   * UDP target, or no link was connected to a Unix socket.
   */
  close(): Promise<boolean>;
};

export type TargetOptions = {
  /** Speed of a serial port, baud. */
  baud?: number;
  /** Called once with a sentence if no program listens at a UDP target. The replay continues. */
  onRefused?: (sentence: string) => void;
  /** Called with a sentence if the target waits for a link to connect. */
  onWaiting?: (sentence: string) => void;
  /** Aborts the wait of a Unix socket for a link to connect. */
  signal?: AbortSignal;
  /** Returns the answer to bytes that a serial port receives. If absent, received bytes are discarded. */
  answer?: (bytes: Uint8Array) => Uint8Array;
};

type SocketAddress = { kind: 'udp' | 'tcp'; host: string; port: number; text: string };
type PathAddress<Kind> = { kind: Kind; path: string; text: string };
type TargetAddress = SocketAddress | PathAddress<'serial'> | PathAddress<'unix'>;

export const DEFAULT_TARGET = 'udp://127.0.0.1:14550';

/**
 * Parses `udp://HOST:PORT`, `tcp://HOST:PORT` (IPv6 in brackets), `serial:PATH` or `unix:PATH`. Throws an
 * `invalid_input` Fault for any other text.
 */
export function parseTarget(text: string): TargetAddress {
  const [, kind, path] = /^(serial|unix):(.+)$/.exec(text) ?? [];
  if (path !== undefined) return kind === 'unix' ? { kind, path, text } : { kind: 'serial', path, text };
  const socket = /^(udp|tcp):\/\/(?:\[([0-9a-f:.]+(?:%\w+)?)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(text);
  const host = socket?.[2] ?? socket?.[3];
  const port = Number(socket?.[4]);
  if (host === undefined) {
    throw invalidInput(`--to must be udp://HOST:PORT, tcp://HOST:PORT, serial:PATH or unix:PATH, not '${text}'`);
  }
  if (port < 1 || port > 65_535) throw invalidInput(`the port of '${text}' must be from 1 to 65535`);
  return { kind: socket?.[1]?.toLowerCase() === 'tcp' ? 'tcp' : 'udp', host, port, text };
}

/** Opens a target. Rejects with the Fault of `parseTarget`, or with `unavailable` if the target cannot be reached. */
export async function openTarget(text: string, options: TargetOptions = {}): Promise<Target> {
  const address = parseTarget(text);
  if (address.kind === 'unix') return openUnixTarget(address.path, options);
  if (address.kind === 'serial') return openSerialTarget(address.path, options);
  return address.kind === 'udp' ? openUdpTarget(address, options.onRefused) : openTcpTarget(address);
}

/**
 * Opens a target that sends one UDP datagram per frame. The host name is resolved once. A missing listener is no fault,
 * as with real transmitters, but it is reported: the socket is connected, so the kernel passes on ICMP errors.
 */
async function openUdpTarget(to: SocketAddress, onRefused?: (sentence: string) => void): Promise<Target> {
  const found = await lookup(to.host).catch((thrown) => {
    throw unavailable(`cannot resolve the host name of ${to.text}: ${sentenceOf(thrown)}`, { cause: thrown });
  });
  const socket = createSocket(found.family === 6 ? 'udp6' : 'udp4');
  let broken: Fault | null = null;
  let wasRefused = false;
  let isReported = false;
  const refused = (thrown: Error): boolean => {
    if (codeOf(thrown) !== 'ECONNREFUSED') return false;
    wasRefused = true;
    if (!isReported) onRefused?.(nothingListens(to));
    isReported = true;
    return true;
  };
  socket.on('error', (thrown) => {
    if (refused(thrown)) return;
    broken ??= unavailable(`cannot send to ${to.text}: ${thrown.message}`, { cause: thrown });
  });
  await new Promise<void>((resolve, reject) => {
    socket.connect(to.port, found.address, (thrown?: Error) => {
      if (!thrown) resolve();
      else reject(unavailable(`cannot send to ${to.text}: ${thrown.message}`, { cause: thrown }));
    });
  });
  const sendOnce = (bytes: Uint8Array): Promise<Error | null> =>
    new Promise((resolve) => socket.send(bytes, (thrown) => resolve(thrown)));
  return {
    async send(bytes) {
      if (broken !== null) throw broken;
      wasRefused = false;
      const failed = await sendOnce(bytes);
      // The kernel reports the ICMP error of an earlier datagram instead of sending this one, so send it again.
      const left = failed !== null && refused(failed) ? await sendOnce(bytes) : failed;
      if (left !== null && !refused(left)) {
        throw unavailable(`cannot send ${bytes.length} bytes to ${to.text}: ${left.message}`);
      }
    },
    async close() {
      // The ICMP error of the last datagram may still arrive.
      await delay(REFUSAL_MS);
      await new Promise<void>((resolve) => socket.close(resolve));
      return wasRefused;
    },
  };
}

const REFUSAL_MS = 50;

function nothingListens({ kind, host, port, text }: SocketAddress): string {
  const transport = kind === 'udp' ? 'udp' : 'tcp_server';
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return `no program listens at ${text}: start the daemon with a link there (--link name=…,transport=${transport},address=${address},protocol=…)`;
}

/** Opens a target that writes frames to a serial port (8N1). `send` resolves when the driver has sent the frame. */
async function openSerialTarget(path: string, { baud = 115_200, answer }: TargetOptions): Promise<Target> {
  const port = new SerialPort({ path, baudRate: baud, autoOpen: false });
  await new Promise<void>((resolve, reject) => {
    port.open((thrown) => {
      if (!thrown) resolve();
      else reject(unavailable(`cannot open serial port ${path}: ${thrown.message}`, { cause: thrown }));
    });
  });
  let broken: Fault | null = null;
  const breakWith = (why: string): Fault => {
    broken ??= unavailable(`serial port ${path} failed: ${why}`);
    return broken;
  };
  port.on('error', (thrown: Error) => breakWith(thrown.message));
  port.on('close', () => breakWith('the device was closed or unplugged'));
  // Received bytes are read even without `answer`: otherwise the driver's buffer would fill.
  port.on('data', (bytes: Buffer) => {
    const back = answer?.(bytes);
    if (back !== undefined && back.length > 0 && port.isOpen) port.write(Buffer.from(back));
  });
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        if (broken !== null) return reject(broken);
        const onClose = (): void => reject(breakWith('the device was closed or unplugged'));
        const settle = (thrown?: Error | null): void => {
          port.off('close', onClose);
          if (thrown) reject(breakWith(thrown.message));
          else resolve();
        };
        port.once('close', onClose);
        port.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), (thrown) => {
          if (thrown) settle(thrown);
          else port.drain(settle);
        });
      }),
    close: () => new Promise((resolve) => (port.isOpen ? port.close(() => resolve(false)) : resolve(false))),
  };
}

const CONNECT_MS = 10_000;
const FLUSH_MS = 2_000;

/** Opens a target that connects by TCP and writes frames. `send` resolves when the kernel has taken the frame. */
async function openTcpTarget(to: SocketAddress): Promise<Target> {
  const socket = await dial(to);
  let broken: Fault | null = null;
  const breakWith = (why: string): void => {
    broken ??= unavailable(`the connection to ${to.text} ended: ${why}`);
  };
  socket.on('error', (thrown) => breakWith(thrown.message));
  socket.on('close', () => breakWith('the other side closed it'));
  // Answers are read and dropped, because unread bytes would hide that the other side has closed the connection.
  socket.resume();
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        if (broken !== null) return reject(broken);
        socket.write(bytes, (thrown) => {
          if (!thrown) return resolve();
          breakWith(thrown.message);
          reject(broken);
        });
      }),
    close: async () => {
      await hangUp(socket);
      return false;
    },
  };
}

function dial(to: SocketAddress): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: to.host, port: to.port, noDelay: true });
    const fail = (why: string): void => {
      socket.destroy();
      reject(unavailable(`cannot connect to ${to.text}: ${why}`));
    };
    // For a name with several addresses, Node's error has one error per address, and its own message is empty.
    const onError = (thrown: NodeJS.ErrnoException): void => {
      socket.destroy();
      if (thrown.code === 'ECONNREFUSED') reject(unavailable(nothingListens(to)));
      else fail(thrown.message || thrown.code || 'no address answered');
    };
    socket.once('error', onError);
    socket.setTimeout(CONNECT_MS, () => fail(`no answer within ${CONNECT_MS / 1000} s`));
    socket.once('connect', () => {
      socket.off('error', onError);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

/**
 * Closes a connection after the written bytes are sent. Waits at most `FLUSH_MS` if the other side has stopped reading.
 */
function hangUp(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) return resolve();
    const impatience = setTimeout(() => socket.destroy(), FLUSH_MS);
    socket.once('close', () => {
      clearTimeout(impatience);
      resolve();
    });
    socket.destroySoon();
  });
}
