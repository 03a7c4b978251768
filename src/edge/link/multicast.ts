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
 * Joins a group on every interface that is up, and answers on how many it is joined. Asked again it joins those that
 * came since and leaves the others be, so it can simply be repeated when interfaces may have changed. An IPv6 group
 * with a zone (`ff02::fb%eth0`) is joined on that interface only.
 */
export function joinEverywhere(socket: Socket, host: string): number {
  const [group = host, zone] = host.split('%');
  const transports = interfaceAddresses(isIPv4(group), zone);
  return transports.filter((transport) => join(socket, group, transport)).length;
}

/** Names of the interfaces for the kernel: an IPv4 address of its own, or its zone. */
function interfaceAddresses(v4: boolean, only: string | undefined): string[] {
  const addresses: string[] = [];
  for (const [name, entries = []] of Object.entries(networkInterfaces())) {
    const entry = entries.find(({ family }) => family === (v4 ? 'IPv4' : 'IPv6'));
    if (entry && (only === undefined || only === name)) addresses.push(v4 ? entry.address : `::%${name}`);
  }
  return addresses;
}

/** An interface that cannot be joined now (it is going down, or takes no multicast) is tried again at the next look. */
function join(socket: Socket, group: string, way: string): boolean {
  try {
    socket.addMembership(group, way);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === 'EADDRINUSE';
  }
}
