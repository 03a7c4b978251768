import { isIP, isIPv6 } from 'node:net';
import { hostNameField, type Network, parseNetwork } from '../../host/config.ts';
import { createNetworks } from '../../http/network.ts';
import { wordsOf } from '../../model/network.ts';
import { wrongUse } from '../arguments.ts';

/** Name and addresses at which consoles reach the box, and the networks of the consoles, without host bits. */
export type Opening = { name: string; addresses: readonly string[]; networks: readonly string[] };

const notOfOneBox = createNetworks(['127.0.0.0/8', '0.0.0.0/8', '224.0.0.0/3', '::/127', 'ff00::/8']);

/** Checks the values of the flags. Throws a Fault of wrong use that names the wrong flag. */
export function readOpening(name: string, addresses: readonly string[], networks: readonly string[]): Opening {
  const read = networks.map(readNetwork);
  const own = addresses.map(readAddress);
  for (const address of own) {
    if (createNetworks(read)(address)) continue;
    const given = read.join(', ');
    throw wrongUse(
      `--network ${given} does not contain ${address}: name the network of the consoles and of this address`,
    );
  }
  return { name: readName(name), addresses: [...new Set(own)], networks: withoutNested(read) };
}

function readName(text: string): string {
  const name = text.replace(/\.$/, '');
  const isName = isIP(name) === 0 && name.split('.').every((label) => label.length <= 63);
  const read = hostNameField.safeParse(name);
  if (isName && read.success) return read.data;
  throw wrongUse(`--name ${shown(text)} is not a host name, such as dunlin.local`);
}

function readAddress(text: string): string {
  if (isIP(text) === 0 || text.includes('%')) throw wrongUse(`--address ${shown(text)} is not an IP address`);
  const address = isIPv6(text) ? compressed(wordsOf(text)) : text;
  if (notOfOneBox(address))
    throw wrongUse(`--address ${address} is not an address at which consoles can reach this box`);
  return address;
}

function readNetwork(text: string): string {
  const network = text.includes('/') ? parseNetwork(text) : null;
  if (network === null)
    throw wrongUse(`--network ${shown(text)} is not a network in CIDR form, such as 192.168.77.0/24`);
  if (network.prefix === 0)
    throw wrongUse(`--network ${text} contains every address: name only the network of the consoles`);
  return withoutHostBits(network);
}

/** Returns the first 80 characters of a text for a message; control characters below U+0020 are escaped. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

function withoutHostBits({ address, prefix, family }: Network): string {
  const [width, words] = family === 'ipv4' ? [8, address.split('.').map(Number)] : [16, wordsOf(address)];
  const kept = words.map((word, index) => {
    const bits = Math.min(width, Math.max(0, prefix - index * width));
    return word & ~(2 ** (width - bits) - 1);
  });
  return `${family === 'ipv4' ? kept.join('.') : compressed(kept)}/${prefix}`;
}

/** Returns the canonical notation of an IPv6 address, as Node's URL parser writes it. */
function compressed(words: readonly number[]): string {
  return new URL(`http://[${words.map((word) => word.toString(16)).join(':')}]/`).hostname.slice(1, -1);
}

/** Leaves out networks that are inside another network, because nft refuses sets with overlapping members. */
export function withoutNested(networks: readonly string[]): string[] {
  return [...new Set(networks)].filter((network, _, all) => !all.some((other) => liesIn(network, other)));
}

function liesIn(network: string, other: string): boolean {
  const [base = '', bits] = network.split('/');
  const [, otherBits] = other.split('/');
  return network !== other && Number(otherBits) <= Number(bits) && createNetworks([other])(base);
}
