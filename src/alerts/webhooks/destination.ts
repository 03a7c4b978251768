import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { wordsOf } from '../../model/network.ts';

/** Refusal to send to an address; the message is the reason. */
export class Refused extends Error {}

/**
 * Addresses to which nothing may be sent: metadata services of clouds, multicast, deprecated blocks, and blocks that
 * the special-purpose registries of IANA list as not globally reachable (as of 2025). Blocks of local networks are left
 * out, because webhooks may be there: loopback, private (RFC 1918), shared (100.64.0.0/10), unique local (fc00::/7),
 * local NAT64.
 */
const never = blocks([
  '0.0.0.0/8',
  '100.100.100.200/32', // Alibaba metadata
  '168.63.129.16/32', // Azure metadata
  '169.254.0.0/16', // link-local, most metadata
  '192.0.0.0/24', // protocol assignments, Oracle metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays, deprecated
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/3', // multicast, reserved, broadcast
  '::/128',
  '100::/64', // discard
  '100:0:0:1::/64', // dummy prefix
  '2001::/23', // protocol assignments, except the blocks in `within`
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fd00:ec2::/32', // AWS metadata
  'fd20:ce::254/128', // Google metadata
  'fe80::/10', // link-local
  'fec0::/10', // site-local, deprecated
  'ff00::/8', // multicast
]);

/** Allowed parts of 2001::/23. For a Teredo address, the IPv4 addresses inside are checked instead (`carriedBy`). */
const within = blocks([
  '2001::/32', // Teredo
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:3::/32', // AMT
  '2001:4:112::/48', // AS112
  '2001:20::/28', // ORCHIDv2
  '2001:30::/28', // drone Remote ID (DRIP)
]);

function blocks(prefixes: readonly string[]): BlockList {
  const list = new BlockList();
  for (const prefix of prefixes) {
    const [address = '', bits] = prefix.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function isNever(address: string): boolean {
  const family = familyOf(address);
  return never.check(address, family) && !within.check(address, family);
}

/**
 * Returns the reason why nothing may be sent to an address; null if sending is allowed. Hosts of the local network are
 * allowed. `ownPort` is the port of this service, which must not send to itself; null if unknown.
 */
export function refusalOf(address: string, port: number, ownPort: number | null): string | null {
  if (isIP(address) === 0) return `${address} is not an IP address`;
  for (const reached of [address, ...carriedBy(address)]) {
    if (isNever(reached))
      return `webhooks must not be sent to ${reached}${reached === address ? '' : `, which ${address} contains`}`;
    if (port === ownPort && isOwn(reached))
      return `${reached} port ${port} is this service itself, and a webhook must go to another one`;
  }
  return null;
}

type Resolver = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Returns a lookup function that resolves a name and refuses it if any of its addresses is forbidden. The connection
 * uses exactly the checked addresses, so a second DNS answer cannot bypass the check.
 */
export function checkedLookup(port: number, ownPort: number | null, resolve: Resolver = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const why = error ?? refusalAmong(found, port, ownPort);
      const [first] = found ?? [];
      if (why) callback(why, '', 0);
      else if (options.all) callback(null, found);
      else callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };
}

function refusalAmong(found: readonly LookupAddress[], port: number, ownPort: number | null): Refused | null {
  for (const { address } of found) {
    const why = refusalOf(address, port, ownPort);
    if (why !== null) return new Refused(why);
  }
  return found.length === 0 ? new Refused('the host name has no IP address') : null;
}

function isOwn(address: string): boolean {
  if (address.startsWith('127.') || address === '::1') return true;
  return Object.values(networkInterfaces()).some((held) => held?.some((one) => one.address === address));
}

/**
 * Returns the IPv4 addresses inside an IPv6 address, to which a host, translator or relay may forward. NAT64 prefixes
 * of standards are recognised. NAT64 prefixes that network operators choose cannot be recognised.
 */
function carriedBy(address: string): string[] {
  if (!isIPv6(address)) return [];
  const words = wordsOf(address);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = words;
  const last = ipv4(g, h);
  const beginsWith = (...head: readonly number[]): boolean => head.every((word, i) => words[i] === word);
  // IPv4-mapped (RFC 4291), IPv4-translated (RFC 2765), and IPv4-compatible except ::/112, which contains :: and ::1.
  if (beginsWith(0, 0, 0, 0, 0, 0xffff) || beginsWith(0, 0, 0, 0, 0xffff, 0)) return [last];
  if (beginsWith(0, 0, 0, 0, 0, 0)) return g === 0 ? [] : [last];
  // NAT64 (RFC 6052).
  if (beginsWith(0x64, 0xff9b, 0, 0, 0, 0)) return [last];
  if (beginsWith(0x64, 0xff9b, 1)) return ofLocalNat64(d, e, f, g, last);
  // 6to4 (RFC 3056).
  if (a === 0x2002) return [ipv4(b, c)];
  // Teredo (RFC 4380): the server, and the client with its bits inverted.
  if (beginsWith(0x2001, 0)) return [ipv4(c, d), ipv4(g ^ 0xffff, h ^ 0xffff)];
  // ISATAP (RFC 5214).
  if ((e & 0xfdff) === 0 && f === 0x5efe) return [last];
  return [];
}

/**
 * Returns the possible IPv4 addresses in a NAT64 address of a local network (RFC 8215). The prefix may have 48, 56, 64
 * or 96 bits; the address does not show which. Each length puts the IPv4 address at another position (RFC 6052, 2.2;
 * bits 64 to 71 are skipped). Read with a wrong length, most addresses give 0.x.y.z. Such results are dropped, unless
 * there are no others.
 */
function ofLocalNat64(d: number, e: number, f: number, g: number, last: string): string[] {
  const of48 = ipv4(d, ((e & 0xff) << 8) | (f >> 8));
  const of56 = ipv4(((d & 0xff) << 8) | (e & 0xff), f);
  const of64 = ipv4(((e & 0xff) << 8) | (f >> 8), ((f & 0xff) << 8) | (g >> 8));
  const read = [of48, of56, of64, last];
  const telling = read.filter((one) => !one.startsWith('0.'));
  return telling.length > 0 ? telling : read;
}

function ipv4(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
