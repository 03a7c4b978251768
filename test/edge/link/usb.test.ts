import { join } from 'node:path';
import t from 'tap';
import { findUsbTty, listUsbSerial, usbPortsHere } from '../../../src/edge/link/usb.ts';
import { type UsbPort, usbTree } from '../../support/links/usb_tree.ts';

const cp2102: UsbPort = { tty: 'ttyUSB3', port: '1-2/1-2:1.0', ids: ['10c4', 'ea60', '0001'] };

t.test('a device is found by vendor and product, whatever its number is', async (t) => {
  const sys = usbTree(t.testdir(), [cp2102, { tty: 'ttyS0', port: 'serial8250' }]);
  t.equal(findUsbTty(sys, '10c4', 'ea60', null), 'ttyUSB3');
  t.equal(findUsbTty(sys, '10c4', 'ea60', '0001'), 'ttyUSB3');
  t.same(
    listUsbSerial(sys).map(({ tty, serial }) => [tty, serial]),
    [['ttyUSB3', '0001']],
  );
});

t.test('a device that is not plugged in is said to be so', async (t) => {
  const sys = usbTree(t.testdir(), [cp2102]);
  t.throws(() => findUsbTty(sys, '0403', '6001', null), { message: 'usb:0403:6001 is not plugged in' });
  t.throws(() => findUsbTty(sys, '10c4', 'ea60', '2'), { message: 'usb:10c4:ea60:2 is not plugged in' });
  t.throws(() => findUsbTty(join(sys, 'nothing'), '10c4', 'ea60', null), { message: /not plugged in/ });
});

t.test('two devices that fit are not guessed between', async (t) => {
  const twin: UsbPort = { tty: 'ttyUSB0', port: '1-3/1-3:1.0', ids: ['10c4', 'ea60', '0002'] };
  const sys = usbTree(t.testdir(), [cp2102, twin]);
  t.throws(() => findUsbTty(sys, '10c4', 'ea60', null), {
    message: /matches 2 devices.*ttyUSB3 \(serial 0001\).*add the serial number/,
  });
  t.equal(findUsbTty(sys, '10c4', 'ea60', '0002'), 'ttyUSB0');
});

t.test('of one device with several ports the first interface is meant', async (t) => {
  const sys = usbTree(t.testdir(), [
    { tty: 'ttyACM1', port: '1-4/1-4:1.0', ids: ['2dae', '1016', 'cube'] },
    { tty: 'ttyACM0', port: '1-4/1-4:1.2' },
  ]);
  t.equal(findUsbTty(sys, '2dae', '1016', null), 'ttyACM1');
});

t.test('the ports that are plugged in are listed by names that stay', async (t) => {
  const nameless: UsbPort = { tty: 'ttyUSB0', port: '1-3/1-3:1.0', ids: ['0403', '6001'] };
  t.equal(
    usbPortsHere(usbTree(t.testdir(), [cp2102, nameless])),
    'plugged in now: /dev/ttyUSB3 (usb:10c4:ea60:0001), /dev/ttyUSB0 (usb:0403:6001)',
  );
  t.equal(usbPortsHere(join(t.testdirName, 'nothing')), 'no USB serial port is plugged in');
});
