import { isIP, isIPv6 } from 'node:net';
import { z } from 'zod';

/** A host (an IP address without brackets, or a name) and a port; port 0 lets the system choose. */
export type HostPort = { host: string; port: number };

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const allDigitsAndDots = /^[\d.]+$/;

/** Parses `HOST:PORT`, with IPv6 hosts in brackets (`[::1]:8077`). Returns null for any other text. */
export function parseHostPort(text: string): HostPort | null {
  const parts = /^(?:\[([^\]]*)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  if (parts === null) return null;
  const [, bracketed, plain, digits] = parts;
  const port = Number(digits);
  if (port > 65_535) return null;
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: bracketed, port } : null;
  return plain !== undefined && isHost(plain) ? { host: plain, port } : null;
}

/** Returns true if only the box itself can reach a listening address. */
export function isLoopback(listen: string): boolean {
  const host = parseHostPort(listen)?.host ?? '';
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1' || host === 'localhost';
}

function isHost(text: string): boolean {
  // A text of digits and dots such as 1.2.3.400 is a mistyped address, not a name.
  return allDigitsAndDots.test(text) ? isIP(text) === 4 : hostName.test(text);
}

/** A network in CIDR notation. A single address is a network with the full prefix length. */
export type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' };

export function parseNetwork(text: string): Network | null {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return null;
  const bits = version === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (!(prefix <= bits)) return null;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

const unitBytes: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Parses a size with an optional unit (`20GB`, `512 MiB`, `1048576`) to bytes. Returns null if the text is no size. */
export function parseBytes(text: string): number | null {
  const parts = /^(\d{1,15}(?:\.\d{1,6})?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = unitBytes[parts?.[2]?.toLowerCase() ?? 'none'];
  if (parts === null || unit === undefined) return null;
  const bytes = Math.round(Number(parts[1]) * unit);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

export const hostPort = z
  .string()
  .refine((text) => parseHostPort(text) !== null, 'must be HOST:PORT, for example 127.0.0.1:8077 or [::1]:8077');

export const network = z
  .string()
  .refine((text) => parseNetwork(text) !== null, 'must be an address or a CIDR range, for example 192.168.10.0/24');

export const hostNameField = z
  .string()
  .refine((text) => isHost(text), 'must be a host name without a port, for example dunlin.local')
  .transform((text) => text.toLowerCase());

/**
 * Schema of a size from `least` to `most` bytes, given as a number or as text with a unit. The parsed value is in
 * bytes.
 */
export function byteSize(least: number, most: number) {
  return z
    .union([z.number(), z.string()], { error: 'must be a size, for example 20GB, 512MiB or a number of bytes' })
    .transform((input, context) => {
      const bytes = typeof input === 'number' ? input : parseBytes(input);
      if (bytes !== null && Number.isSafeInteger(bytes) && bytes >= least && bytes <= most) return bytes;
      context.addIssue(
        bytes === null || !Number.isSafeInteger(bytes)
          ? 'must be a size, for example 20GB, 512MiB or a number of bytes'
          : `must be from ${least} to ${most} bytes`,
      );
      return z.NEVER;
    });
}
