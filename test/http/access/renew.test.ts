import t from 'tap';
import { Sessions } from '../../../src/access/sessions.ts';
import type { SignedIn } from '../../../src/model/access.ts';
import { keyOf, person, sending } from '../../support/http/person.ts';
import { ask, startRig } from '../../support/http/server.ts';

const HOUR_MS = 3_600_000;

t.test('a renewal gives another token for half an hour and ends the old one', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'operator');
  const { status, body } = await ask(`${rig.url}/v1/auth/renew`, sending('POST', anna.headers));
  t.equal(status, 200);
  const renewed = body.data as SignedIn;
  t.not(renewed.token, anna.token);
  t.match(renewed, { user: { username: 'anna' }, workspaces: [{ role: 'operator' }] });
  const leftMs = Date.parse(renewed.expires_at) - Date.now();
  t.ok(leftMs > 29 * 60_000 && leftMs <= 30 * 60_000, `${leftMs} ms`);
  t.equal((await ask(`${rig.url}/v1/me`, anna)).status, 401, 'the old one is none');
  const again = { ...anna.headers, authorization: `Bearer ${renewed.token}` };
  t.equal((await ask(`${rig.url}/v1/me`, { headers: again })).status, 200);
  const rows = rig.registry.ledger.audit.since(0).filter(({ kind }) => kind === 'auth.renewed');
  t.match(rows, [{ actor: { type: 'user', name: 'anna' }, text: 'anna renewed the session' }]);
});

t.test('who has not signed in has nothing to renew', async (t) => {
  const rig = await startRig(t);
  const { secret } = keyOf(rig);
  for (const headers of [{}, { 'x-api-key': secret }] as Record<string, string>[]) {
    const { status, body } = await ask(`${rig.url}/api/auth/renew`, sending('POST', headers));
    t.ok(status === 401 || status === 403);
    t.match(body.error, /auth\/sign-in/);
  }
});

t.test('renewals end twelve hours after the password', async (t) => {
  const rig = await startRig(t);
  const { user } = await person(rig, 'anna', 'owner');
  const clock = { ms: 1_000 };
  const deps = { state: rig.registry.state, ledger: rig.registry.ledger, permissionsChanged: () => {} };
  const times = { nowMs: () => clock.ms, utcMs: () => clock.ms };
  const sessions = new Sessions({ ...deps, ...times }, 'boot', 12 * HOUR_MS);
  let { token } = sessions.open(user.id);
  const began = clock.ms;
  for (;;) {
    clock.ms += 20 * 60_000;
    const next = sessions.renew(token);
    if (next === null) break;
    t.equal(sessions.find(token), null);
    t.ok(Date.parse(next.expiresAt) <= began + 12 * HOUR_MS, 'told as it is');
    token = next.token;
  }
  t.equal(clock.ms - began, 12 * HOUR_MS);
  t.equal(sessions.find(token), null);
});
