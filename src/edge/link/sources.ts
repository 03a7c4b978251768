import { BlockList, isIP, isIPv4 } from 'node:net';
import { invalidInput } from '../../model/fault.ts';
import { unmapped } from './address.ts';
import type { LinkPlace } from './link.ts';

/**
 * Number of cached verdicts at which the cache is emptied. An uncached check takes microseconds, and a flood comes from
 * few addresses.
 */
const rememberedMax = 1024;

/**
 * Creates the check of `sources_allow`. The check returns whether an address may send to this link. An empty list
 * allows all addresses. Throws `invalid_input` if an entry is neither an address nor a CIDR range.
 */
export function sourcesAllowed(spec: Pick<LinkPlace, 'name' | 'sources_allow'>): (address: string) => boolean {
  if (spec.sources_allow.length === 0) return () => true;
  const list = new BlockList();
  for (const entry of spec.sources_allow) addEntry(list, entry, spec.name);
  const remembered = new Map<string, boolean>();
  return (address) => {
    const known = remembered.get(address);
    if (known !== undefined) return known;
    if (remembered.size >= rememberedMax) remembered.clear();
    const bare = unmapped(address).split('%')[0] ?? '';
    const allowed = list.check(bare, isIPv4(bare) ? 'ipv4' : 'ipv6');
    remembered.set(address, allowed);
    return allowed;
  };
}

function addEntry(list: BlockList, entry: string, link: string): void {
  const [, name = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const address = unmapped(name);
  const version = isIP(address);
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (version === 0 || address.includes('%') || Number(bits ?? 0) > (version === 4 ? 32 : 128))
    throw invalidInput(
      `link '${link}': sources_allow entry ${JSON.stringify(entry)} is not an address or a CIDR range such as 192.168.1.0/24`,
    );
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}
