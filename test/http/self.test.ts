import t from 'tap';
import { parse } from 'yaml';
import { eventBodies } from '../../src/model/event.ts';
import { ask, askJson, startRig } from '../support/http/server.ts';

t.test('health is 503 with the part that is down, and the banner says so too', async (t) => {
  const rig = await startRig(t);
  t.match((await ask(`${rig.url}/api/health`)).body, { ok: true, data: { healthy: true } });
  rig.service.state.health = {
    healthy: false,
    parts: [
      { name: 'store', state: 'down', needed: true, text: 'the disk is full' },
      { name: 'roof link', state: 'down', needed: false, text: 'no device' },
    ],
  };
  const { status, body } = await ask(`${rig.url}/api/health`);
  t.equal(status, 503);
  t.same(body, { ok: false, error: 'not healthy: store (the disk is full)', code: 'unavailable' });
  t.match((await ask(`${rig.url}/`)).body.data, { healthy: false, interface_version: '0.1.0' });
});

t.test('the manifest says what this build can do and how it is set', async (t) => {
  const rig = await startRig(t, { stream: { clients: 7 } });
  const { text, headers } = await ask(`${rig.url}/api/manifest.yaml`);
  t.match(headers.get('content-type'), /^application\/yaml/);
  const manifest = parse(text);
  t.same(Object.keys(manifest), [
    'name',
    'version',
    'build',
    'interface_version',
    'surfaces',
    'features',
    'protocols',
    'verbs',
    'event_kinds',
    'limits',
    'settings_hash',
    'workspaces',
  ]);
  t.same(manifest.event_kinds, Object.keys(eventBodies));
  t.equal(manifest.limits.streams, 7);
});

t.test('the metrics are text', async (t) => {
  const rig = await startRig(t);
  const { text, headers } = await ask(`${rig.url}/metrics`);
  t.equal(text, 'dunlin_up 1\n');
  t.match(headers.get('content-type'), /^text\/plain; version=0.0.4/);
});

t.test('an owner changes the log level over HTTP, with an audit row', async (t) => {
  const rig = await startRig(t);
  t.match((await ask(`${rig.url}/api/log-level`)).body.data, { level: 'info', configured: 'info', reverts_at: null });
  const set = await askJson(`${rig.url}/api/log-level`, 'PUT', { level: 'debug', for_s: 60 });
  t.match(set.body.data, { level: 'debug', configured: 'info', reverts_at: /^20/ });
  const rows = [...rig.registry.ledger.audit.since(0)].filter(({ kind }) => kind === 'log.level');
  t.match(rows, [{ text: 'the log level is debug for 60 s' }]);
  t.equal((await askJson(`${rig.url}/api/log-level`, 'PUT', { level: 'loud' })).status, 400);
  const observer = await startRig(t, { access: { openRole: 'operator' } });
  t.equal((await askJson(`${observer.url}/api/log-level`, 'PUT', { level: 'debug' })).status, 403);
});

t.test('both names of the simulator state answer alike', async (t) => {
  const rig = await startRig(t);
  t.same((await ask(`${rig.url}/api/sim`)).body, (await ask(`${rig.url}/api/sim/state`)).body);
  t.match((await ask(`${rig.url}/api/sim`)).body.data, { mode: 'live', run: 'idle' });
});
