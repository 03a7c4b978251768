import t from 'tap';
import type { Asset } from '../../src/model/asset.ts';
import type { Assignment } from '../../src/model/assignment.ts';
import { ask, askJson, type Rig, startRig } from '../support/http/server.ts';

const nobody = '11111111-2222-4333-8444-555555555555';
const serial = '1581F5FKD2294A000042';

const post = (rig: Rig, path: string, body: unknown) => askJson(`${rig.url}/api/assignments${path}`, 'POST', body);
const all = async (rig: Rig) => (await ask(`${rig.url}/api/assignments`)).body.data as Assignment[];
const assets = async (rig: Rig) => (await ask(`${rig.url}/api/assets`)).body.data as Asset[];

t.test(
  'confirming a serial that nobody carries makes an asset, and the next word takes the place of the first',
  async (t) => {
    const rig = await startRig(t);
    const hostile = (
      await post(rig, '/confirm', { serial, affiliation: 'hostile', operator: 'anna', name: 'the red one' })
    ).body.data as Assignment;
    t.match(hostile, {
      affiliation: 'hostile',
      active: true,
      confirmed: true,
      source: 'operator',
      operator: 'anna',
      serial,
    });
    t.match(await assets(rig), [{ name: 'the red one', kind: 'emitter', affiliation: 'hostile', paired: true }]);
    const friend = (await post(rig, '/confirm', { serial: serial.toLowerCase(), affiliation: 'friend' })).body
      .data as Assignment;
    t.equal(friend.asset_id, hostile.asset_id);
    t.match(await assets(rig), [{ name: 'the red one', kind: 'platform', affiliation: 'friend' }]);
    const neutral = (await post(rig, '/confirm', { serial, affiliation: 'neutral' })).body.data as Assignment;
    t.match(await assets(rig), [{ kind: 'platform', affiliation: 'neutral' }]);
    const [last, middle, first] = await all(rig);
    t.match(last, { id: neutral.id, active: true });
    t.match(middle, { id: friend.id, active: false, superseded_by: neutral.id, superseded_at: String, version: 2 });
    t.match(first, { id: hostile.id, active: false, superseded_by: friend.id });
  },
);

t.test('a serial that is confirmed as a friend is a platform from the start', async (t) => {
  const rig = await startRig(t);
  await post(rig, '/confirm', { serial, affiliation: 'friend' });
  t.match(await assets(rig), [{ name: serial, kind: 'platform', affiliation: 'friend' }]);
});

t.test('an assignment is made, read and changed; what is wrong is refused as the interface says', async (t) => {
  const rig = await startRig(t);
  const asset = (await askJson(`${rig.url}/api/assets`, 'POST', { name: 'Heron', spec: {} })).body.data as Asset;
  const made = (await post(rig, '', { asset_id: asset.id, affiliation: 'neutral', role: 'police' })).body
    .data as Assignment;
  t.match(made, { active: true, confirmed: false, role: 'police', created_by: /^open:/, version: 1 });
  const idle = (await post(rig, '', { asset_id: asset.id, affiliation: 'hostile', active: false })).body
    .data as Assignment;
  t.match(idle, { active: false });
  t.match(await assets(rig), [{ affiliation: 'neutral' }], 'what is not active says nothing');
  const turned = await post(rig, `/${idle.id}`, { active: true, affiliation: null, operator: 'anna', role: '' });
  t.match(turned.body.data, { active: true, affiliation: 'hostile', operator: 'anna', role: null, version: 2 });
  t.match((await ask(`${rig.url}/api/assignments/${made.id}`)).body.data, { active: false, superseded_by: idle.id });
  t.match(await assets(rig), [{ affiliation: 'hostile' }]);

  const wrong: [string, unknown, number][] = [
    ['', { asset_id: nobody, affiliation: 'friend' }, 404],
    ['', { asset_id: 'x', affiliation: 'friend' }, 400],
    ['', { asset_id: asset.id, affiliation: 'foe' }, 400],
    ['', { affiliation: 'friend' }, 400],
    ['', { asset_id: asset.id, affiliation: 'friend', expires_at: '2001-01-01T00:00:00Z' }, 400],
    ['/confirm', { serial: '', affiliation: 'friend' }, 400],
    ['/confirm', { serial: '   ', affiliation: 'friend' }, 400],
    ['/confirm', { serial, affiliation: 'ally' }, 400],
    ['/confirm', { affiliation: 'friend' }, 400],
    [`/${idle.id}`, { affiliation: 'foe' }, 400],
    [`/${idle.id}`, { active: false, version: 1 }, 409],
    [`/${nobody}`, { active: false }, 404],
  ];
  for (const [path, body, status] of wrong) {
    const answer = await post(rig, path, body);
    t.equal(answer.status, status, `${path} ${JSON.stringify(body)} ${answer.text}`);
  }
  t.equal((await all(rig)).length, 2, 'and nothing of it was kept');
});

t.test('an assignment outlives its asset as history', async (t) => {
  const rig = await startRig(t);
  const held = (await post(rig, '/confirm', { serial, affiliation: 'friend' })).body.data as Assignment;
  t.equal((await ask(`${rig.url}/api/assets/${held.asset_id}`, { method: 'DELETE' })).status, 200);
  t.match(await all(rig), [{ id: held.id, active: false, superseded_at: String, superseded_by: null, serial }]);
  t.match(await post(rig, `/${held.id}`, { active: true }), { status: 409, body: { code: 'conflict' } });
  const again = (await post(rig, '/confirm', { serial, affiliation: 'friend' })).body.data as Assignment;
  t.not(again.asset_id, held.asset_id, 'the serial is free again');
});
