import type { Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { codeOf } from './explain.ts';

/** True for an IP address that is a multicast group: 224.0.0.0/4 (RFC 5771) or ff00::/8 (RFC 4291 section 2.7). */
export function isGroup(host: string): boolean {
  if (!isIPv4(host)) return /^ff[0-9a-f]{2}:/i.test(host);
  const first = Number(host.split('.')[0]);
  return first >= 224 && first <= 239;
}

/**
 * Memberships of a socket in one group, on every interface that is up. An IPv6 group with a zone (`ff02::fb%eth0`) is
 * joined on that interface only.
 *
 * The kernel keeps the membership of an interface that is gone, and allows 20 of one IPv4 socket. Without the removal
 * of these, the twentieth replug of a USB adapter would leave the link open and deaf.
 */
export class GroupMembership {
  readonly #socket: Socket;
  readonly #group: string;
  readonly #zone: string | undefined;
  readonly #joined = new Set<string>();

  constructor(socket: Socket, host: string) {
    const [group = host, zone] = host.split('%');
    this.#socket = socket;
    this.#group = group;
    this.#zone = zone;
  }

  /** Joins interfaces that appeared and leaves those that are gone. Returns the number of interfaces joined. */
  refresh(): number {
    const present = interfaceAddresses(isIPv4(this.#group), this.#zone);
    for (const address of this.#joined) if (!present.includes(address)) this.#leave(address);
    for (const address of present) this.#join(address);
    return this.#joined.size;
  }

  /** An interface that cannot be joined now (it is going down, or takes no multicast) is tried again at the next call. */
  #join(address: string): void {
    const outcome = this.#add(address);
    if (outcome === 'refused') return;
    // A second membership at one address: the interface was replaced by another since the last call.
    if (outcome === 'new' && this.#joined.has(address)) {
      this.#leave(address);
      if (this.#add(address) === 'refused') return;
    }
    this.#joined.add(address);
  }

  #add(address: string): 'new' | 'known' | 'refused' {
    try {
      this.#socket.addMembership(this.#group, address);
      return 'new';
    } catch (thrown) {
      return codeOf(thrown) === 'EADDRINUSE' ? 'known' : 'refused';
    }
  }

  /** Ends every membership at an address. */
  #leave(address: string): void {
    this.#joined.delete(address);
    try {
      for (;;) this.#socket.dropMembership(this.#group, address);
    } catch {
      // None is left.
    }
  }
}

/**
 * Names of the interfaces as the kernel takes them: for IPv4 an address of the interface, for IPv6 its zone.
 */
export function interfaceAddresses(v4: boolean, only: string | undefined): string[] {
  const addresses: string[] = [];
  for (const [name, entries = []] of Object.entries(networkInterfaces())) {
    const entry = entries.find(({ family }) => family === (v4 ? 'IPv4' : 'IPv6'));
    if (entry && (only === undefined || only === name)) addresses.push(v4 ? entry.address : `::%${name}`);
  }
  return addresses;
}
