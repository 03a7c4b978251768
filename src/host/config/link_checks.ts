import { credentialFilesProblem, tlsProblem } from '../../model/credentials.ts';
import type { LinkConfig, LinkSpec } from '../../model/link.ts';
import { optionProblems } from '../../model/link_options.ts';
import { isLoopback, parseHostPort, parseNetwork } from './fields.ts';

/** A fault in the key `key` of the entry at `index` of a list, for example of links or sensors. */
export type RowProblem = { index: number; key: string; sentence: string };

const usbId = /^usb:[0-9a-f]{4}:[0-9a-f]{4}(:[^:]{1,120})?$/i;

/** Checks the address of a link beyond its schema. Returns the fault, or null. */
export function addressProblem(link: LinkSpec): string | null {
  switch (link.transport) {
    case 'serial':
      return link.address.startsWith('/') || usbId.test(link.address)
        ? null
        : 'must be a device path (/dev/serial/by-id/…) or usb:VID:PID[:SERIAL]';
    case 'unix':
      return link.address.startsWith('/')
        ? null
        : 'must be the absolute path of a socket, such as /run/dunlin-radio/wlan1.sock';
    case 'file':
      return null;
    default: {
      const address = parseHostPort(link.address);
      if (address === null) return 'must be HOST:PORT, for example 0.0.0.0:14550 or [::]:14550';
      if (isDialled(link) && address.port === 0) return 'needs the port to connect to, from 1 to 65535; received 0';
      return null;
    }
  }
}

function isDialled({ transport }: LinkSpec): boolean {
  return transport === 'tcp_client' || transport === 'tls_client';
}

/** Returns a fault if a link requires signatures although its protocol is not MAVLink, else null. */
export function signingProblem({ signing, protocol }: LinkSpec): string | null {
  return signing === 'required' && protocol !== 'mavlink'
    ? `must be none: messages of the protocol ${protocol} cannot be signed`
    : null;
}

/** Possible transports by protocol. A protocol that is not listed works over all transports. */
const transportsOf: Partial<Record<LinkSpec['protocol'], readonly LinkSpec['transport'][]>> = {
  capture: ['unix', 'tcp_client', 'tls_client', 'tcp_server', 'file'],
  hci_h4: ['serial', 'tcp_client', 'tls_client', 'file'],
  sniffle: ['serial', 'tcp_client', 'tls_client', 'file'],
  sapient: ['tcp_server', 'tcp_client', 'tls_client'],
  asterix: ['udp', 'tcp_client', 'tls_client', 'tcp_server', 'file'],
  mqtt: ['tcp_client', 'tls_client'],
  cot: ['udp', 'tcp_client', 'tls_client', 'tcp_server'],
};

/** Returns a fault if the protocol of a link does not work over its transport, else null. */
export function protocolProblem({ protocol, transport }: Pick<LinkSpec, 'protocol' | 'transport'>): string | null {
  const possible = transportsOf[protocol];
  if (possible === undefined || possible.includes(transport)) return null;
  return `${protocol} does not work over ${transport}: use ${possible.join(', ')}`;
}

/** Port or device that an enabled link uses exclusively. Two links with overlapping claims cannot both open. */
type Claim = { kind: 'udp' | 'tcp' | 'device'; host: string; port: number; owner: string };

function claimOf(link: LinkSpec): Claim | null {
  if (!link.enabled || ['file', 'tcp_client', 'tls_client', 'unix'].includes(link.transport)) return null;
  const owner = `link ${link.name}`;
  if (link.transport === 'serial') return { kind: 'device', host: link.address, port: 1, owner };
  const address = parseHostPort(link.address);
  return address === null ? null : { kind: link.transport === 'udp' ? 'udp' : 'tcp', ...address, owner };
}

const wildcard = new Set(['0.0.0.0', '::']);

function overlap(a: Claim, b: Claim): boolean {
  if (a.kind !== b.kind || a.port !== b.port || a.port === 0) return false;
  if (a.kind === 'device') return a.host === b.host;
  return a.host === b.host || wildcard.has(a.host) || wildcard.has(b.host);
}

/** Returns the faults of a link in its TLS settings and its credential files. */
function tlsProblems(link: LinkConfig): Omit<RowProblem, 'index'>[] {
  const checks = tlsProblem(link);
  const files = credentialFilesProblem(link);
  return [...(checks === null ? [] : [{ key: 'tls', sentence: checks }]), ...(files === null ? [] : [files])];
}

/**
 * Returns all faults of a list of links. Checks each link by itself, then against the other links: no two may have the
 * same name, and no two enabled ones the same port or device. The port of `listen` is also taken. A null entry stands
 * for a link with an invalid row.
 */
export function checkLinks(links: readonly (LinkConfig | null)[], listen: string): RowProblem[] {
  const problems: RowProblem[] = duplicateNames('links', links);
  const claims: Claim[] = [];
  const service = parseHostPort(listen);
  if (service !== null) claims.push({ kind: 'tcp', ...service, owner: 'http.listen' });
  links.forEach((link, index) => {
    if (link === null) return;
    const address = addressProblem(link);
    if (address !== null) problems.push({ index, key: 'address', sentence: address });
    link.sources_allow.forEach((source, i) => {
      if (parseNetwork(source) !== null) return;
      problems.push({ index, key: `sources_allow.${i}`, sentence: 'must be an address or a CIDR range' });
    });
    const signing = signingProblem(link);
    if (signing !== null) problems.push({ index, key: 'signing', sentence: signing });
    const protocol = protocolProblem(link);
    if (protocol !== null) problems.push({ index, key: 'protocol', sentence: protocol });
    for (const { key, sentence } of optionProblems(link.protocol, link.options))
      problems.push({ index, key: `options.${key}`, sentence });
    problems.push(...tlsProblems(link).map((found) => ({ index, ...found })));
    const claim = claimOf(link);
    if (claim === null) return;
    const taken = claims.find((other) => overlap(other, claim));
    if (taken === undefined) claims.push(claim);
    else problems.push({ index, key: 'address', sentence: `${link.address} is already taken by ${taken.owner}` });
  });
  return problems;
}

/** Returns a fault for each row that has the name of an earlier row of the same list, such as `links`. */
export function duplicateNames(list: string, rows: readonly ({ name: string } | null)[]): RowProblem[] {
  const first = new Map<string, number>();
  const problems: RowProblem[] = [];
  rows.forEach((row, index) => {
    if (row === null) return;
    const earlier = first.get(row.name);
    if (earlier === undefined) first.set(row.name, index);
    else problems.push({ index, key: 'name', sentence: `${row.name} is already the name of ${list}.${earlier}` });
  });
  return problems;
}

/** Returns warnings about valid links. A device name may change at a reboot, or commands may go to any sender. */
export function linkWarnings(links: readonly (LinkSpec | null)[]): RowProblem[] {
  const warnings: RowProblem[] = [];
  links.forEach((link, index) => {
    if (link === null) return;
    if (link.transport === 'serial' && /^\/dev\/tty(USB|ACM)\d+$/.test(link.address)) {
      const sentence = `${link.address} is not a stable name; use /dev/serial/by-id/… or usb:VID:PID[:SERIAL]`;
      warnings.push({ index, key: 'address', sentence });
    }
    if (link.command === 'allow' && opensToAnyone(link)) {
      const sentence =
        'commands are sent to every sender that reaches this address: list the allowed senders in sources_allow';
      warnings.push({ index, key: 'command', sentence });
    }
  });
  return warnings;
}

function opensToAnyone(link: LinkSpec): boolean {
  if (link.transport !== 'udp' && link.transport !== 'tcp_server') return false;
  if (link.sources_allow.length > 0 || link.signing === 'required') return false;
  return !isLoopback(link.address);
}
