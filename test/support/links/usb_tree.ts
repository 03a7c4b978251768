import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export type UsbPort = { tty: string; port: string; ids?: [vendor: string, product: string, serial?: string] };

/** A tree as the kernel shows it: class links, and attributes on the USB device above the interface. */
export function usbTree(root: string, ports: UsbPort[]): string {
  mkdirSync(join(root, 'class/tty'), { recursive: true });
  for (const { tty, port, ids } of ports) {
    const place = join(root, 'devices/pci0000:00/usb1', port);
    mkdirSync(place, { recursive: true });
    const usbDevice = dirname(place);
    if (ids) {
      writeFileSync(join(usbDevice, 'idVendor'), `${ids[0]}\n`);
      writeFileSync(join(usbDevice, 'idProduct'), `${ids[1]}\n`);
      if (ids[2]) writeFileSync(join(usbDevice, 'serial'), `${ids[2]}\n`);
    }
    const classEntry = join(root, 'class/tty', tty);
    mkdirSync(classEntry);
    symlinkSync(relative(classEntry, place), join(classEntry, 'device'));
  }
  mkdirSync(join(root, 'class/tty/tty0'));
  return root;
}
