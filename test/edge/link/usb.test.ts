import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import t from 'tap';
import { findUsbTty, listUsbSerial } from '../../../src/edge/link/usb.ts';

type Given = { tty: string; port: string; ids?: [vendor: string, product: string, serial?: string] };

/** A tree as the kernel shows it: class links, and attributes on the USB device above the interface. */
function tree(root: string, ports: Given[]): string {
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

const cp2102: Given = { tty: 'ttyUSB3', port: '1-2/1-2:1.0', ids: ['10c4', 'ea60', '0001'] };

t.test('a device is found by vendor and product, whatever its number is', async (t) => {
  const sys = tree(t.testdir(), [cp2102, { tty: 'ttyS0', port: 'serial8250' }]);
  t.equal(findUsbTty(sys, '10c4', 'ea60', null), 'ttyUSB3');
  t.equal(findUsbTty(sys, '10c4', 'ea60', '0001'), 'ttyUSB3');
  t.same(
    listUsbSerial(sys).map(({ tty, serial }) => [tty, serial]),
    [['ttyUSB3', '0001']],
  );
});

t.test('a device that is not plugged in is said to be so', async (t) => {
  const sys = tree(t.testdir(), [cp2102]);
  t.throws(() => findUsbTty(sys, '0403', '6001', null), { message: 'usb:0403:6001 is not plugged in' });
  t.throws(() => findUsbTty(sys, '10c4', 'ea60', '2'), { message: 'usb:10c4:ea60:2 is not plugged in' });
  t.throws(() => findUsbTty(join(sys, 'nothing'), '10c4', 'ea60', null), { message: /not plugged in/ });
});

t.test('two devices that fit are not guessed between', async (t) => {
  const twin: Given = { tty: 'ttyUSB0', port: '1-3/1-3:1.0', ids: ['10c4', 'ea60', '0002'] };
  const sys = tree(t.testdir(), [cp2102, twin]);
  t.throws(() => findUsbTty(sys, '10c4', 'ea60', null), {
    message: /fits 2 devices.*ttyUSB3 \(serial 0001\).*add the serial number/,
  });
  t.equal(findUsbTty(sys, '10c4', 'ea60', '0002'), 'ttyUSB0');
});

t.test('of one device with several ports the first interface is meant', async (t) => {
  const sys = tree(t.testdir(), [
    { tty: 'ttyACM1', port: '1-4/1-4:1.0', ids: ['2dae', '1016', 'cube'] },
    { tty: 'ttyACM0', port: '1-4/1-4:1.2' },
  ]);
  t.equal(findUsbTty(sys, '2dae', '1016', null), 'ttyACM1');
});
