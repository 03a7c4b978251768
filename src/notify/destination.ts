import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { wordsOf } from '../model/network.ts';

/** The sentence that says why nothing is sent there. */
export class Refused extends Error {}

/** No endpoint is there: metadata services of clouds, addresses of the link alone, of nobody, of many. */
const never = new BlockList();
never.addSubnet('0.0.0.0', 8, 'ipv4');
never.addSubnet('169.254.0.0', 16, 'ipv4');
never.addSubnet('224.0.0.0', 3, 'ipv4');
never.addAddress('100.100.100.200', 'ipv4');
never.addAddress('::', 'ipv6');
never.addSubnet('fe80::', 10, 'ipv6');
never.addSubnet('ff00::', 8, 'ipv6');
never.addAddress('fd00:ec2::254', 'ipv6');

/**
 * Why nothing may be sent to an address, or null. Hosts of the local network may be named: that is what webhooks are for.
 * `ownPort` is where this service listens itself: nobody is to have it ask itself.
 */
export function refusalOf(address: string, port: number, ownPort: number | null): string | null {
  const plain = embeddedIpv4(address) ?? address;
  const family = isIP(plain);
  if (family === 0) return `${address} is no address`;
  if (never.check(plain, family === 6 ? 'ipv6' : 'ipv4')) return `nothing is sent to the address ${plain}`;
  if (port === ownPort && isOwn(plain)) return `${plain} port ${port} is this service itself`;
  return null;
}

/** Finds the addresses of a name and refuses those that are not to be reached: what is checked is what is connected to. */
export function checkedLookup(port: number, ownPort: number | null): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
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
  return found.length === 0 ? new Refused('the name has no address') : null;
}

/** IPv4 in the clothes of IPv6: mapped, compatible, and of a translator. */
function embeddedIpv4(address: string): string | null {
  if (isIP(address) !== 6) return null;
  const hex = wordsOf(address);
  const [head, low] = [hex.slice(0, 6), hex.slice(6)];
  const zeros = head.slice(0, 5).every((word) => word === 0);
  const isMapped = zeros && (head[5] === 0xffff || (head[5] === 0 && (low[0] ?? 0) !== 0));
  const isTranslated = head[0] === 0x64 && head[1] === 0xff9b && head.slice(2).every((word) => word === 0);
  if (!isMapped && !isTranslated) return null;
  return low.flatMap((word) => [word >> 8, word & 0xff]).join('.');
}

function isOwn(address: string): boolean {
  if (address.startsWith('127.') || address === '::1') return true;
  return Object.values(networkInterfaces()).some((held) => held?.some((one) => one.address === address));
}
