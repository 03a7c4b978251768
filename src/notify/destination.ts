import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { carriedBy } from './carried.ts';

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
  if (isIP(address) === 0) return `${address} is no address`;
  for (const reached of [address, ...carriedBy(address)]) {
    if (never.check(reached, isIP(reached) === 6 ? 'ipv6' : 'ipv4'))
      return `nothing is sent to the address ${reached}${reached === address ? '' : `, which ${address} carries`}`;
    if (port === ownPort && isOwn(reached)) return `${reached} port ${port} is this service itself`;
  }
  return null;
}

type Resolver = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** Finds the addresses of a name and refuses those that are not to be reached: what is checked is what is connected to. */
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
  return found.length === 0 ? new Refused('the name has no address') : null;
}

function isOwn(address: string): boolean {
  if (address.startsWith('127.') || address === '::1') return true;
  return Object.values(networkInterfaces()).some((held) => held?.some((one) => one.address === address));
}
