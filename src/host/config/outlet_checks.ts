import { isIP } from 'node:net';
import { credentialFilesProblem } from '../../model/credentials.ts';
import type { OutletConfig, OutletSpec } from '../../model/outlet.ts';
import { parseHostPort } from './fields.ts';
import { duplicateNames, type RowProblem } from './link_checks.ts';

/** Checks the address of an outlet beyond its schema. Returns the fault, or null. */
export function outletAddressProblem({ transport, address }: Pick<OutletSpec, 'transport' | 'address'>): string | null {
  const place = parseHostPort(address);
  if (place === null) return 'must be HOST:PORT, for example 239.2.3.1:6969 or tak.example:8087';
  if (transport !== 'tcp_server')
    return place.port === 0 ? 'needs the port to send to, from 1 to 65535; received 0' : null;
  const isOwn = isIP(place.host) !== 0 || place.host.toLowerCase() === 'localhost';
  return isOwn ? null : 'must be an IP address of this box to listen on, for example 127.0.0.1:8087';
}

/**
 * Returns all faults of a list of outlets: names, addresses and credential files. A null entry stands for an invalid
 * row.
 */
export function checkOutlets(outlets: readonly (OutletConfig | null)[]): RowProblem[] {
  const problems = duplicateNames('outlets', outlets);
  outlets.forEach((outlet, index) => {
    if (outlet === null) return;
    const sentence = outletAddressProblem(outlet);
    if (sentence !== null) problems.push({ index, key: 'address', sentence });
    const files = credentialFilesProblem(outlet);
    if (files !== null) problems.push({ index, ...files });
  });
  return problems;
}
