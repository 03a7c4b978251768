import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Greatest number of ports that a sentence lists. */
const LISTED = 6;

/** Serial port of a USB device, from the kernel's device tree under /sys. */
export type UsbSerial = { tty: string; device: string; vendor: string; product: string; serial: string | null };

/**
 * Lists the USB serial ports that are plugged in, from `<sys>/class/tty`. The serialport package would run udevadm
 * for this, which a sandboxed daemon may not. Sorted by the path in the device tree, so the ports of one device are
 * in the order of their interface numbers.
 */
export function listUsbSerial(sys: string): UsbSerial[] {
  const root = join(sys, 'class/tty');
  const found: (UsbSerial & { place: string })[] = [];
  for (const tty of existsSync(root) ? readdirSync(root) : []) {
    const place = resolved(join(root, tty, 'device'));
    const device = place && usbDeviceAbove(place);
    if (!device) continue;
    const vendor = attribute(device, 'idVendor') ?? '';
    const product = attribute(device, 'idProduct') ?? '';
    found.push({ tty, place, device, vendor, product, serial: attribute(device, 'serial') });
  }
  found.sort((a, b) => (a.place < b.place ? -1 : 1));
  return found.map(({ place: _, ...port }) => port);
}

/**
 * Returns the tty of the only device that matches. If the device has several ports, this is its first port: autopilots
 * use MAVLink on the first, and the other ports have /dev/serial/by-id names. Throws if no device or more than one
 * matches.
 */
export function findUsbTty(sys: string, vendor: string, product: string, serial: string | null): string {
  const fitting = listUsbSerial(sys).filter(
    (port) => port.vendor === vendor && port.product === product && (serial === null || port.serial === serial),
  );
  const wanted = `usb:${vendor}:${product}${serial === null ? '' : `:${serial}`}`;
  const first = fitting[0];
  if (!first) throw new Error(`${wanted} is not plugged in`);
  const devices = new Set(fitting.map((port) => port.device));
  if (devices.size > 1) {
    const ttys = fitting.map((port) => `/dev/${port.tty} (serial ${port.serial ?? 'none'})`).join(', ');
    throw new Error(
      `${wanted} matches ${devices.size} devices, ${ttys}; add the serial number or use /dev/serial/by-id/…`,
    );
  }
  return first.tty;
}

/** Returns a clause that lists up to `LISTED` USB serial ports that are plugged in, with their `usb:` names. */
export function usbPortsHere(sys: string): string {
  const ports = listUsbSerial(sys).map(({ tty, vendor, product, serial }) => {
    return `/dev/${tty} (usb:${vendor}:${product}${serial === null ? '' : `:${serial}`})`;
  });
  if (ports.length === 0) return 'no USB serial port is plugged in';
  const more = ports.length - LISTED;
  return `plugged in now: ${ports.slice(0, LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function usbDeviceAbove(place: string): string | null {
  for (let at = place; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, 'idVendor'))) return at;
  return null;
}

function resolved(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function attribute(device: string, name: string): string | null {
  try {
    return readFileSync(join(device, name), 'utf8').trim();
  } catch {
    return null;
  }
}
