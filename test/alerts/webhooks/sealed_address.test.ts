import t from 'tap';
import { SealedSecrets } from '../../../src/access/sealed.ts';
import { systemActor } from '../../../src/model/actor.ts';
import { endpoint, isSigned, noticeOf, openNotify } from './rig.ts';

const TOKEN = 't0ken-of-the-address';

/** Everything that the database holds, and the chained log. */
function kept(rig: ReturnType<typeof openNotify>): string {
  return rig.state.db.serialize().toString('latin1') + JSON.stringify([...rig.ledger.audit.since(0)]);
}

t.test('the path and query of an address are sealed, and shown only where they are asked for', async (t) => {
  const rig = openNotify(t);
  const { url, got } = await endpoint(t);
  const [origin, address] = [new URL(url).origin, `${url}/${TOKEN}?key=${TOKEN}`];
  const id = rig.make({ name: 'a', url: address });
  t.equal(rig.webhooks.get(id).url, `${origin}/…`);
  t.equal(rig.webhooks.list()[0]?.url, `${origin}/…`);
  t.equal(rig.webhooks.get(id, true).url, address);
  t.notMatch(kept(rig), TOKEN);
  const again = rig.again();
  again.webhooks.offer([noticeOf()]);
  await again.turn(0);
  t.equal(got.length, 1, 'it is sent there after a restart too');
  const moved = rig.webhooks.update(id, { url: `${url}/moved-${TOKEN}` }, systemActor);
  t.match(moved, { url: `${url}/moved-${TOKEN}`, has_secret: true, version: 2 });
  t.equal(rig.webhooks.update(id, { enabled: true }, systemActor).url, `${url}/moved-${TOKEN}`, 'and stays as it was');
  t.notMatch(kept(rig), TOKEN);
});

t.test('an address that an earlier version kept in the clear is sealed at the next start', async (t) => {
  const rig = openNotify(t);
  const { url, got } = await endpoint(t);
  const secret = 'a secret of before 1';
  const id = rig.make({ name: 'a', url, secret: 'another-secret-of-1' });
  const { state, ledger, workspaceId } = rig;
  const clock = { nowMs: () => 0, utcMs: () => 0, permissionsChanged: () => {} };
  const by = { actor: systemActor, userId: null };
  new SealedSecrets({ state, ledger, ...clock }, { key: Buffer.alloc(32, 7) }).put(
    workspaceId,
    `webhook:${id}`,
    Buffer.from(JSON.stringify({ secret, headers: {} })),
    by,
  );
  const address = `${url}/${TOKEN}`;
  state.db.prepare("UPDATE webhooks SET document = json_set(document, '$.url', ?)").run(address);
  const document = (): string => String(state.db.prepare('SELECT document FROM webhooks').pluck().get());
  t.match(document(), TOKEN);
  const unkeyed = openNotify(t, { state, key: { missing: 'no key' } });
  t.match(unkeyed.webhooks.get(id), { url: `${new URL(url).origin}/…`, has_secret: false });
  t.match(document(), TOKEN, 'nothing is lost without the key');
  const again = rig.again();
  t.notMatch(document(), TOKEN);
  t.equal(again.webhooks.get(id, true).url, address);
  again.webhooks.offer([noticeOf()]);
  await again.turn(0);
  t.ok(got[0] && isSigned(got[0], secret));
});

t.test('what another key sealed is mended by a new address and a new secret, both', async (t) => {
  const rig = openNotify(t);
  const { url, got } = await endpoint(t);
  const id = rig.make({ name: 'a', url });
  const other = openNotify(t, { state: rig.state, key: { key: Buffer.alloc(32, 8) } });
  const secret = 'a-new-secret-of-it';
  for (const part of [{ url }, { secret }])
    t.throws(() => other.webhooks.update(id, part, systemActor), { code: 'not_configured', message: /both/ });
  other.webhooks.update(id, { url, secret }, systemActor);
  other.webhooks.offer([noticeOf()]);
  await other.turn(0);
  t.ok(got[0] && isSigned(got[0], secret));
});
