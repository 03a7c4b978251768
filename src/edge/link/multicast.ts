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
 * Memberships of a socket in one multicast group, on every interface that is up. An IPv6 group with a zone
 * (`ff02::fb%eth0`) is joined only on that interface.
 *
 * The kernel keeps memberships of removed interfaces, and limits an IPv4 socket to 20. Memberships of removed
 * interfaces are therefore dropped: else the twentieth replug of a USB network adapter would leave the link open
 * without data.
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

  /** Joins the group on new interfaces and leaves it on removed ones. Returns the number of memberships. */
  refresh(): number {
    const present = interfaceAddresses(isIPv4(this.#group), this.#zone);
    for (const address of this.#joined) if (!present.includes(address)) this.#leave(address);
    for (const address of present) this.#join(address);
    return this.#joined.size;
  }

  /**
   * Joins the group on one interface. An interface that refuses (it is going down, or has no multicast) is retried at
   * the next `refresh`.
   */
  #join(address: string): void {
    const outcome = this.#add(address);
    if (outcome === 'refused') return;
    // `new` for a known address means that another interface has taken over this address since the last call.
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

  /** Drops every membership at an address. */
  #leave(address: string): void {
    this.#joined.delete(address);
    try {
      for (;;) this.#socket.dropMembership(this.#group, address);
    } catch {
      // The error shows that no membership is left.
    }
  }
}

/**
 * Names of the interfaces in the form that the kernel accepts: for IPv4 an address of the interface, for IPv6 its
 * zone. `only` limits the result to one interface.
 */
export function interfaceAddresses(v4: boolean, only: string | undefined): string[] {
  const addresses: string[] = [];
  for (const [name, entries = []] of Object.entries(networkInterfaces())) {
    const entry = entries.find(({ family }) => family === (v4 ? 'IPv4' : 'IPv6'));
    if (entry && (only === undefined || only === name)) addresses.push(v4 ? entry.address : `::%${name}`);
  }
  return addresses;
}
