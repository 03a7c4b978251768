import t from 'tap';
import { checkedLookup, refusalOf } from '../../../src/alerts/webhooks/destination.ts';
import { endpoint, noticeOf, openNotify, page } from './rig.ts';

/** Where a webhook of the Internet may be: beside special blocks and inside them, where a registry says so. */
const global = [
  '9.9.9.9',
  '168.63.129.17',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.1',
  '203.0.112.9',
  '223.255.255.255',
];
const globalSix = [
  '2606:4700::1111',
  '2001:200::1',
  '2001:4:112::1',
  '2001:20::1',
  '2620:4f:8000::1',
  '3ffe::1',
  '101::1',
];

t.test('hosts of the local network may be named', async (t) => {
  for (const address of [
    '192.168.1.20',
    '10.0.0.7',
    '172.16.3.4',
    '127.0.0.1',
    '::1',
    'fd12:3456::1',
    '100.64.3.4',
    ...global,
    ...globalSix,
  ])
    t.equal(refusalOf(address, 8080, 8077), null, address);
});

t.test('metadata services, addresses of the link and of nobody are refused in whatever clothes', async (t) => {
  const addresses = ['169.254.169.254', '169.254.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255', '100.100.100.200'];
  const clothed = ['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '::169.254.169.254'];
  const ofSix = ['::', 'fe80::1', 'fe80::1%eth0', 'ff02::1', 'fd00:ec2::254', 'not an address'];
  for (const address of [...addresses, ...clothed, ...ofSix]) t.type(refusalOf(address, 80, null), 'string', address);
});

t.test(
  'blocks that the registries of IANA call not globally reachable are refused, but for local networks',
  async (t) => {
    const metadata = ['168.63.129.16', '192.0.0.192', 'fd20:ce::254', 'fd00:ec2::254', 'fd00:ec2::23'];
    const special = [
      '192.0.0.1',
      '192.0.0.255',
      '192.0.2.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.7',
      '203.0.113.9',
    ];
    const others = ['192.88.99.1', '240.0.0.1', '0.1.2.3'];
    const six = ['100::1', '100:0:0:1::1', '2001:2::1', '2001:10::1', '2001:1::9', '2001:1ff::1', '2001:db8::1'];
    const moreSix = ['3fff::1', '3fff:fff::1', '5f00::1', 'fec0::1', 'feff::1', 'febf::1', '::ffff:168.63.129.16'];
    for (const address of [...metadata, ...special, ...others, ...six, ...moreSix])
      t.match(refusalOf(address, 80, null), /^webhooks must not be sent to/, address);
  },
);

/** An IPv4 address in every form of IPv6 that carries one. */
function clothed(address: string): Record<string, string> {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const hex = (...bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const [high, low] = [hex(a, b), hex(c, d)];
  return {
    mapped: `::ffff:${address}`,
    'mapped, in words': `::ffff:${high}:${low}`,
    translated: `::ffff:0:${high}:${low}`,
    compatible: `::${address}`,
    NAT64: `64:ff9b::${high}:${low}`,
    'local NAT64, /96': `64:ff9b:1::${high}:${low}`,
    'local NAT64, /96 of another network': `64:ff9b:1:fffe:dcba:9876:${high}:${low}`,
    'local NAT64, /64': `64:ff9b:1:7:${hex(0, a)}:${hex(b, c)}:${hex(d, 0)}:0`,
    'local NAT64, /56': `64:ff9b:1:${hex(2, a)}:${hex(0, b)}:${low}::`,
    'local NAT64, /48': `64:ff9b:1:${high}:${hex(0, c)}:${hex(d, 0)}::`,
    'local NAT64, /48, with a suffix': `64:ff9b:1:${high}:${hex(0, c)}:${hex(d, 7)}::9`,
    '6to4': `2002:${high}:${low}::1`,
    'Teredo client': `2001:0:102:304:0:0:${hex(a ^ 255, b ^ 255)}:${hex(c ^ 255, d ^ 255)}`,
    'Teredo server': `2001:0:${high}:${low}::fefd:fcfb`,
    ISATAP: `2606:4700::5efe:${high}:${low}`,
    'ISATAP, global': `2606:4700::200:5efe:${high}:${low}`,
  };
}

t.test(
  'an IPv6 address that carries a forbidden IPv4 address is refused, one that carries another is not',
  async (t) => {
    for (const address of ['169.254.169.254', '100.100.100.200', '224.0.0.1'])
      for (const [form, worn] of Object.entries(clothed(address)))
        t.match(refusalOf(worn, 80, null), /^webhooks must not be sent to/, `${form} ${worn}`);
    for (const [form, worn] of Object.entries(clothed('127.0.0.1')))
      t.match(refusalOf(worn, 8077, 8077), /this service itself|must not be sent/, `${form} ${worn}`);
    for (const address of ['192.168.1.20', '10.0.0.7', '9.9.9.9'])
      for (const [form, worn] of Object.entries(clothed(address)).filter(([form]) => !form.includes('another network')))
        t.equal(refusalOf(worn, 80, 8077), null, `${form} ${worn}`);
  },
);

t.test('a name that leads to such an address is refused where it is looked up', async (t) => {
  const found = ['9.9.9.9', '2002:a9fe:a9fe::1'].map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  for (const all of [true, false])
    await t.rejects(
      new Promise((resolve, reject) =>
        checkedLookup(80, null, (_name, _options, callback) => callback(null, found))(
          'hook.example',
          { all },
          (error, to) => (error ? reject(error) : resolve(to)),
        ),
      ),
      { message: 'webhooks must not be sent to 169.254.169.254, which 2002:a9fe:a9fe::1 contains' },
    );
});

t.test('the service is not to ask itself', async (t) => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])
    t.match(refusalOf(address, 8077, 8077), /this service itself/, address);
});

t.test('what is refused is not connected to, by address or by name', async (t) => {
  const { url, got } = await endpoint(t);
  const rig = openNotify(t, { ownPort: Number(new URL(url).port) });
  const named = url.replace('127.0.0.1', 'localhost');
  const numbers = url.replace('127.0.0.1', '2130706433');
  const ids = [url, named, numbers, 'http://[::ffff:a9fe:a9fe]/', 'http://0251.0376.0251.0376/'].map((to) =>
    rig.make({ url: to }),
  );
  rig.webhooks.offer([noticeOf()]);
  for (let i = 0; i < 4; i++) await rig.turn(10_000);
  t.equal(got.length, 0);
  for (const id of ids)
    t.match(rig.webhooks.deliveries(id, page).rows, [
      { status: 'given_up', attempts: 3, error: /this service|must not be sent/ },
    ]);
});

t.test('a name is looked up as it is connected to', async (t) => {
  const { url, got } = await endpoint(t);
  const rig = openNotify(t);
  rig.make({ url: url.replace('127.0.0.1', 'localhost') });
  rig.webhooks.offer([noticeOf()]);
  await rig.turn(0);
  t.equal(got.length, 1);
});
