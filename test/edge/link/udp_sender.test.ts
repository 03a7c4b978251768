import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import t from 'tap';
import { Claims } from '../../../src/edge/link/claims.ts';
import { createSender } from '../../../src/edge/link/create_sender.ts';
import type { Link } from '../../../src/edge/link/link.ts';
import { GroupMembership } from '../../../src/edge/link/multicast.ts';
import type { Owner } from '../../support/basics/owner.ts';
import { until } from '../../support/basics/patience.ts';

function senderTo(t: Owner, address: string, only: string | null = null): Link {
  const spec = { name: 'out', transport: 'udp', address, interface: only, enabled: true, silence_s: 25 } as const;
  const events = { chunk: () => {}, gone: () => {}, status: () => {} };
  const link = createSender({ ...spec, sources_allow: [] }, events, {
    nowMs: () => performance.now(),
    claims: new Claims(),
  });
  t.teardown(() => link.stop());
  link.start();
  return link;
}

const isOpen = (link: Link) => until(async () => link.status().state === 'open', 'it is open');

t.test('a multicast group gets each datagram once, though a receiver joined on every interface', async (t) => {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  t.teardown(() => socket.close());
  const received: string[] = [];
  socket.on('message', (bytes) => received.push(bytes.toString()));
  const group = '239.77.4.1';
  socket.bind(0, group);
  await once(socket, 'listening');
  t.ok(new GroupMembership(socket, group).refresh() > 0);
  const link = senderTo(t, `${group}:${socket.address().port}`);
  await isOpen(link);
  await link.write(Buffer.from('one'));
  await link.write(Buffer.from('two'));
  await until(async () => received.includes('two'), 'both come');
  const outside = Object.values(networkInterfaces()).filter((held) => held?.some(({ internal }) => !internal));
  if (outside.length <= 1) t.same(received, ['one', 'two']);
});

t.test('an interface that is not there is a fault that is tried again, and no port of this box is taken', async (t) => {
  const link = senderTo(t, '239.77.4.2:6969', 'nothere0');
  await until(async () => link.status().state === 'backoff', 'it waits');
  t.match(link.status().lastError, /no network interface that can send to the group/);
  await t.rejects(link.write(Buffer.from('x')), { code: 'conflict' });
  const plain = senderTo(t, '127.0.0.1:9');
  await isOpen(plain);
  t.equal(plain.status().boundTo, '127.0.0.1:9');
});

t.test('an address without a port to send to is refused', async (t) => {
  t.throws(() => senderTo(t, '127.0.0.1:0'), { code: 'invalid_input' });
});
