import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import type { MadeKey } from '../../../src/model/access.ts';
import { waitFor } from '../../support/basics/wait.ts';
import { byHand, person } from '../../support/http/person.ts';
import { type Rig, startRig } from '../../support/http/server.ts';

type From = { headers?: Record<string, string>; localAddress?: string };
type Open = { status: number; leave(): void };

/** A stream, held open until the test ends; or the refusal of one. */
function open(t: Test, { url }: Rig, { headers = {}, localAddress = '127.0.0.1' }: From): Promise<Open> {
  return new Promise((resolve, reject) => {
    const path = headers['x-api-key'] || headers.authorization ? '/v1/stream' : '/api/stream';
    const request = get(url + path, { agent: false, headers, localAddress }, (response: IncomingMessage) => {
      response.on('error', () => {}).resume();
      resolve({ status: response.statusCode ?? 0, leave: () => void request.destroy() });
    });
    request.on('error', reject);
    t.teardown(() => request.destroy());
  });
}

/** How many of `count` streams are opened one after the other. */
async function opened(t: Test, rig: Rig, count: number, from: (i: number) => From): Promise<number> {
  let opened = 0;
  for (let i = 0; i < count; i++) if ((await open(t, rig, from(i))).status === 200) opened++;
  return opened;
}

function key(rig: Rig, name: string, role: 'viewer' | 'operator'): Record<string, string> {
  const made: MadeKey = rig.access.keys.add(rig.registry.workspaceId, { name, role }, { ...byHand, role: 'owner' });
  return { 'x-api-key': made.secret };
}

const elsewhere = (i: number): string => `127.0.1.${i + 1}`;

t.test('one viewer key has a quarter of the streams, from however many addresses', async (t) => {
  const rig = await startRig(t);
  const headers = key(rig, 'wall', 'viewer');
  t.equal(await opened(t, rig, 20, (i) => ({ headers, localAddress: elsewhere(i) })), 16);
  const anna = await person(rig, 'anna', 'operator');
  t.equal((await open(t, rig, { headers: anna.headers })).status, 200);
});

t.test('one address has a quarter of the streams, with however many names, and gets a place back', async (t) => {
  const rig = await startRig(t, { stream: { clients: 12 } });
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ headers: key(rig, name, 'viewer') }));
  t.equal(await opened(t, rig, 4, (i) => names[i] ?? {}), 3);
  const [first] = names;
  const held = await open(t, rig, { ...first, localAddress: elsewhere(0) });
  t.equal(held.status, 200, 'another address');
  t.equal((await open(t, rig, names[4] ?? {})).status, 429, 'another name of that address');
  t.equal((await open(t, rig, {})).status, 200, 'who works at that address, on a box without users');
  held.leave();
  await waitFor(async () => (await open(t, rig, { ...first, localAddress: elsewhere(0) })).status === 200);
});

t.test('keys and viewers leave a quarter of the streams to operators, on the open surface too', async (t) => {
  const rig = await startRig(t, { stream: { clients: 16 } });
  const names = Array.from({ length: 5 }, (_, i) => key(rig, `key ${i}`, i % 2 === 0 ? 'viewer' : 'operator'));
  const from = (i: number): From => ({ headers: names[i % 5] ?? {}, localAddress: elsewhere(i) });
  t.equal(await opened(t, rig, 20, from), 12);
  t.equal(await opened(t, rig, 1, () => ({ localAddress: elsewhere(100) })), 1, 'the open surface without users');
  const anna = await person(rig, 'anna', 'operator');
  t.equal((await open(t, rig, { localAddress: elsewhere(101) })).status, 429, 'the open surface with users');
  t.equal(await opened(t, rig, 5, (i) => ({ headers: anna.headers, localAddress: elsewhere(100 + i) })), 3);
  t.equal((await open(t, rig, { headers: anna.headers })).status, 429, 'then all are taken');
});

t.test('an operator gets a stream from an address whose share others hold', async (t) => {
  const rig = await startRig(t);
  const headers = key(rig, 'wall', 'viewer');
  t.equal(await opened(t, rig, 20, () => ({ headers })), 16);
  for (const role of ['operator', 'owner'] as const) {
    const { headers } = await person(rig, role, role);
    t.equal((await open(t, rig, { headers })).status, 200, role);
  }
  const eve = await person(rig, 'eve', 'viewer');
  t.equal((await open(t, rig, { headers: eve.headers })).status, 429, 'a viewer does not');
});

t.test('callers who did not sign in leave the reserve to users, whatever the open surface may do', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'operator');
  t.equal(await opened(t, rig, 68, (i) => ({ localAddress: elsewhere(i % 4) })), 48);
  t.equal((await open(t, rig, { headers: anna.headers, localAddress: elsewhere(9) })).status, 200);
});

t.test('one address has a quarter of the connections, trusted or not; others get through', async (t) => {
  for (const trustedNetworks of [['127.0.0.0/8'], []]) {
    const limits = { connections: 20, untrustedConnections: 20 };
    const rig = await startRig(t, { access: { trustedNetworks }, limits });
    const held = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect({ port: rig.port, host: '127.0.0.1' }).on('error', () => {});
        t.teardown(() => socket.destroy());
        await once(socket, 'connect');
        return socket;
      }),
    );
    await waitFor(() => held.filter(({ closed }) => closed).length === 15);
    t.equal(rig.recorder.counts.get('http_connections_refused_total'), 15);
    const status = (localAddress: string) =>
      new Promise<number>((resolve) => {
        get(`${rig.url}/`, { agent: false, localAddress }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        }).on('error', () => resolve(0));
      });
    t.equal(await status(elsewhere(0)), 200);
    t.equal(await status('127.0.0.1'), 0);
    held.find(({ closed }) => !closed)?.destroy();
    await waitFor(async () => (await status('127.0.0.1')) === 200);
  }
});
