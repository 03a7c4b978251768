import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listUsbSerial, type UsbSerial } from '../../edge/link/usb.ts';
import type { LinkSpec } from '../../model/link.ts';
import { type Finding, ok } from './finding.ts';
import { servedReceivers, usbReceivers } from './known_receivers.ts';

/** Root folders of sysfs and procfs. Tests replace them. */
type Trees = { sys: string; proc: string };

/**
 * Finds receivers at the box that no link reads, and names the flags of a link that would read them. Opens no device
 * and no connection.
 */
export function checkReceivers(
  links: readonly Pick<LinkSpec, 'transport' | 'address'>[],
  { sys, proc }: Trees = { sys: '/sys', proc: '/proc' },
): Finding[] {
  return [...usbFindings(links, sys), ...servedFindings(links, proc)];
}

function usbFindings(links: readonly Pick<LinkSpec, 'transport' | 'address'>[], sys: string): Finding[] {
  const read = links.filter(({ transport }) => transport === 'serial').map(({ address }) => address);
  return firstPorts(listUsbSerial(sys)).flatMap((port) => {
    const known = usbReceivers.find(
      ({ vendor, product }) => vendor === port.vendor && (product === null || product === port.product),
    );
    if (known === undefined || read.some((address) => isPort(address, port))) return [];
    const lines = known.links.map(
      (link) => `--link name=${port.tty},transport=serial,address=${addressOf(port)},${link}`,
    );
    return [ok(`receiver /dev/${port.tty}`, `${known.what}; no link reads it. To read it: ${lines.join(' or: ')}`)];
  });
}

/** Returns the first serial port of each device. Further ports of an autopilot carry other data. */
function firstPorts(ports: readonly UsbSerial[]): UsbSerial[] {
  return ports.filter((port, index) => ports.findIndex(({ device }) => device === port.device) === index);
}

/** Form of a serial number that a person can copy into a shell without quotes. */
const plain = /^[\w.-]{1,60}$/;
const addressOf = ({ vendor, product, serial }: UsbSerial): string =>
  `usb:${vendor}:${product}${serial === null || !plain.test(serial) ? '' : `:${serial}`}`;

/**
 * Returns true if a link's address names this port, or, after `usb:`, the vendor, product and serial number of its
 * device; an address without a serial number fits each device of its kind. A name in
 * /dev/serial/by-id contains the device's serial number.
 */
function isPort(address: string, { tty, vendor, product, serial }: UsbSerial): boolean {
  if (address === `/dev/${tty}`) return true;
  if (address.startsWith('usb:')) {
    const [, itsVendor, itsProduct, itsSerial] = address.split(':');
    const isKind = itsVendor?.toLowerCase() === vendor && itsProduct?.toLowerCase() === product;
    return isKind && (itsSerial === undefined || itsSerial === serial);
  }
  return serial !== null && serial.length >= LEAST_SERIAL && address.includes(serial);
}

/** Minimum length of a serial number that is searched in names: a shorter one could be part of a name by chance. */
const LEAST_SERIAL = 4;

function servedFindings(links: readonly Pick<LinkSpec, 'transport' | 'address'>[], proc: string): Finding[] {
  const dialled = links.filter(({ transport }) => transport === 'tcp_client').map(({ address }) => address);
  const listening = listeningPorts(proc);
  return servedReceivers.flatMap(({ port, what, link }) => {
    if (!listening.has(port) || dialled.some((address) => address.endsWith(`:${port}`))) return [];
    const line = `--link name=port${port},transport=tcp_client,address=127.0.0.1:${port},${link}`;
    return [ok(`receiver port ${port}`, `a program serves the ${what}; no link reads it. To read it: ${line}`)];
  });
}

/** State of a listening socket in /proc/net/tcp (proc(5)). */
const LISTEN = '0A';

/** Returns the TCP ports on which programs of the box listen. Empty if procfs cannot be read. */
function listeningPorts(proc: string): Set<number> {
  const rows = ['tcp', 'tcp6'].flatMap((name) => linesOf(join(proc, 'net', name)).slice(1));
  const ports = rows.flatMap((row) => {
    const [, local = '', , state] = row.trim().split(/\s+/);
    return state === LISTEN ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
  return new Set(ports);
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}
