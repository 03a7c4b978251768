import t from 'tap';
import type { Ticket } from '../../../src/model/access.ts';
import { keyOf, person, sending, workspace } from '../../support/http/person.ts';
import { ask, type Rig, startRig } from '../../support/http/server.ts';

const mounts = ['/api', '/v1'];

async function ticketFor(rig: Rig, headers: Record<string, string>, path: string): Promise<string> {
  const { status, body } = await ask(`${rig.url}/v1/auth/file-ticket`, sending('POST', headers, { path }));
  if (status !== 200) throw new Error(body.error);
  return (body.data as Ticket).ticket;
}

t.test(
  'a ticket saves the file that it names, once, on either mount, for somebody who shows nothing else',
  async (t) => {
    const rig = await startRig(t, { access: { trustedNetworks: [] } });
    const headers = { 'x-api-key': keyOf(rig).secret };
    for (const mount of mounts)
      for (const path of ['assets/export', 'assets/export?format=csv']) {
        const ticket = await ticketFor(rig, headers, path);
        t.match(ticket, /^ftk_[\w-]{43}$/);
        const query = `${path.includes('?') ? '&' : '?'}ticket=${ticket}`;
        const saved = await ask(`${rig.url}${mount}/${path}${query}`);
        t.equal(saved.status, 200, saved.text);
        t.match(saved.headers.get('content-disposition'), /attachment; filename=/);
        const again = await ask(`${rig.url}${mount}/${path}${query}`);
        t.match(again.body, { code: 'unauthenticated', error: /POST \/api\/auth\/file-ticket issues another/ });
      }
  },
);

t.test('it opens no other path, no other query, no other method and no stream', async (t) => {
  const rig = await startRig(t, { access: { trustedNetworks: [] } });
  const ticket = await ticketFor(rig, { 'x-api-key': keyOf(rig).secret }, 'assets/export');
  for (const path of [
    '/v1/assets',
    '/v1/assets/export?format=csv&',
    '/v1/assets/export/?',
    '/v1/keys',
    '/v1/stream',
    '/v1/picture',
  ]) {
    const { status } = await ask(`${rig.url}${path}${path.includes('?') ? '' : '?'}ticket=${ticket}`);
    t.equal(status, 401, path);
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'HEAD'])
    t.equal((await ask(`${rig.url}/v1/assets/export?ticket=${ticket}`, { method })).status, 401, method);
  t.equal((await ask(`${rig.url}/v1/assets/export`, { headers: { 'x-api-key': ticket } })).status, 401);
  const saved = await ask(`${rig.url}/v1/assets/export?ticket=${ticket}`);
  t.equal(saved.status, 200, 'it is still good for its file');
});

t.test('it has the rights that its issuer has when it is used, in the issuer’s workspace', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const ben = await person(rig, 'ben', 'viewer');
  const ticket = await ticketFor(rig, ben.headers, 'assets/export');
  await ask(`${rig.url}/v1/users/${ben.user.id}`, sending('DELETE', anna.headers));
  t.equal((await ask(`${rig.url}/v1/assets/export?ticket=${ticket}`)).status, 401, 'a removed person has none');
  const other = await workspace(rig, 'north');
  const own = await ticketFor(rig, anna.headers, 'assets/export');
  const headers = { 'x-workspace-id': other };
  t.equal((await ask(`${rig.url}/v1/assets/export?ticket=${own}`, { headers })).status, 403);
});

t.test('a path that is none is refused with the rule', async (t) => {
  const rig = await startRig(t);
  const headers = { 'x-api-key': keyOf(rig).secret };
  for (const path of ['', '/api/assets', 'https://example.org/x', '..\\x', 'assets export', 'x'.repeat(501)]) {
    const { status, body } = await ask(`${rig.url}/v1/auth/file-ticket`, sending('POST', headers, { path }));
    t.equal(status, 400, path.slice(0, 40));
    t.match(body.error, /'path'/);
  }
});
