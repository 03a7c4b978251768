import { readFileSync } from 'node:fs';
import t from 'tap';
import type { MadeKey, SignedIn, Ticket } from '../../../src/model/access.ts';
import { keyOf, PASSWORD, person, sending, workspace } from '../../support/http/person.ts';
import { ask, askJson, type Rig, startRig } from '../../support/http/server.ts';

const kindsOf = (rig: Rig): string[] => [...rig.registry.ledger.audit.since(0)].map(({ kind }) => String(kind));

t.test('what people do with access is in the audit log, each by its own name', async (t) => {
  const rig = await startRig(t);
  await person(rig, 'anna', 'owner');
  const signedIn = await askJson(`${rig.url}/v1/auth/sign-in`, 'POST', { username: 'anna', password: PASSWORD });
  const { token } = signedIn.body.data as SignedIn;
  const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': rig.registry.workspaceId };
  const made = await ask(`${rig.url}/v1/keys`, sending('POST', headers, { name: 'feed' }));
  await ask(`${rig.url}/v1/keys/${(made.body.data as MadeKey).id}`, sending('DELETE', headers));
  await ask(`${rig.url}/v1/auth/sign-out`, sending('POST', headers));
  t.same(kindsOf(rig), ['user.created', 'auth.signed_in', 'key.created', 'key.revoked', 'auth.signed_out']);
  const rows = [...rig.registry.ledger.audit.since(0)];
  t.match(rows[2]?.actor, { type: 'user', name: 'anna', address: '127.0.0.1' });
});

t.test('a refusal is told with who tried what; a flood of them is one row a minute', async (t) => {
  const rig = await startRig(t);
  const vera = await person(rig, 'vera', 'viewer');
  await ask(`${rig.url}/v1/sensors`, sending('POST', vera.headers, {}));
  for (let i = 0; i < 50; i++) {
    await ask(`${rig.url}/v1/tracks?x=${i}`, { headers: { 'x-api-key': `dak_${String(i).padStart(43, '0')}` } });
  }
  const denied = () => [...rig.registry.ledger.audit.since(0)].filter(({ kind }) => kind === 'auth.denied');
  t.equal(denied().length, 2, 'neither hides the other');
  t.match(denied()[0], { severity: 'warning', text: /POST \/v1\/sensors was refused: user vera has the role viewer/ });
  rig.access.denials.flush(true);
  t.equal(denied().length, 3);
  const refused = [{ code: 'unauthenticated', route: 'GET /v1/tracks', count: 49 }];
  t.same(denied()[2]?.after, { code: 'unauthenticated', count: 49, refused });
  t.notMatch(JSON.stringify(denied()), /x=|dak_0/);
});

t.test('who tries a workspace that is not his is told of by name, in no other workspace than his', async (t) => {
  const rig = await startRig(t);
  const other = await workspace(rig, 'other');
  const vera = await person(rig, 'vera', 'owner', other);
  const key = keyOf(rig);
  const foreign = { ...vera.headers, 'x-workspace-id': rig.registry.workspaceId };
  await ask(`${rig.url}/v1/sensors`, sending('POST', foreign, {}));
  await ask(`${rig.url}/v1/sensors`, { headers: { 'x-api-key': key.secret, 'x-workspace-id': other } });
  const denied = [...rig.registry.ledger.audit.since(0)].filter(({ kind }) => kind === 'auth.denied');
  t.match(denied, [
    { workspace_id: null, actor: { type: 'user', name: 'vera' } },
    { workspace_id: rig.registry.workspaceId, actor: { type: 'key', name: 'feed' } },
  ]);
  t.equal(denied.length, 2);
});

t.test('no secret stands in an answer it is not for, in a log line, in an audit row or in the database', async (t) => {
  const rig = await startRig(t);
  await person(rig, 'anna', 'owner');
  const answers: string[] = [];
  const keep = async (path: string, init: RequestInit) => {
    const answer = await ask(`${rig.url}${path}`, init);
    answers.push(answer.text);
    return answer;
  };
  const first = await askJson(`${rig.url}/v1/auth/sign-in`, 'POST', { username: 'anna', password: PASSWORD });
  const { token } = first.body.data as SignedIn;
  const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': rig.registry.workspaceId };
  const { secret, id } = (await ask(`${rig.url}/v1/keys`, sending('POST', headers, { name: 'feed' }))).body
    .data as MadeKey;
  const { ticket } = (await ask(`${rig.url}/v1/auth/stream-ticket`, sending('POST', headers))).body.data as Ticket;
  const newPassword = 'never to be seen again';
  for (const mount of ['/api', '/v1']) {
    await keep(`${mount}/users`, sending('POST', headers, { username: 'ben', password: newPassword, role: 'viewer' }));
    await keep(`${mount}/users`, sending('POST', headers, { username: newPassword, password: 1, role: 'viewer' }));
    await keep(
      `${mount}/users`,
      sending('POST', headers, { username: 'c', password: newPassword, role: newPassword.length }),
    );
    await keep(`${mount}/users`, { headers });
    await keep(`${mount}/keys`, { headers });
    await keep(`${mount}/me`, { headers });
    await keep(`${mount}/auth/sign-in`, sending('POST', {}, { username: 'anna', password: newPassword }));
    await keep(`${mount}/auth/sign-in`, sending('POST', {}, { username: newPassword, password: newPassword }));
    await keep(`${mount}/tracks?key=${secret}`, { headers: { authorization: `Basic ${secret}` } });
    await keep(`${mount}/tracks`, { headers: { 'x-api-key': `${secret}x` } });
    await keep(`${mount}/tracks/${secret}`, { headers: { 'x-api-key': secret, 'x-workspace-id': token } });
    await keep(`${mount}/stream?ticket=${ticket}&ticket=${ticket}`, { headers: { 'x-workspace-id': 'wsp_other' } });
  }
  await ask(`${rig.url}/v1/keys/${id}`, sending('DELETE', headers));
  rig.access.denials.flush(true);
  const { state, ledger } = rig.registry;
  const audit = JSON.stringify([...ledger.audit.since(0)]);
  const stored = ['', '-wal'].map((suffix) => readFileSync(`${state.path}${suffix}`).toString('latin1')).join('');
  const logged = JSON.stringify(rig.recorder.errors);
  for (const hidden of [token, secret, ticket, PASSWORD, newPassword]) {
    t.notOk(stored.includes(hidden), 'database');
    t.notOk(audit.includes(hidden), 'audit');
    t.notOk(logged.includes(hidden), 'log');
    if (hidden !== newPassword)
      t.notOk(
        answers.some((text) => text.includes(hidden)),
        'answers',
      );
  }
});
