import { createSocket, type RemoteInfo, type Socket, type SocketOptions } from 'node:dgram';
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { isIP, isIPv4 } from 'node:net';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { joinHostPort, listenAddress, splitHostPort, unmapped } from './address.ts';
import { Heard, type Sender } from './heard.ts';
import { kernelDrops } from './kernel_drops.ts';
import { ListenPlace } from './listen_place.ts';
import { isGroup, joinEverywhere } from './multicast.ts';
import type { Port, PortEvents, Way } from './port.ts';
import type { Cancel, FullRim } from './rim.ts';
import { sourcesAllowed } from './sources.ts';

/** Asked of the kernel, which gives what its limit (net.core.rmem_max) allows: a second or more of a busy link. */
const receiveBufferBytes = 4 * 1024 * 1024;
/** How often interfaces that came and datagrams that were dropped are looked for. */
const lookEveryMs = 10_000;
/** Writes that may be on their way at once; a datagram waits only while the interface's queue is full. */
const pendingMax = 64;

/** What a UDP link is from its creation on; each opening is a UdpPort on it. */
type UdpSetup = { place: ListenPlace; group: string | null; allowed: (address: string) => boolean; rim: FullRim };

/** A UDP socket that listens on one address, or for a multicast group on every interface. */
export function udpWay(spec: LinkSpec, rim: FullRim): Way {
  const { host, port } = listenAddress(spec);
  const group = isGroup(host) ? host : null;
  // Bound to the group itself an IPv4 socket hears nothing else; for IPv6 that would take one socket an interface.
  const bindTo = group !== null && !isIPv4(host) ? '::' : host;
  const place = new ListenPlace('udp', { host: bindTo, port }, spec.name, rim.claims);
  const setup: UdpSetup = { place, group, allowed: sourcesAllowed(spec), rim };
  return {
    port: (events) => new UdpPort(setup, events, newSocket(setup)),
    claim: () => place.claim(),
    onSilence: 'rebind',
    carrier: 'never',
    warning: null,
  };
}

function newSocket({ place, group }: UdpSetup): Socket {
  const type = isIPv4(place.host) ? 'udp4' : 'udp6';
  return createSocket({ type, reuseAddr: group !== null, lookup: lookupAtOnce });
}

/** An address needs no looking up: asked for one, Node would send it only after all else that waits, writes to the disk among it. */
const lookupAtOnce: NonNullable<SocketOptions['lookup']> = (host, options, callback) => {
  const family = isIP(host);
  if (family === 0) lookup(host, options, callback);
  else callback(null, host, family);
};

class UdpPort implements Port {
  readonly #setup: UdpSetup;
  readonly #events: PortEvents;
  readonly #socket: Socket;
  readonly #v4: boolean;
  readonly #heard = new Heard();
  #binding: Promise<unknown> | null = null;
  #closed = false;
  #nextLook: Cancel | null = null;
  #dropsSeen = 0;
  #pending = 0;

  constructor(setup: UdpSetup, events: PortEvents, socket: Socket) {
    this.#setup = setup;
    this.#events = events;
    this.#socket = socket;
    this.#v4 = isIPv4(setup.place.host);
  }

  async open(): Promise<string> {
    const { place, group } = this.#setup;
    this.#socket.on('message', (bytes, sender) => this.#message(bytes, sender));
    this.#binding = once(this.#socket, 'listening');
    this.#socket.bind({ address: place.host, port: place.port });
    await this.#binding.catch((thrown) => {
      throw place.failure(thrown);
    });
    if (this.#closed) throw new Error(`port ${place.port}/udp was closed while it opened`);
    this.#socket.on('error', (error) => this.#events.lost(place.explain(error)));
    this.#socket.setRecvBufferSize(receiveBufferBytes);
    if (group !== null && joinEverywhere(this.#socket, group) === 0)
      throw new Error(`the group ${group} could not be joined on any network interface`);
    const { address, port } = this.#socket.address();
    place.bound(port);
    this.#lookLater(address, port);
    return joinHostPort(address, port);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#nextLook?.();
    await this.#binding?.catch(() => {});
    await new Promise<void>((resolve) => {
      this.#socket.close(resolve);
    });
  }

  async write(bytes: Uint8Array, to?: string): Promise<number> {
    const receivers = to === undefined ? this.#heard.recent(this.#setup.rim.nowMs()) : [receiverNamed(to)];
    if (receivers.length === 0) throw new Fault('conflict', 'nobody was heard in the last 10 s to send to');
    if (this.#pending >= pendingMax) throw new Fault('conflict', `${pendingMax} former writes have not left yet`);
    this.#pending += 1;
    const sent = await Promise.allSettled(receivers.map((receiver) => this.#send(bytes, receiver)));
    this.#pending -= 1;
    const left = sent.filter(({ status }) => status === 'fulfilled').length;
    const refused = sent.find((result) => result.status === 'rejected');
    if (left === 0 && refused) throw refused.reason;
    return left * bytes.length;
  }

  #message(bytes: Uint8Array, sender: RemoteInfo): void {
    const nowMs = this.#setup.rim.nowMs();
    const from = this.#heard.again(sender.address, sender.port, nowMs) ?? this.#meet(sender, nowMs);
    if (from !== null) this.#events.bytes(bytes, from);
  }

  /** The name of a sender that is not known; null where it may not send here. */
  #meet(sender: Sender, nowMs: number): string | null {
    if (!this.#setup.allowed(sender.address)) {
      this.#events.count('notAllowed', 1);
      return null;
    }
    const from = joinHostPort(sender.address, sender.port);
    const forgotten = this.#heard.meet(from, sender, nowMs);
    if (forgotten !== null) {
      this.#events.count('overLimit', 1);
      this.#events.gone(forgotten);
    }
    return from;
  }

  #send(bytes: Uint8Array, { address, port }: Sender): Promise<void> {
    const host = !this.#v4 && isIPv4(address) ? `::ffff:${address}` : address;
    return new Promise((resolve, reject) => {
      this.#socket.send(bytes, port, host, (error) => {
        if (error) reject(new Error(`${joinHostPort(address, port)}: ${sentenceOf(error)}`));
        else resolve();
      });
    });
  }

  #lookLater(address: string, port: number): void {
    this.#nextLook = this.#setup.rim.timers.after(lookEveryMs, async () => {
      const drops = await kernelDrops(address, port);
      if (this.#closed) return;
      if (this.#setup.group !== null) joinEverywhere(this.#socket, this.#setup.group);
      if (drops > this.#dropsSeen) this.#events.count('kernelDrops', drops - this.#dropsSeen);
      this.#dropsSeen = Math.max(drops, this.#dropsSeen);
      this.#lookLater(address, port);
    });
  }
}

/** Throws `invalid_input` where `to` is not the `address:port` of a datagram's sender. */
function receiverNamed(to: string): Sender {
  const parts = splitHostPort(to);
  if (!parts || isIP(parts.host) === 0 || parts.port === 0)
    throw new Fault('invalid_input', `${JSON.stringify(to)} is not the address:port of a sender`);
  return { address: unmapped(parts.host), port: parts.port };
}
