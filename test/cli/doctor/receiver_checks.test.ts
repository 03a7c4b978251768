import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { servedReceivers, usbReceivers } from '../../../src/cli/doctor/known_receivers.ts';
import { checkReceivers } from '../../../src/cli/doctor/receiver_checks.ts';
import { parseOutletSpec } from '../../../src/host/config/outlet_flag.ts';
import { parseLinkSpec } from '../../../src/host/config.ts';
import { folderOf } from '../../support/basics/folder.ts';
import { type UsbPort, usbTree } from '../../support/links/usb_tree.ts';

/** A box with USB serial ports, with programs that listen on TCP ports, and with a connection to port 30003 elsewhere. */
function box(t: Test, devices: readonly UsbPort[], ports: readonly number[] = []) {
  const rows = ports.map((port, index) => {
    const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    return `   ${index}: ${local} 00000000:0000 0A 00000000:00000000`;
  });
  const connected = '   9: 0100007F:7533 0100007F:9C40 01 00000000:00000000';
  const tcp = ['  sl  local_address rem_address   st tx_queue', ...rows, connected, ''].join('\n');
  const root = folderOf(t, { proc: { net: { tcp } } });
  return { sys: usbTree(join(root, 'usb'), [...devices]), proc: join(root, 'proc') };
}

const gps: UsbPort = { tty: 'ttyACM0', port: '1-3/1-3:1.0', ids: ['1546', '01a8', 'gps1'] };
const dongle: UsbPort = { tty: 'ttyUSB0', port: '1-2/1-2:1.0', ids: ['10c4', 'ea60', '0001'] };
const other: UsbPort = { tty: 'ttyUSB1', port: '1-5/1-5:1.0', ids: ['dead', 'beef', '0002'] };

/** Link switches of a sentence. */
const switchesOf = (text: string): string[] => [...text.matchAll(/--link (\S+)/g)].map(([, line = '']) => line);

t.test('each receiver that no link reads is named with switches that the daemon takes', async (t) => {
  const found = checkReceivers([], box(t, [gps, dongle, other], [30_003, 8_077]));
  t.same(found.map(({ check }) => check).sort(), [
    'receiver /dev/ttyACM0',
    'receiver /dev/ttyUSB0',
    'receiver port 30003',
  ]);
  const lines = found.flatMap(({ text }) => switchesOf(text));
  t.equal(lines.length, 4, 'a bridge that two receivers use has a line for each');
  for (const line of lines) t.ok(parseLinkSpec(line), line);
  t.match(lines.join('\n'), /address=usb:1546:01a8:gps1,baud=9600,protocol=nmea/);
});

t.test('a receiver that a link reads is not named, by whatever name the link has it', async (t) => {
  for (const address of ['/dev/ttyUSB0', 'usb:10C4:EA60', 'usb:10c4:ea60:0001', '/dev/serial/by-id/usb-x_0001-if00'])
    t.same(checkReceivers([{ transport: 'serial', address }], box(t, [dongle])), [], address);
  t.same(checkReceivers([{ transport: 'tcp_client', address: 'localhost:30003' }], box(t, [], [30_003])), []);
});

t.test('a box without receivers, and a kernel that tells nothing, are not named', async (t) => {
  t.same(checkReceivers([], box(t, [other], [8_077])), []);
  t.same(checkReceivers([], { sys: '/nowhere', proc: '/nowhere' }), []);
});

t.test('every known device has a link line that the daemon takes', async (t) => {
  for (const { links } of usbReceivers)
    for (const line of links) t.ok(parseLinkSpec(`name=one,transport=serial,address=/dev/ttyUSB0,${line}`), line);
  for (const { link } of servedReceivers)
    t.ok(parseLinkSpec(`name=one,transport=tcp_client,address=127.0.0.1:1,${link}`), link);
});

t.test('every line of the page of receivers is one that the daemon takes', async (t) => {
  const page = readFileSync('docs/use/receivers.md', 'utf8');
  const lines = (flag: string) => [...page.matchAll(new RegExp(`${flag} ([^\`;]+)`, 'g'))].map(([, line = '']) => line);
  const [links, outlets] = [lines('--link'), lines('--outlet')];
  t.ok(links.length >= 14 && outlets.length >= 3, `${links.length} links, ${outlets.length} outlets`);
  for (const line of links.filter((one) => one.includes('='))) t.ok(parseLinkSpec(line), line);
  for (const line of outlets.filter((one) => one.includes('='))) t.ok(parseOutletSpec(line), line);
});
