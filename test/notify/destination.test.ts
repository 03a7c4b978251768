import t from 'tap';
import { refusalOf } from '../../src/notify/destination.ts';
import { endpoint, noticeOf, openNotify, page } from './rig.ts';

t.test('hosts of the local network may be named', async (t) => {
  for (const address of ['192.168.1.20', '10.0.0.7', '172.16.3.4', '127.0.0.1', '::1', 'fd12:3456::1', '203.0.113.9'])
    t.equal(refusalOf(address, 8080, 8077), null, address);
});

t.test('metadata services, addresses of the link and of nobody are refused in whatever clothes', async (t) => {
  const addresses = ['169.254.169.254', '169.254.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255', '100.100.100.200'];
  const clothed = ['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '::169.254.169.254'];
  const ofSix = ['::', 'fe80::1', 'fe80::1%eth0', 'ff02::1', 'fd00:ec2::254', 'not an address'];
  for (const address of [...addresses, ...clothed, ...ofSix]) t.type(refusalOf(address, 80, null), 'string', address);
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
      { status: 'given_up', attempts: 3, error: /this service|is sent/ },
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
