import fc from 'fast-check';
import t from 'tap';
import { sourcesAllowed } from '../../../src/edge/link/sources.ts';
import { sized } from '../../support/basics/size.ts';
import { specOf } from './rig.ts';

const seed = Date.now() % 1_000_000_007;
t.comment(`seed ${seed}`);

const allowed = (...sources_allow: string[]) =>
  sourcesAllowed(specOf({ transport: 'udp', address: '0.0.0.0:1', sources_allow }));

t.test('an empty list allows all', async (t) => {
  t.ok(allowed()('203.0.113.9'));
});

t.test('addresses and ranges of both families are told apart', async (t) => {
  const ok = allowed('192.168.1.20', '10.0.0.0/8', 'fd00::/8', 'fe80::1');
  for (const yes of ['192.168.1.20', '::ffff:192.168.1.20', '10.255.0.1', 'fd12::7', 'fe80::1%eth0'])
    t.ok(ok(yes), yes);
  for (const no of ['192.168.1.21', '::ffff:11.0.0.1', '11.0.0.1', 'fe80::2', '::1']) t.notOk(ok(no), no);
});

t.test('an IPv4 entry in IPv6 clothes means the IPv4 address', async (t) => {
  t.ok(allowed('::ffff:192.0.2.1')('192.0.2.1'));
});

t.test('an entry that is neither is refused with a sentence', async (t) => {
  for (const bad of [
    'x',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '::/129',
    'fe80::1%eth0',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
  ])
    t.throws(() => allowed(bad), { code: 'invalid_input', message: /^link 'rid': sources_allow entry/ }, bad);
});

t.test('a range allows exactly the addresses that share its prefix', async (t) => {
  const word = fc.nat({ max: 0xffff_ffff });
  const dotted = (bits: number) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 32 }), (net, address, prefix) => {
      const mask = prefix === 0 ? 0 : (-1 << (32 - prefix)) >>> 0;
      const near = ((net & mask) | (address & ~mask)) >>> 0;
      const ok = allowed(`${dotted(net)}/${prefix}`);
      return ok(dotted(near)) && ok(dotted(address)) === ((address & mask) >>> 0 === (net & mask) >>> 0);
    }),
    { seed, numRuns: sized(500) },
  );
  t.pass('500 ranges');
});

t.test('more addresses than are remembered are still judged right', async (t) => {
  const ok = allowed('10.0.0.0/8');
  let wrong = 0;
  for (let i = 0; i < 5_000; i++) {
    if (!ok(`10.0.${i >> 8}.${i & 255}`)) wrong++;
    if (ok(`11.0.${i >> 8}.${i & 255}`)) wrong++;
  }
  t.equal(wrong, 0);
});
