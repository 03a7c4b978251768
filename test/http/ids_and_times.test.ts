import t from 'tap';
import { sampleTrack } from '../../src/http/openapi/samples.ts';
import { systemActor } from '../../src/model/actor.ts';
import { ask, askJson, startRig } from '../support/http/server.ts';

const unknown = '11111111-2222-4333-8444-555555555555';

t.test('an id in upper case is the same id, in a path, a query and a body', async (t) => {
  const rig = await startRig(t);
  const { assets } = rig.registry.registry;
  const { id } = assets.create({ name: 'a', spec: {} }, systemActor);
  const read = await ask(`${rig.url}/api/assets/${id.toUpperCase()}`);
  t.match(read.body.data, { id }, read.text);
  const held = await askJson(`${rig.url}/api/assignments`, 'POST', {
    asset_id: id.toUpperCase(),
    affiliation: 'friend',
  });
  t.match(held.body.data, { asset_id: id }, held.text);
  t.equal((await ask(`${rig.url}/api/detections?track_id=${id.toUpperCase()}`)).status, 200);
  t.match(rig.service.asked.detections, [{ trackId: id }]);
  t.equal((await ask(`${rig.url}/api/events?subject=${id.toUpperCase()}`)).status, 200);
  t.match(rig.service.asked.events, [{ subject: id }]);
  t.equal((await ask(`${rig.url}/api/assets/${id.toUpperCase()}`, { method: 'DELETE' })).status, 200);
  t.same(assets.list(), []);
});

t.test('a time that no four digits can write is refused wherever one is taken', async (t) => {
  const rig = await startRig(t);
  const { id } = rig.registry.registry.assets.create({ name: 'a', spec: {} }, systemActor);
  const beyond = ['9999-12-31T23:59:59.999-00:01', '0000-12-31T00:00:00Z', '0001-01-01T00:00:00+00:01'];
  for (const at of beyond) {
    const ways = [
      await ask(`${rig.url}/api/events?since=${encodeURIComponent(at)}`),
      await askJson(`${rig.url}/api/holds`, 'POST', { until: at, reason: 'case' }),
      await askJson(`${rig.url}/api/assignments`, 'POST', { asset_id: id, affiliation: 'friend', expires_at: at }),
      await askJson(`${rig.url}/api/assets/${id}`, 'POST', {
        spec: {},
        placement: { lat: 1, lon: 1, surveyed_at: at },
      }),
    ];
    for (const { status, body } of ways) {
      t.equal(status, 400, `${at}: ${body.error}`);
      t.match(body.error, /must be a time between the years 1 and 9999 in UTC$/);
    }
  }
  const most = { until: '9999-12-31T23:59:59.999Z', since: '0001-01-01T00:00:00Z', reason: 'case' };
  t.match((await askJson(`${rig.url}/api/holds`, 'POST', most)).body.data, {
    since: '0001-01-01T00:00:00.000Z',
    until: '9999-12-31T23:59:59.999Z',
  });
});

t.test('a track of which nothing is known has no evidence to ask after and takes no hold', async (t) => {
  const rig = await startRig(t);
  const evidence = (id: string, method: string) => ask(`${rig.url}/api/evidence/${id}`, { method });
  t.equal((await evidence(unknown, 'HEAD')).status, 404);
  t.equal((await evidence(unknown, 'GET')).status, 404);
  t.equal((await evidence(sampleTrack.id, 'HEAD')).status, 200);
  const hold = (track_id: string) => askJson(`${rig.url}/api/holds`, 'POST', { track_id, reason: 'case' });
  t.match((await hold(unknown)).body, { code: 'not_found' });
  t.same(rig.registry.registry.holds.list(), []);
  t.equal((await hold(sampleTrack.id)).status, 200);
});

t.test('the end of an assignment is taken away by an empty text, and by nothing else', async (t) => {
  const rig = await startRig(t);
  const { assets, assignments } = rig.registry.registry;
  const { id: asset_id } = assets.create({ name: 'a', spec: {} }, systemActor);
  const expires_at = '2999-01-01T00:00:00.000Z';
  const { id } = assignments.create({ asset_id, affiliation: 'friend', expires_at }, systemActor);
  const change = async (body: object) => (await askJson(`${rig.url}/api/assignments/${id}`, 'POST', body)).body;
  t.match((await change({ operator: 'north' })).data, { expires_at });
  t.match((await change({ expires_at: null })).data, { expires_at });
  t.match(await change({ expires_at: 'never' }), { code: 'invalid_input', error: /'expires_at'/ });
  t.match((await change({ expires_at: '' })).data, { expires_at: null, active: true });
});
