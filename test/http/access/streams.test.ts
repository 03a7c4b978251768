import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import t from 'tap';
import type { Ticket } from '../../../src/model/access.ts';
import { waitFor } from '../../support/basics/wait.ts';
import { parseEvents, type Received } from '../../support/http/event_parser.ts';
import { byHand, keyOf, person, sending, sessionOf, workspace } from '../../support/http/person.ts';
import { ask, parseRaw, type Rig, readAll, startRig } from '../../support/http/server.ts';

const mounts = ['/api', '/v1'];

type Open = { status: number; events(): Received[]; ended(): boolean; leave(): void };

/** A stream, or what was answered instead of one. */
function open(rig: Rig, path: string, headers: Record<string, string> = {}): Promise<Open> {
  return new Promise((resolve, reject) => {
    const request = get(rig.url + path, { agent: false, headers }, (response: IncomingMessage) => {
      let text = '';
      let ended = false;
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response
        .on('error', () => {})
        .once('close', () => {
          ended = true;
        });
      const events = () => parseEvents(text).events;
      resolve({ status: response.statusCode ?? 0, events, ended: () => ended, leave: () => request.destroy() });
    });
    request.on('error', reject);
  });
}

async function ticketFor(rig: Rig, headers: Record<string, string>, mount = '/v1'): Promise<string> {
  const { body } = await ask(`${rig.url}${mount}/auth/stream-ticket`, sending('POST', headers));
  return (body.data as Ticket).ticket;
}

t.test('a ticket opens one stream, on either mount, for somebody who shows nothing else', async (t) => {
  const rig = await startRig(t, { access: { trustedNetworks: [] } });
  const { secret } = keyOf(rig);
  for (const mount of mounts) {
    const ticket = await ticketFor(rig, { 'x-api-key': secret });
    t.match(ticket, /^stk_[\w-]{43}$/);
    const stream = await open(rig, `${mount}/stream?ticket=${ticket}`);
    t.equal(stream.status, 200);
    await waitFor(() => stream.events().length > 0);
    t.equal(stream.events()[0]?.kind, 'snapshot');
    for (const again of mounts) {
      const { status, body } = await ask(`${rig.url}${again}/stream?ticket=${ticket}`);
      t.equal(status, 401, 'used');
      t.match(body, { code: 'unauthenticated', error: /ticket/ });
    }
    stream.leave();
  }
});

t.test('a ticket that is unknown, or only looks like one, is 401 on both mounts', async (t) => {
  const rig = await startRig(t);
  for (const mount of mounts) {
    for (const ticket of ['', 'stk_', `stk_${'A'.repeat(43)}`, keyOf(rig).secret, 'x'.repeat(3_000)]) {
      t.equal((await ask(`${rig.url}${mount}/stream?ticket=${ticket}`)).status, 401, ticket.slice(0, 20));
    }
  }
});

t.test('a ticket opens nothing but a stream', async (t) => {
  const rig = await startRig(t);
  const ticket = await ticketFor(rig, { 'x-api-key': keyOf(rig).secret });
  for (const path of ['/v1/tracks', '/v1/stream/schema.json', '/v1/stream/', '/v1/picture']) {
    t.equal((await ask(`${rig.url}${path}?ticket=${ticket}`)).status, 401, path);
  }
  t.equal(
    (await ask(`${rig.url}/v1/stream?ticket=${ticket}`, { method: 'HEAD' })).status,
    200,
    'a look does not use it',
  );
  const stream = await open(rig, `/v1/stream?ticket=${ticket}`);
  t.equal(stream.status, 200);
  stream.leave();
});

t.test('a ticket shows the workspace it was issued for and no other', async (t) => {
  const rig = await startRig(t);
  const other = await workspace(rig, 'other');
  const ben = await person(rig, 'ben', 'viewer', other);
  const foreign = { 'x-workspace-id': rig.registry.workspaceId };
  const stream = await open(rig, `/v1/stream?ticket=${await ticketFor(rig, ben.headers)}`, foreign);
  t.equal(stream.status, 403);
  stream.leave();
  const bare = await ask(`${rig.url}/v1/auth/stream-ticket`, sending('POST', sessionOf(ben)));
  t.match(bare.body, { code: 'invalid_input', error: /X-Workspace-Id/ }, 'a session says for which');
});

t.test('a ticket falls with the standing of whoever it was issued for', async (t) => {
  const rig = await startRig(t);
  const { id, secret } = keyOf(rig);
  const ticket = await ticketFor(rig, { 'x-api-key': secret });
  rig.access.keys.revoke(rig.registry.workspaceId, id, byHand);
  t.equal((await ask(`${rig.url}/v1/stream?ticket=${ticket}`)).status, 401);
});

t.test('tickets that nobody uses are bounded', async (t) => {
  const rig = await startRig(t);
  const headers = { 'x-api-key': keyOf(rig).secret };
  let answer = await ask(`${rig.url}/v1/auth/stream-ticket`, sending('POST', headers));
  for (let i = 0; i < 64; i++) answer = await ask(`${rig.url}/v1/auth/stream-ticket`, sending('POST', headers));
  t.equal(answer.status, 429);
  t.equal(answer.headers.get('retry-after'), '60');
  const other = { 'x-api-key': keyOf(rig).secret };
  t.equal((await ask(`${rig.url}/v1/auth/stream-ticket`, sending('POST', other))).status, 200, 'of others');
});

t.test('on the open surface a stream needs no ticket; on the closed one it needs that or a credential', async (t) => {
  const rig = await startRig(t);
  const plain = await open(rig, '/api/stream');
  t.equal(plain.status, 200);
  plain.leave();
  t.equal((await ask(`${rig.url}/v1/stream`)).status, 401);
  const keyed = await open(rig, '/v1/stream', { 'x-api-key': keyOf(rig).secret });
  t.equal(keyed.status, 200);
  keyed.leave();
  const ticketed = await open(rig, `/api/stream?ticket=${await ticketFor(rig, {}, '/api')}`);
  t.equal(ticketed.status, 200, 'the open surface issues tickets too');
  ticketed.leave();
});

t.test('streams end when a key is revoked, a user removed or given another role; not when he signs out', async (t) => {
  const rig = await startRig(t);
  const { workspaceId } = rig.registry;
  const key = keyOf(rig);
  const people = {
    removed: await person(rig, 'removed', 'viewer'),
    promoted: await person(rig, 'promoted', 'viewer'),
    gone: await person(rig, 'gone', 'viewer'),
    stays: await person(rig, 'stays', 'viewer'),
  };
  const streams = {
    revoked: await open(rig, `/v1/stream?ticket=${await ticketFor(rig, { 'x-api-key': key.secret })}`),
    removed: await open(rig, `/v1/stream?ticket=${await ticketFor(rig, people.removed.headers)}`),
    promoted: await open(rig, '/v1/stream', people.promoted.headers),
    gone: await open(rig, '/v1/stream', people.gone.headers),
    stays: await open(rig, '/v1/stream', people.stays.headers),
    open: await open(rig, '/api/stream'),
  };
  await waitFor(() => Object.values(streams).every((stream) => stream.events().length === 1));
  await ask(`${rig.url}/v1/auth/sign-out`, sending('POST', people.gone.headers));
  const began = performance.now();
  rig.access.keys.revoke(workspaceId, key.id, byHand);
  rig.access.users.remove(workspaceId, people.removed.user.id, byHand);
  await rig.access.users.update(workspaceId, people.promoted.user.id, { role: 'operator' }, byHand);
  await waitFor(() => streams.revoked.ended() && streams.removed.ended() && streams.promoted.ended());
  t.ok(performance.now() - began < 5_000);
  rig.service.feed.change('log', { text: 'still here' });
  rig.service.feed.flush();
  for (const left of [streams.gone, streams.stays, streams.open]) {
    await waitFor(() => left.events().length === 2);
    t.notOk(left.ended());
    left.leave();
  }
});

t.test(
  'a new password ends streams, sessions and unspent tickets of its user at once, and of nobody else',
  async (t) => {
    const rig = await startRig(t);
    const anna = await person(rig, 'anna', 'owner');
    const ben = await person(rig, 'ben', 'operator');
    const again = rig.access.sessions.open(ben.user.id);
    const streams = {
      session: await open(rig, '/v1/stream', ben.headers),
      ticket: await open(rig, `/v1/stream?ticket=${await ticketFor(rig, ben.headers)}`),
      other: await open(rig, '/v1/stream', anna.headers),
    };
    await waitFor(() => Object.values(streams).every((stream) => stream.events().length === 1));
    const unspent = await ticketFor(rig, ben.headers);
    const changed = await ask(
      `${rig.url}/v1/users/${ben.user.id}`,
      sending('POST', anna.headers, { password: 'another long password' }),
    );
    t.equal(changed.status, 200);
    t.equal((await ask(`${rig.url}/v1/stream?ticket=${unspent}`)).status, 401, 'the ticket');
    for (const token of [ben.token, again.token])
      t.equal((await ask(`${rig.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status, 401);
    await waitFor(() => streams.session.ended() && streams.ticket.ended());
    t.notOk(streams.other.ended());
    streams.other.leave();
  },
);

t.test('another role ends the unspent tickets of its user too', async (t) => {
  const rig = await startRig(t);
  const ben = await person(rig, 'ben', 'operator');
  const ticket = await ticketFor(rig, ben.headers);
  await rig.access.users.update(rig.registry.workspaceId, ben.user.id, { role: 'viewer' }, byHand);
  t.equal((await ask(`${rig.url}/v1/stream?ticket=${ticket}`)).status, 401);
  t.equal((await ask(`${rig.url}/v1/me`, ben)).status, 200, 'the session goes on with the new role');
});

t.test('a request whose sender was removed while its body was on its way changes nothing', async (t) => {
  const rig = await startRig(t);
  const ben = await person(rig, 'ben', 'operator');
  const body = JSON.stringify({ name: 'gate', modality: 'radar' });
  const socket = connect(rig.port, '127.0.0.1');
  const head = Object.entries({ ...ben.headers, 'content-type': 'application/json', 'content-length': body.length });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const answer = readAll(socket);
  socket.write(`POST /v1/sensors HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n${body.slice(0, 5)}`);
  // The head was read once the answer to a later request is there.
  await ask(`${rig.url}/v1/me`, ben);
  rig.access.users.remove(rig.registry.workspaceId, ben.user.id, byHand);
  socket.write(body.slice(5));
  t.match(parseRaw(await answer), { status: 401, body: { code: 'unauthenticated' } });
  t.equal(rig.service.sensors.list().filter(({ name }) => name === 'gate').length, 0);
});
