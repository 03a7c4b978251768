import { createSocket, type RemoteInfo, type SocketOptions } from 'node:dgram';
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { isIP, isIPv4 } from 'node:net';
import { endianness } from 'node:os';
import { conflict, invalidInput, sentenceOf } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { joinHostPort, listenAddress, splitHostPort, unmapped } from './address.ts';
import type { Cancel, FullDeps } from './deps.ts';
import { ListenPlace } from './listen_place.ts';
import { GroupMembership, isGroup } from './multicast.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { ReadPause } from './read_pause.ts';
import { ReceivedSenders, type Sender } from './received_senders.ts';
import { sourcesAllowed } from './sources.ts';
import { writtenToSome } from './stream_writer.ts';

/**
 * Requested size of the receive buffer, bytes: one second or more of a busy link. The kernel grants at most
 * `net.core.rmem_max`.
 */
const receiveBufferBytes = 4 * 1024 * 1024;
/** Interval of the checks for new interfaces and dropped datagrams, ms. */
const lookEveryMs = 10_000;
/** Greatest number of concurrent writes. A datagram waits only while the queue of the interface is full. */
const pendingMax = 64;

/** Settings of a UDP link, which do not change from one opening (`Port`) to the next. */
type UdpSetup = { place: ListenPlace; group: string | null; allowed: (address: string) => boolean; deps: FullDeps };

/** Transport of a UDP socket that listens on one address, or on every interface for a multicast group. */
export function udpTransport(spec: LinkSpec, deps: FullDeps): Transport {
  const { host, port } = listenAddress(spec);
  const group = isGroup(host) ? host : null;
  // An IPv4 socket bound to the group address receives only datagrams of the group. IPv6 would need one such socket for
  // each interface, so it binds to `::`.
  const bindTo = group !== null && !isIPv4(host) ? '::' : host;
  const place = new ListenPlace('udp', { host: bindTo, port }, spec.name, deps.claims);
  const setup = { place, group, allowed: sourcesAllowed(spec), deps };
  return {
    port: (events) => udpPort(setup, events),
    claim: () => place.claim(),
    onSilence: 'rebind',
    carrier: 'never',
    warning: null,
  };
}

/**
 * Name look-up that returns an IP address at once. The look-up of Node.js would queue behind other work of its worker
 * threads, such as disk writes.
 */
const lookupAtOnce: NonNullable<SocketOptions['lookup']> = (host, options, callback) => {
  const family = isIP(host);
  if (family === 0) lookup(host, options, callback);
  else callback(null, host, family);
};

function udpPort({ place, group, allowed, deps }: UdpSetup, events: PortEvents): Port {
  const isV4 = isIPv4(place.host);
  const socket = createSocket({ type: isV4 ? 'udp4' : 'udp6', reuseAddr: group !== null, lookup: lookupAtOnce });
  const membership = group === null ? null : new GroupMembership(socket, group);
  const senders = new ReceivedSenders();
  let binding: Promise<unknown> | null = null;
  let closed = false;
  let nextLook: Cancel | null = null;
  let dropsSeen = 0;
  let pending = 0;
  let pause: ReadPause | null = null;

  function take(bytes: Uint8Array, sender: RemoteInfo): void {
    const nowMs = deps.nowMs();
    pause?.took(bytes.length, nowMs);
    const from = senders.again(sender.address, sender.port, nowMs) ?? meet(sender, nowMs);
    if (from !== null) events.bytes(bytes, from);
  }

  /** Adds a new sender and returns its name; null if `sources_allow` excludes it. */
  function meet(sender: Sender, nowMs: number): string | null {
    if (!allowed(sender.address)) {
      events.count('notAllowed', 1);
      return null;
    }
    const from = joinHostPort(sender.address, sender.port);
    const forgotten = senders.meet(from, sender, nowMs);
    if (forgotten !== null) {
      events.count('overLimit', 1);
      events.gone(forgotten);
    }
    return from;
  }

  function send(bytes: Uint8Array, { address, port }: Sender): Promise<void> {
    const host = !isV4 && isIPv4(address) ? `::ffff:${address}` : address;
    return new Promise((resolve, reject) => {
      socket.send(bytes, port, host, (error) => {
        if (error) reject(new Error(`${joinHostPort(address, port)}: ${sentenceOf(error)}`));
        else resolve();
      });
    });
  }

  function lookLater(address: string, port: number): void {
    nextLook = deps.timers.after(lookEveryMs, async () => {
      const drops = await kernelDrops(address, port);
      if (closed) return;
      membership?.refresh();
      if (drops > dropsSeen) events.count('kernelDrops', drops - dropsSeen);
      dropsSeen = Math.max(drops, dropsSeen);
      lookLater(address, port);
    });
  }

  return {
    async open() {
      socket.on('message', take);
      binding = once(socket, 'listening');
      socket.bind({ address: place.host, port: place.port });
      await binding.catch((thrown) => {
        throw place.failure(thrown);
      });
      if (closed) throw new Error(`port ${place.port}/udp was closed while it opened`);
      socket.on('error', (error) => events.lost(place.explain(error)));
      socket.setRecvBufferSize(receiveBufferBytes);
      pause = new ReadPause(socket, deps);
      if (membership?.refresh() === 0)
        throw new Error(`the group ${group} could not be joined on any network interface`);
      const { address, port } = socket.address();
      place.bound(port);
      lookLater(address, port);
      return joinHostPort(address, port);
    },
    async close() {
      closed = true;
      pause?.end();
      nextLook?.();
      await binding?.catch(() => {});
      await new Promise<void>((resolve) => {
        socket.close(resolve);
      });
    },
    async write(bytes, to) {
      const receivers = to === undefined ? senders.recent(deps.nowMs()) : [receiverNamed(to)];
      if (receivers.length === 0)
        throw conflict('no sender has sent data in the last 10 s, so there is no address to send to');
      if (pending >= pendingMax)
        throw conflict(`the message was not sent: ${pendingMax} earlier messages still wait for the network`);
      pending += 1;
      const writes = receivers.map((receiver) => send(bytes, receiver));
      return writtenToSome(writes, bytes.length).finally(() => {
        pending -= 1;
      });
    },
  };
}

/** Parses `address:port` of a sender. Throws `invalid_input` for any other text. */
function receiverNamed(to: string): Sender {
  const parts = splitHostPort(to);
  if (!parts || isIP(parts.host) === 0 || parts.port === 0)
    throw invalidInput(`${JSON.stringify(to)} does not have the form ADDRESS:PORT`);
  return { address: unmapped(parts.host), port: parts.port };
}

/**
 * Number of datagrams that the kernel dropped on the socket of this address and port, from /proc/self/net; 0 if the
 * socket is not listed. A service with `ProcSubset=pid` has no /proc/net.
 */
async function kernelDrops(address: string, port: number): Promise<number> {
  const table = isIPv4(address) ? '/proc/self/net/udp' : '/proc/self/net/udp6';
  const text = await readFile(table, 'utf8').catch(() => '');
  return dropsIn(text, address, port);
}

/** Sum of the last column (`drops`) over the rows of an address and port, in the text of /proc/net/udp or udp6. */
export function dropsIn(table: string, address: string, port: number): number {
  const local = `${hexWords(addressBytes(address))}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  let drops = 0;
  for (const row of table.split('\n')) {
    const columns = row.trim().split(/\s+/);
    if (columns[1] === local) drops += Number(columns.at(-1)) || 0;
  }
  return drops;
}

/** Formats an address as /proc/net does: words of 32 bits in the byte order of this computer. */
function hexWords(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const word = Buffer.from(bytes.subarray(at, at + 4));
    if (endianness() === 'LE') word.reverse();
    text += word.toString('hex').toUpperCase();
  }
  return text;
}

function addressBytes(address: string): Uint8Array {
  if (isIPv4(address)) return Uint8Array.from(address.split('.'), Number);
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string) => (text ? text.split(':') : []);
  const front = groups(head);
  const back = groups(tail ?? '');
  const words = [...front, ...Array(8 - front.length - back.length).fill('0'), ...back];
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex');
}
