import { isIPv6 } from 'node:net';

/** Returns the eight 16-bit words of an IPv6 address in any notation. A zone such as `%eth0` is ignored. */
export function wordsOf(address: string): number[] {
  const bare = address.split('%', 1)[0] ?? '';
  // The URL parser also converts an ending in dotted IPv4 notation to words.
  const plain = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const read = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16));
  if (tail === undefined) return read(head);
  const [before, after] = [read(head), read(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/**
 * Returns the key under which addresses count as one sender. For IPv6 this is the /64 network, because one host can use
 * every address of a /64.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  return wordsOf(address)
    .slice(0, 4)
    .map((word) => word.toString(16))
    .join(':');
}
