import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listUsbSerial, type UsbSerial } from '../../edge/link/usb.ts';
import type { LinkSpec } from '../../model/link.ts';
import { type Finding, ok } from './finding.ts';
import { servedReceivers, usbReceivers } from './known_receivers.ts';

/** Trees of the kernel, which tests replace. */
type Trees = { sys: string; proc: string };

/** Receivers at the box that no link reads, each with the switches that would read it. Nothing is opened or dialled. */
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

/** The first port of each device: the others of an autopilot carry other things. */
function firstPorts(ports: readonly UsbSerial[]): UsbSerial[] {
  return ports.filter((port, index) => ports.findIndex(({ device }) => device === port.device) === index);
}

/** A serial number that a person may copy into a shell. */
const plain = /^[\w.-]{1,60}$/;
const addressOf = ({ vendor, product, serial }: UsbSerial): string =>
  `usb:${vendor}:${product}${serial === null || !plain.test(serial) ? '' : `:${serial}`}`;

/** Whether an address of a link is that of a port. A name below /dev/serial/by-id has the serial of the device. */
function isPort(address: string, { tty, vendor, product, serial }: UsbSerial): boolean {
  if (address === `/dev/${tty}`) return true;
  if (address.startsWith('usb:')) return address.toLowerCase().startsWith(`usb:${vendor}:${product}`);
  return serial !== null && serial.length >= LEAST_SERIAL && address.includes(serial);
}

/** Length from which a serial number is one, and not part of a name by chance. */
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

/** TCP ports on which a program of the box listens; none where the kernel does not tell. */
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
