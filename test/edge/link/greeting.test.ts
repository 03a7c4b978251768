import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import t from 'tap';
import { Claims } from '../../../src/edge/link/claims.ts';
import { createSender } from '../../../src/edge/link/create_sender.ts';
import type { Greeting } from '../../../src/edge/link/greeting.ts';
import type { LinkStatus } from '../../../src/edge/link/link.ts';
import type { Owner } from '../../support/basics/owner.ts';
import { until } from '../../support/basics/patience.ts';
import { fastTimers } from '../../support/outlet/fast_timers.ts';

/** A greeting in words: `hello`, then `yes.` or `no.`, at the end `bye`. */
function wordGreeting(): Greeting {
  let text = '';
  return {
    ...{ limitMs: 10_000, awaited: 'yes' },
    hello: () => Buffer.from('hello'),
    verdict(bytes) {
      text += Buffer.from(bytes).toString();
      if (text.startsWith('?')) throw new Error('a question is no answer');
      if (text.startsWith('yes.')) return { refusal: null };
      return text.startsWith('no.') ? { refusal: 'not today' } : null;
    },
    farewell: () => Buffer.from('bye'),
  };
}

/** A link with that greeting to a server of the test, whose `answer` follows what it has received. */
async function greeted(t: Owner, answer: (received: string, socket: Socket) => void) {
  const received: string[] = [];
  const server = createServer((socket) => {
    const at = received.push('') - 1;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received[at] += bytes.toString();
      answer(received[at] ?? '', socket);
    });
    t.teardown(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const statuses: LinkStatus[] = [];
  const chunks: { text: string; state: string }[] = [];
  const link = createSender(
    {
      ...{ name: 'l', transport: 'tcp_client', address, enabled: true, interface: null, sources_allow: [] },
      ...{ silence_s: 25, greet: wordGreeting },
    },
    {
      chunk: ({ bytes }) => void chunks.push({ text: Buffer.from(bytes).toString(), state: link.status().state }),
      gone: () => {},
      status: (status) => void statuses.push(status),
      mayBeQuiet: () => true,
    },
    { nowMs: () => performance.now(), claims: new Claims(), timers: fastTimers(20) },
  );
  t.teardown(() => link.stop());
  link.start();
  const errors = (): string => statuses.map(({ lastError }) => lastError).join('\n');
  return { link, received, chunks, statuses, errors };
}

t.test('a link opens with the answer, hands on what came with it, and says goodbye', async (t) => {
  const { link, received, chunks } = await greeted(t, (text, socket) => {
    if (text === 'hel' || text === 'hello') socket.write('yes.and more');
  });
  await until(async () => chunks.length > 0, 'the bytes after the answer');
  t.same(chunks, [{ text: 'yes.and more', state: 'open' }]);
  t.equal(received[0], 'hello', 'nothing before the answer');
  await link.write(Buffer.from(' data '));
  await link.stop();
  await until(async () => received[0] === 'hello data bye', 'the farewell');
});

t.test('a write in progress ends before the farewell', async (t) => {
  const { link, received, chunks } = await greeted(t, (text, socket) => {
    if (text === 'hello') socket.write('yes.');
  });
  await until(async () => chunks.length > 0, 'the answer');
  const written = link.write(Buffer.alloc(1_000_000, 'x'));
  await link.stop();
  await written;
  await until(async () => received[0]?.endsWith('xbye'), 'the farewell');
  t.equal(received[0]?.length, 'hello'.length + 1_000_000 + 'bye'.length);
});

t.test('a link is not open while the answer is not whole, and refuses to write', async (t) => {
  const { link, received } = await greeted(t, (text, socket) => {
    if (text === 'hello') socket.write('ye');
  });
  await until(async () => received[0] === 'hello', 'the hello');
  t.equal(link.status().state, 'opening');
  await t.rejects(link.write(Buffer.from('x')), { code: 'conflict' });
});

t.test('a refusal is told from a fault, and the next attempt is 60 s later', async (t) => {
  const { link, statuses, errors } = await greeted(t, (text, socket) => {
    if (text === 'hello') socket.write('no.');
  });
  await until(async () => statuses.some(({ isRefused }) => isRefused), 'the refusal');
  const { state, nextRetryMs, sinceMs } = link.status();
  t.equal(state, 'backoff');
  t.ok(Math.abs((nextRetryMs ?? 0) - sinceMs - 60_000) < 1_000);
  t.match(errors(), /refuses the connection: not today/);
});

t.test('a peer without an answer, with another one, or that closes, is a fault with its sentence', async (t) => {
  const silent = await greeted(t, () => {});
  await until(async () => silent.errors().includes('sent no yes in 10 s'), 'the time is over');
  t.notOk(silent.statuses.some(({ isRefused }) => isRefused));
  const asking = await greeted(t, (_text, socket) => void socket.write('?'));
  await until(async () => asking.errors().includes('a question is no answer'), 'the fault');
  const closing = await greeted(t, (_text, socket) => void socket.end());
  await until(async () => /closed the connection before the yes/.test(closing.errors()), 'the close');
  const talking = await greeted(t, (text, socket) => {
    if (text === 'hello') socket.write(Buffer.alloc(1_500_000, 'x'));
  });
  await until(async () => talking.errors().includes('it sent other data instead of the yes'), 'the limit');
});
