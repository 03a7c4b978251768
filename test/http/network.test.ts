import t from 'tap';
import { hostName } from '../../src/http/guard.ts';
import { createNetworks, plainAddress } from '../../src/http/network.ts';

t.test('an address is judged by what it is, not by the socket it came over', async (t) => {
  const isTrusted = createNetworks(['192.168.4.0/24', '127.0.0.0/8', '::1/128', 'fd00::/8', 'fe80::/10']);
  for (const address of ['192.168.4.9', '::ffff:192.168.4.9', '127.9.9.9', '::1', 'fd12::5', 'fe80::1%eth0']) {
    t.ok(isTrusted(address), address);
  }
  for (const address of ['192.168.5.9', '::ffff:192.168.5.9', '10.0.0.1', '2001:db8::1', '', 'localhost', '::']) {
    t.notOk(isTrusted(address), address);
  }
});

t.test('an IPv4 network does not let IPv6 addresses in, nor the reverse', async (t) => {
  t.notOk(createNetworks(['0.0.0.0/0'])('2001:db8::1'));
  t.notOk(createNetworks(['::/0'])('192.0.2.1'));
  t.ok(createNetworks(['0.0.0.0/0'])('::ffff:192.0.2.1'));
});

t.test('a lone address is a network of one, as the configuration says', async (t) => {
  const isTrusted = createNetworks(['10.0.0.1', '2001:db8::1']);
  for (const address of ['10.0.0.1', '2001:db8::1']) t.ok(isTrusted(address), address);
  for (const address of ['10.0.0.2', '2001:db8::2']) t.notOk(isTrusted(address), address);
});

t.test('a network that is neither an address nor in CIDR form is refused by name', async (t) => {
  for (const cidr of ['10.0.0', '10.0.0.0/33', '::/129', 'lan/24', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0/-1']) {
    t.throws(() => createNetworks([cidr]), { code: 'invalid_input' }, cidr);
  }
});

t.test('mapped addresses and zones are taken off', async (t) => {
  t.equal(plainAddress('::FFFF:10.0.0.1'), '10.0.0.1');
  t.equal(plainAddress('fe80::1%eth0'), 'fe80::1');
  t.equal(plainAddress('::1'), '::1');
});

t.test('the name of a Host header is found, or nothing', async (t) => {
  const cases: [string, string | null][] = [
    ['localhost', 'localhost'],
    ['LocalHost:8077', 'localhost'],
    ['box.example.', 'box.example'],
    ['10.0.0.1:80', '10.0.0.1'],
    ['[::1]:8077', '::1'],
    ['[::1', null],
    ['[localhost]', null],
    ['::1', null],
    ['a b', null],
    ['localhost:80:80', null],
    ['localhost:', null],
    ['user@localhost', null],
    ['localhost/x', null],
    ['', null],
    ['..', null],
  ];
  for (const [host, name] of cases) t.equal(hostName(host), name, host);
});
