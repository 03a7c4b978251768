import fc from 'fast-check';
import t from 'tap';
import { parseBytes, parseHostPort, parseNetwork } from '../../../src/host/config/fields.ts';
import { sized } from '../../support/basics/size.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
t.comment(`seed ${seed}`);

t.test('HOST:PORT takes addresses and names, and nothing that only looks like one', async (t) => {
  t.same(parseHostPort('127.0.0.1:8077'), { host: '127.0.0.1', port: 8077 });
  t.same(parseHostPort('[fe80::1]:0'), { host: 'fe80::1', port: 0 });
  t.same(parseHostPort('dunlin.local:65535'), { host: 'dunlin.local', port: 65_535 });
  for (const bad of [
    '',
    '8077',
    ':8077',
    '1.2.3.400:1',
    '1.2.3:1',
    '::1:80',
    '[1.2.3.4]:80',
    'a:65536',
    'a:-1',
    'a b:1',
    'a:',
    'http://a:1',
    '-a:1',
    '[]:1',
    'a:1 ',
  ]) {
    t.equal(parseHostPort(bad), null, bad);
  }
});

t.test('HOST:PORT gives back every address it was made of', async (t) => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), fc.integer({ min: 0, max: 65_535 }), (four, six, port) => {
      const a = parseHostPort(`${four}:${port}`);
      const b = parseHostPort(`[${six}]:${port}`);
      return a?.host === four && a.port === port && b?.host === six && b.port === port;
    }),
    { seed, numRuns: sized(500) },
  );
  t.pass('500 addresses');
});

t.test('a network is an address with a fitting prefix', async (t) => {
  t.same(parseNetwork('10.0.0.0/8'), { address: '10.0.0.0', prefix: 8, family: 'ipv4' });
  t.same(parseNetwork('::1'), { address: '::1', prefix: 128, family: 'ipv6' });
  t.same(parseNetwork('192.168.1.7'), { address: '192.168.1.7', prefix: 32, family: 'ipv4' });
  for (const bad of [
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/ 8',
    'lan',
    'fe80::1%eth0',
  ]) {
    t.equal(parseNetwork(bad), null, bad);
  }
});

t.test('sizes are read with units of thousands and of 1024', async (t) => {
  const sizes = { '20GB': 20e9, '512MiB': 512 * 2 ** 20, '1.5 kb': 1_500, '7': 7, '0B': 0, '1TiB': 2 ** 40 };
  for (const [text, bytes] of Object.entries(sizes)) t.equal(parseBytes(text), bytes, text);
  for (const bad of [
    '',
    'GB',
    '-1GB',
    '1e9',
    '20XB',
    '1,5GB',
    'Infinity',
    '9007199254740993',
    '999999TB',
    '1 constructor',
  ]) {
    t.equal(parseBytes(bad), null, bad);
  }
});
