import fc from 'fast-check';
import t from 'tap';
import {
  dialAddress,
  joinHostPort,
  listenAddress,
  serialAddress,
  splitHostPort,
  unstableNameWarning,
} from '../../../src/edge/link/address.ts';
import { Claims } from '../../../src/edge/link/claims.ts';
import { createLink } from '../../../src/edge/link/create.ts';
import { Fault } from '../../../src/model/fault.ts';
import { transports } from '../../../src/model/link.ts';
import { sized } from '../../support/basics/size.ts';
import { record, specOf } from './rig.ts';

const seed = Date.now() % 1_000_000_007;
t.comment(`seed ${seed}`);

const udp = (address: string) => specOf({ transport: 'udp', address });

t.test('an address to listen on is an IP address and a port', async (t) => {
  t.same(listenAddress(udp('0.0.0.0:14550')), { host: '0.0.0.0', port: 14550 });
  t.same(listenAddress(udp('127.0.0.1:0')), { host: '127.0.0.1', port: 0 });
  t.same(listenAddress(udp('localhost:7')), { host: '127.0.0.1', port: 7 });
  t.same(listenAddress(udp('[::]:14550')), { host: '::', port: 14550 });
  t.same(listenAddress(udp('[fe80::1%eth0]:9')), { host: 'fe80::1%eth0', port: 9 });
});

t.test('two spellings of one IPv6 address are one address', async (t) => {
  t.same(listenAddress(udp('[0:0:0::0]:1')), listenAddress(udp('[::]:1')));
  t.same(listenAddress(udp('[2001:DB8::0:1]:1')), listenAddress(udp('[2001:db8::1]:1')));
});

const badListen = ['', ':1', '0.0.0.0', '0.0.0.0:', '0.0.0.0:65536', '0.0.0.0:-1', '::1:80', '[::1]', '[1.2.3.4]:5'];
const badBoth = [
  ...badListen,
  '1.2.3:4',
  '256.1.1.1:4',
  '1.2.3.4:5:6',
  'a b:1',
  'http://x:1',
  '[::1%]:x',
  '1.2.3.4:1e3',
];

t.test('a bad socket address is refused with a sentence that names the link and says what is expected', async (t) => {
  for (const address of [...badBoth, 'example.org:80'].filter((bad) => bad !== ''))
    t.throws(
      () => listenAddress(udp(address)),
      { code: 'invalid_input', message: /^link 'rid': .*HOST:PORT.*0\.0\.0\.0:14550/ },
      address,
    );
  for (const address of [...badBoth, 'example.org:0', '-x:1', 'a..b:1'].filter((bad) => bad !== ''))
    t.throws(
      () => dialAddress(specOf({ transport: 'tcp_client', address })),
      { code: 'invalid_input', message: /^link 'rid': .*HOST:PORT/ },
      address,
    );
});

t.test('a name or an address can be dialled', async (t) => {
  for (const address of ['receiver.local:30003', 'a:1', '10.0.0.1:65535', '[fd00::2]:5'])
    t.equal(
      joinHostPort(
        dialAddress(specOf({ transport: 'tcp_client', address })).host,
        dialAddress(specOf({ transport: 'tcp_client', address })).port,
      ),
      address,
    );
});

t.test('a serial device is a path or usb:VID:PID[:SERIAL]', async (t) => {
  const serial = (address: string) => serialAddress(specOf({ transport: 'serial', address }));
  t.same(serial('/dev/serial/by-id/usb-FTDI-if00'), { by: 'path', path: '/dev/serial/by-id/usb-FTDI-if00' });
  t.same(serial('usb:10C4:ea60'), { by: 'usb', vendor: '10c4', product: 'ea60', serial: null });
  t.same(serial('usb:0403:6001:A5:x'), { by: 'usb', vendor: '0403', product: '6001', serial: 'A5:x' });
  for (const bad of ['ttyUSB0', 'COM3', 'usb:', 'usb:10c4', 'usb:10c4:zzzz', 'usb:10c4:ea60:', '/dev/x\0y'])
    t.throws(() => serial(bad), { code: 'invalid_input', message: /^link 'rid': .*by-id.*usb:VID:PID/ }, bad);
});

t.test('only a bare kernel number is warned of', async (t) => {
  const warning = (address: string) => unstableNameWarning(specOf({ transport: 'serial', address }));
  t.match(warning('/dev/ttyUSB0'), /may be another device/);
  t.match(warning('/dev/ttyACM12'), /by-id/);
  t.equal(warning('/dev/serial/by-id/x'), null);
  t.equal(warning('/dev/ttyS0'), null);
});

t.test('an IPv4 address in IPv6 clothes is written as IPv4', async (t) => {
  t.equal(joinHostPort('::ffff:192.0.2.1', 5), '192.0.2.1:5');
  t.equal(joinHostPort('fd00::1', 5), '[fd00::1]:5');
});

t.test('what is joined splits again', async (t) => {
  const host = fc.oneof(
    fc.ipV4(),
    fc.ipV6().filter((address) => !/^::ffff:/i.test(address) || !address.includes('.')),
  );
  fc.assert(
    fc.property(host, fc.nat({ max: 65_535 }), (address, port) => {
      const parts = splitHostPort(joinHostPort(address, port));
      return parts?.host === address && parts.port === port;
    }),
    { seed, numRuns: sized(500) },
  );
  t.pass('500 addresses');
});

t.test('any text at all makes a link or a fault that names it', async (t) => {
  const nearly = fc.string({ unit: fc.constantFrom(...'0159.:[]%/afusbgtyUSB \0-é'), maxLength: 40 });
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ maxLength: 60 }), nearly),
      fc.constantFrom(...transports),
      (address, transport) => {
        if (address === '') return true;
        const spec = specOf({ transport, address });
        try {
          createLink(spec, record().events, { nowMs: () => 0, claims: new Claims() });
          return true;
        } catch (thrown) {
          return (
            thrown instanceof Fault && thrown.code === 'invalid_input' && thrown.message.startsWith("link 'rid': ")
          );
        }
      },
    ),
    { seed, numRuns: sized(3000) },
  );
  t.pass('3000 texts');
});
