import t from 'tap';
import { table } from '../../src/http/table.ts';
import { ask, askJson, startRig } from '../support/http/server.ts';

t.test('on an open surface that may only read, every write is refused and every read is answered', async (t) => {
  const rig = await startRig(t, { access: { openRole: 'viewer' } });
  for (const { method, path, write, session } of table.mounted) {
    if (!write) continue;
    const url = `${rig.url}/api${path.replace('{id}', '00000000-0000-8000-8000-000000000000')}`;
    const { status, body } = await askJson(url, method, {});
    // What takes a session is refused sooner: who has none is told to sign in.
    t.equal(status, session ? 401 : 403, `${method} ${path}`);
    t.match(body, { ok: false, code: session ? 'unauthenticated' : 'read_only' });
  }
  t.equal((await ask(`${rig.url}/api/tracks`)).status, 200);
});

t.test('an operator may declare sensors', async (t) => {
  const rig = await startRig(t, { access: { openRole: 'operator' } });
  const { status } = await askJson(`${rig.url}/api/sensors`, 'POST', { name: 'mast', modality: 'radar' });
  t.equal(status, 200);
});
