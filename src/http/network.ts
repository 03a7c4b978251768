import { BlockList, isIP } from 'node:net';
import { parseNetwork } from '../host/config.ts';
import { invalidInput } from '../model/fault.ts';

/**
 * Converts an address to its plain form. An IPv4 address that arrived over an IPv6 socket becomes IPv4, and a zone such
 * as `%eth0` is removed.
 */
export function plainAddress(address: string): string {
  const bare = address.split('%', 1)[0] ?? '';
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
}

/** Limit of the cached results. They are cached because every request needs one, and searching the lists is slow. */
const MOST_KNOWN = 1_000;

/**
 * Returns a function that tests whether an address is in one of the networks. A single address is a network of one.
 * Throws `invalid_input` for any other text.
 */
export function createNetworks(cidrs: readonly string[]): (address: string) => boolean {
  // IPv4 and IPv6 need separate lists, because one list would treat an IPv4 address like the IPv6 address to which it
  // maps.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const cidr of cidrs) {
    const network = parseNetwork(cidr);
    if (network === null) {
      throw invalidInput(`'${cidr}' is not an address or a CIDR range, for example 192.168.1.0/24`);
    }
    lists[network.family].addSubnet(network.address, network.prefix, network.family);
  }
  const verdictOf = (address: string): boolean => {
    const plain = plainAddress(address);
    const version = isIP(plain);
    if (version === 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    return lists[family].check(plain, family);
  };
  const known = new Map<string, boolean>();
  return (address) => {
    let verdict = known.get(address);
    if (verdict !== undefined) return verdict;
    if (known.size >= MOST_KNOWN) known.clear();
    verdict = verdictOf(address);
    known.set(address, verdict);
    return verdict;
  };
}
