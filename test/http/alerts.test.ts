import t from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import type { Alert } from '../../src/model/alert.ts';
import { ask, askJson, startRig } from '../support/http/server.ts';
import { firingOf, raisedIn } from '../support/registry/firings.ts';

t.test('an alert is acknowledged once, by whoever was first, and that is audited', async (t) => {
  const rig = await startRig(t);
  const id = raisedIn(rig.registry);
  const url = `${rig.url}/api/alerts/${id}`;
  const seen = (await askJson(`${url}/acknowledge`, 'POST', { note: 'patrol two looks' })).body.data;
  t.match(seen, { id, state: 'acknowledged', acknowledged: { by: 'open:127.0.0.1', note: 'patrol two looks' } });
  t.same((await ask(url)).body.data, seen);
  t.same((await askJson(`${url}/acknowledge`, 'POST', { note: 'another' })).body.data, seen);
  t.same((await askJson(`${url}/acknowledge`, 'POST', {})).body.data, seen);
  const audited = [...rig.registry.ledger.audit.since(0)].filter(({ kind }) => kind === 'alert.acknowledged');
  t.match(audited, [{ subject: { type: 'alert', id }, before: { state: 'active' }, reason: 'patrol two looks' }]);
  t.match(rig.registry.told.at(-1), { kind: 'alert_update', id });
});

t.test('one that is over, and one that is long settled, can be acknowledged too', async (t) => {
  const rig = await startRig(t);
  const { alertBook } = rig.registry;
  alertBook.take([firingOf({ key: 'a' }), firingOf({ key: 'b', severity: 'info' })], 0);
  alertBook.take([firingOf({ key: 'a', change: 'ended' }), firingOf({ key: 'b', change: 'ended' })], 1);
  alertBook.tick(2_000_000);
  t.equal(alertBook.shown().length, 1);
  const url = `${rig.url}/api/alerts`;
  for (const { id } of (await ask(url)).body.data as Alert[]) {
    const seen = await askJson(`${url}/${id}/acknowledge`, 'POST', {});
    t.match(seen.body.data, { state: 'cleared', settled_at: String, acknowledged: { note: null } });
    t.same((await ask(`${url}/${id}`)).body.data, seen.body.data);
  }
  t.same(alertBook.shown(), []);
});

t.test('alerts are listed the newest first, by state and severity, in pages', async (t) => {
  const rig = await startRig(t);
  const severities = ['info', 'notice', 'warning', 'critical'] as const;
  rig.registry.alertBook.take(
    Array.from({ length: 25 }, (_, i) =>
      firingOf({ key: `k${i}`, severity: severities[i % 4] ?? 'info', text: `${i}` }),
    ),
    0,
  );
  rig.registry.alertBook.take([firingOf({ key: 'k3', change: 'ended' })], 0);
  const url = `${rig.url}/api/alerts`;
  const texts: string[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null && pages < 10; pages++) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await ask(`${url}?limit=10${query}`);
    texts.push(...(answer.body.data as Alert[]).map(({ text }) => text));
    cursor = answer.headers.get('x-next-cursor');
  }
  t.same(
    texts,
    Array.from({ length: 25 }, (_, i) => `${24 - i}`),
  );
  const of = async (query: string): Promise<number> => ((await ask(`${url}?${query}`)).body.data as Alert[]).length;
  t.equal(await of('severity=warning'), 12);
  t.equal(await of('state=cleared'), 1);
  t.equal(await of('state=active&severity=critical'), 5);
  t.equal(await of(`since=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`), 0);
  t.match((await ask(`${url}?cursor=1`)).body, { code: 'invalid_input' });
});

t.test('a viewer reads alerts and acknowledges none', async (t) => {
  const rig = await startRig(t, { access: { openRole: 'viewer' } });
  const id = raisedIn(rig.registry);
  t.equal((await ask(`${rig.url}/api/alerts/${id}`)).status, 200);
  t.match((await askJson(`${rig.url}/api/alerts/${id}/acknowledge`, 'POST', {})).body, { code: 'read_only' });
  t.match((await ask(`${rig.url}/api/webhooks`)).body, { code: 'forbidden' });
});

t.test('a webhook takes somebody who has signed in, and its secret is shown once', async (t) => {
  const rig = await startRig(t);
  const url = `${rig.url}/api/webhooks`;
  const body = { name: 'duty phone', url: 'https://chat.example/hooks/1' };
  t.match((await askJson(url, 'POST', body)).body, { code: 'unauthenticated' });
  const by = { actor: systemActor, userId: null };
  const owner = { username: 'anna', password: 'correct horse battery staple', role: 'owner' } as const;
  const { id: userId } = await rig.access.users.add(rig.registry.workspaceId, owner, by);
  const { token } = rig.access.sessions.open(userId);
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': rig.registry.workspaceId,
    'content-type': 'application/json',
  };
  const send = async (path: string, sent: unknown) =>
    (await ask(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(sent) })).body;
  const made = (await send('', body)).data as { id: string; secret: string };
  t.match(made, { secret: /^whs_/, events: ['alert', 'alert_update'], least_severity: 'info', has_secret: true });
  const read = await ask(`${url}/${made.id}`);
  t.notMatch(read.text, made.secret);
  t.match(read.body.data, { url: 'https://chat.example/…' }, 'the open surface sees no path, though its role is owner');
  const key = rig.access.keys.add(rig.registry.workspaceId, { name: 'k', role: 'owner' }, { ...by, role: 'owner' });
  const byKey = await ask(`${rig.url}/v1/webhooks`, { headers: { 'x-api-key': key.secret } });
  t.match(byKey.body.data, [{ url: 'https://chat.example/…' }]);
  t.match((await ask(`${url}/${made.id}`, { headers })).body.data, { url: body.url });
  t.match(await send('', body), { code: 'conflict' });
  t.match(await send(`/${made.id}`, { version: 7 }), { code: 'conflict' });
  t.match(await send(`/${made.id}`, { least_severity: 'critical' }), {
    data: { least_severity: 'critical', version: 2 },
  });
  for (const wrong of [
    { url: 'ftp://x.example' },
    { url: 'http://a:b@x.example' },
    { url: 'x' },
    { secret: 'short' },
    { events: [] },
    { headers: { host: 'x' } },
    { headers: { 'dunlin-signature': 'x' } },
    { headers: { 'x-a': 'a\r\nb: c' } },
  ])
    t.match(await send('', { ...body, name: 'wrong', ...wrong }), { code: 'invalid_input' }, JSON.stringify(wrong));
  t.match(rig.registry.told.filter(({ kind }) => kind === 'config_change').at(-1), {
    row: { what: 'webhook', version: 2 },
  });
});
