import { BlockList, isIP } from 'node:net';
import { Fault } from '../model/fault.ts';

/** An IPv4 address that came over an IPv6 socket as the IPv4 address it is; a zone (`%eth0`) is taken off. */
export function plainAddress(address: string): string {
  const bare = address.split('%', 1)[0] ?? '';
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
}

/** Verdicts remembered: each request asks, and looking through the lists takes long. */
const MOST_KNOWN = 1_000;

/** Whether an address is in one of the networks. Throws `invalid_input` for a network that is not in CIDR form. */
export function createNetworks(cidrs: readonly string[]): (address: string) => boolean {
  // Two lists: one alone would take an IPv4 address for the IPv6 address that it maps to.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const cidr of cidrs) {
    const [network = '', prefix = '', ...rest] = cidr.split('/');
    const version = isIP(network);
    const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (version === 0 || rest.length > 0 || !(bits <= (version === 4 ? 32 : 128))) {
      throw new Fault('invalid_input', `'${cidr}' is not a network in CIDR form, for example 192.168.1.0/24`);
    }
    const family = version === 4 ? 'ipv4' : 'ipv6';
    lists[family].addSubnet(network, bits, family);
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
