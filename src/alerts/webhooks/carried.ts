import { isIPv6 } from 'node:net';
import { wordsOf } from '../../model/network.ts';

/**
 * The IPv4 addresses that an IPv6 address may lead to: a host, translator or relay takes them from it. A NAT64 prefix of
 * an operator's own cannot be known; those that standards name are.
 */
export function carriedBy(address: string): string[] {
  if (!isIPv6(address)) return [];
  const words = wordsOf(address);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = words;
  const last = ipv4(g, h);
  const beginsWith = (...head: readonly number[]): boolean => head.every((word, i) => words[i] === word);
  // IPv4-mapped (RFC 4291), IPv4-translated (RFC 2765), and IPv4-compatible, but for :: and ::1.
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
 * NAT64 of a local network (RFC 8215) takes prefixes of 48, 56, 64 or 96 bits, each with another place for the address
 * (RFC 6052, 2.2: bits 64 to 71 are passed over), and does not say which. In the other forms most addresses read as
 * 0.x.y.z, which is no sign of anything.
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
