import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { explain } from '../../edge/link/explain.ts';
import { isGroup } from '../../edge/link/multicast.ts';
import { parseHostPort } from '../../host/config.ts';
import type { OutletSpec } from '../../model/outlet.ts';
import { type Finding, ok, unknown, warning } from './finding.ts';
import { tryConnect } from './way_checks.ts';

/** Checks whether the destinations of enabled outlets can be reached. */
export function checkOutlets(outlets: readonly OutletSpec[]): Promise<Finding[]> {
  return Promise.all(outlets.filter(({ enabled }) => enabled).map(checkOutlet));
}

async function checkOutlet({ name, transport, address, interface: only }: OutletSpec): Promise<Finding> {
  const check = `outlet ${name}`;
  const place = parseHostPort(address);
  if (place === null) return warning(check, `${address} is not HOST:PORT`, 'correct the address of the outlet');
  if (transport === 'tcp_server')
    return unknown(check, `${address}: only the running daemon listens there, so it is not checked`);
  if (transport === 'tcp_client' || transport === 'tls_client') {
    const refused = await tryConnect(place.host, place.port);
    if (refused === null) return ok(check, `${address} takes connections`);
    return warning(check, refused, 'start the server there, or check the network; the outlet keeps trying to connect');
  }
  if (isGroup(place.host)) return checkRoute(check, address, only);
  if (isIP(place.host) !== 0) return ok(check, `${address}: datagrams are sent; nothing confirms their arrival`);
  try {
    const found = await lookup(place.host);
    return ok(check, `${address} is ${found.address}; datagrams are sent and nothing confirms their arrival`);
  } catch (thrown) {
    return warning(check, explain(place.host, thrown), 'name the receiver by its IP address, or correct the name');
  }
}

/**
 * Checks an outlet to a multicast group. The outlet sends on the interface `only`, or on each interface that is up if
 * `only` is null. Other machines get the datagrams only if at least one of these interfaces is not the loopback.
 */
function checkRoute(check: string, address: string, only: string | null): Finding {
  const up = Object.entries(networkInterfaces()).filter(([name]) => only === null || name === only);
  const outside = up.filter(([, entries = []]) => entries.some(({ internal }) => !internal)).map(([name]) => name);
  if (outside.length > 0) return ok(check, `datagrams to ${address} are sent on ${outside.join(', ')}`);
  const advice = 'ip link set NAME up, give the interface an address, then run this check again';
  if (only !== null && up.length === 0) return warning(check, `the interface ${only} is not up`, advice);
  return warning(check, `${address}: no network interface is up, so only this computer receives the group`, advice);
}
