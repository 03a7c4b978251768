import { isIP, isIPv4, SocketAddress } from 'node:net';
import { isAbsolute } from 'node:path';
import { invalidInput } from '../../model/fault.ts';
import type { LinkPlace } from './link.ts';

/** Address that a socket listens on or dials; an IPv6 `host` is without brackets. */
export type HostPort = { host: string; port: number };

export type SerialAddress =
  | { by: 'path'; path: string }
  | { by: 'usb'; vendor: string; product: string; serial: string | null };

const bracketed = /^\[([^[\]\s]+)\]:(\d{1,5})$/;
const plain = /^([^:[\]\s]+):(\d{1,5})$/;
const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i;
const usbName = /^usb:([0-9a-f]{4}):([0-9a-f]{4})(?::(.+))?$/i;
const unstableName = /^\/dev\/tty(USB|ACM)\d+$/;

function refuse(spec: Pick<LinkPlace, 'name' | 'address'>, expected: string): never {
  throw invalidInput(`link '${spec.name}': address ${JSON.stringify(spec.address)} is not ${expected}`);
}

/** Splits `HOST:PORT` or `[IPV6]:PORT`; null for any other text and for a port above 65,535. */
export function splitHostPort(text: string): HostPort | null {
  const match = bracketed.exec(text) ?? plain.exec(text);
  const host = match?.[1];
  const port = Number(match?.[2]);
  if (host === undefined || port > 65_535) return null;
  if (text.startsWith('[') !== (isIP(host) === 6)) return null;
  return { host, port };
}

/** Formats an address and a port as in `from` of a chunk. An IPv4 address mapped into IPv6 is written as IPv4. */
export function joinHostPort(address: string, port: number): string {
  const host = unmapped(address);
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Returns the IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`); returns other addresses
 * unchanged.
 */
export function unmapped(address: string): string {
  const inner = address.slice(7);
  return /^::ffff:/i.test(address) && isIPv4(inner) ? inner : address;
}

/** Parses the address on which a UDP or TCP link listens; port 0 lets the kernel choose. Throws `invalid_input`. */
export function listenAddress(spec: Pick<LinkPlace, 'name' | 'address'>): HostPort {
  const expected = 'HOST:PORT with an IP address to listen on, such as 0.0.0.0:14550 or [::]:14550';
  const parts = splitHostPort(spec.address);
  if (!parts) return refuse(spec, expected);
  const host = parts.host.toLowerCase() === 'localhost' ? '127.0.0.1' : parts.host;
  if (isIP(host) === 0) return refuse(spec, expected);
  return { host: canonical(host), port: parts.port };
}

/**
 * Parses the address that a TCP or TLS link connects to, or that a UDP outlet sends to. Port 0 is refused. Throws
 * `invalid_input`.
 */
export function dialAddress(spec: Pick<LinkPlace, 'name' | 'address'>): HostPort {
  const expected = 'HOST:PORT to dial, such as 192.168.1.20:30003 or receiver.local:30003';
  const parts = splitHostPort(spec.address);
  if (!parts || parts.port === 0) return refuse(spec, expected);
  const misspelt = /^[\d.]+$/.test(parts.host) && !isIPv4(parts.host);
  if (misspelt || (isIP(parts.host) === 0 && !hostName.test(parts.host))) return refuse(spec, expected);
  return parts;
}

/** Parses the name of a serial device: a path, or the USB ids of the adapter. Throws `invalid_input`. */
export function serialAddress(spec: Pick<LinkPlace, 'name' | 'address'>): SerialAddress {
  const usb = usbName.exec(spec.address);
  if (usb?.[1] && usb[2])
    return { by: 'usb', vendor: usb[1].toLowerCase(), product: usb[2].toLowerCase(), serial: usb[3] ?? null };
  if (!isAbsolute(spec.address) || spec.address.includes('\0'))
    return refuse(
      spec,
      'a serial device: /dev/serial/by-id/…, usb:VID:PID[:SERIAL] (four hex digits each) or a device path',
    );
  return { by: 'path', path: spec.address };
}

/** Longest path of a Unix socket, bytes: `sun_path` of unix(7) has 108 including its NUL. */
const LONGEST_SOCKET_PATH = 107;

/** Returns the path of the socket that a Unix link connects to. Throws `invalid_input`. */
export function socketPath(spec: Pick<LinkPlace, 'name' | 'address'>): string {
  const { address } = spec;
  const isPath = isAbsolute(address) && !address.includes('\0') && Buffer.byteLength(address) <= LONGEST_SOCKET_PATH;
  if (!isPath) return refuse(spec, `the absolute path of a socket, at most ${LONGEST_SOCKET_PATH} bytes long`);
  return address;
}

/** Returns the path of a file or FIFO. Throws `invalid_input`. */
export function filePath(spec: Pick<LinkPlace, 'name' | 'address'>): string {
  if (spec.address.includes('\0')) return refuse(spec, 'a path: it contains a NUL character');
  return spec.address;
}

/** Warning about a device name that may refer to another device after a replug; null for a stable name. */
export function unstableNameWarning(spec: Pick<LinkPlace, 'name' | 'address'>): string | null {
  if (!unstableName.test(spec.address)) return null;
  return `${spec.address} may be another device after a restart or replug; name it by /dev/serial/by-id/… or usb:VID:PID[:SERIAL]`;
}

/** Normalises the spelling of an IP address, so that `0:0::0` and `::` compare equal. Keeps a zone (`%eth0`). */
function canonical(host: string): string {
  if (isIPv4(host)) return host;
  const [address = host, zone] = host.split('%');
  const spelt = new SocketAddress({ address, family: 'ipv6' }).address;
  return zone === undefined ? spelt : `${spelt}%${zone}`;
}
