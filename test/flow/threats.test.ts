import t from 'tap';
import type { DecisionConfig } from '../../src/model/decision_config.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Zone } from '../../src/model/zone.ts';
import { takeTime } from '../support/basics/patience.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { picture, trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';

takeTime(t, 90);

const SERIAL = '1581F5FKD22940000001';
const middle = [8.7302, 47.1987] as const;

async function must<T>(daemon: Daemon, path: string, body: object): Promise<T> {
  const { status, body: answer } = await daemon.post(path, body);
  if (status !== 200) throw new Error(`${path}: ${answer.error}`);
  return answer.data as T;
}

/** Somebody tells several times a second where an aircraft stands in the air, until the test ends. */
function hover(t: { teardown(stop: () => void): unknown }, daemon: Daemon, place: { lat: number; lon: number }): void {
  const row = {
    sensor_id: 'mast',
    report: 'position',
    position: { ...place, alt_hae_m: 560, alt_agl_m: 60 },
    velocity: { speed_mps: 0, climb_mps: 0 },
    sigma: { h_m: 3, v_m: 3 },
    identity: [{ type: 'serial', value: SERIAL, transport: 'other' }],
  };
  const timer = setInterval(() => void daemon.post('/api/ingest/obs', { obs: [row] }).catch(() => {}), 200);
  t.teardown(() => clearInterval(timer));
}

const threatOf = (daemon: Daemon, fits: (threat: Threat) => boolean): Promise<Threat> =>
  until(async () => (await daemon.get<Threat[]>('/api/threats')).find(fits) ?? null, 'the threat is as awaited');

t.test('a drone over what becomes protected is a threat at once, and says why', async (t) => {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const stream = await StreamClient.open(t, daemon);
  hover(t, daemon, { lat: middle[1], lon: middle[0] });
  const track = await trackOf(daemon, SERIAL, ({ state }) => state === 'confirmed');
  const before = await threatOf(daemon, ({ track_id }) => track_id === track.id);
  t.equal(before.level, 'none', 'where nothing is protected, an aircraft that tells its name is hardly one');

  const zone = await must<Zone>(daemon, '/api/zones', {
    name: 'apron',
    kind: 'protected',
    geometry: { type: 'Point', coordinates: middle, radius_m: 300 },
  });
  const { data } = await stream.next(
    ({ event, data }) => event === 'threat_update' && (data.body as Threat).level !== 'none',
  );
  const risen = data.body as Threat;
  t.match(risen, { track_id: track.id, nearest_zone: { id: zone.id }, cpa: { zone_id: zone.id, distance_m: 0 } });
  const inside = risen.factors.find(({ id }) => id === 'inside');
  t.match(inside?.text, /^It is in apron, \d+ m from the edge\.$/);
  const sum = risen.factors.reduce((all, { contribution }) => all + contribution, 0);
  t.ok(Math.abs(sum - risen.score) < 0.011, `${sum} is ${risen.score}`);
  const { threats } = await picture(daemon);
  t.same(
    threats.map(({ track_id }) => track_id),
    [track.id],
  );
  const events = await until(async () => {
    const found = await daemon.get<LogEvent[]>('/api/events?kind=threat.level');
    return found.length > 0 ? found : null;
  }, 'the log tells the level');
  t.match(events[0], { subject: { id: track.id }, before: { level: 'none' }, policy_version: 0 });

  await t.test('a policy that is saved holds for the running core, and threats name its version', async (t) => {
    const config = await daemon.get<DecisionConfig>('/api/decision-config');
    const calm = { ...config, weights: { ...config.weights, inside: 0, approach: 0, dwell: 0, closest_approach: 0 } };
    const preview = await must<Threat[]>(daemon, '/api/threats/preview', { config: calm });
    t.ok((preview[0]?.score ?? 100) < risen.score, 'previewed');
    t.equal((await daemon.get<Threat>(`/api/threats/${track.id}`)).policy_version, 0, 'and not saved');
    const headers = { 'content-type': 'application/json' };
    const saved = await daemon.request('/api/decision-config', { method: 'PUT', headers, body: JSON.stringify(calm) });
    t.equal(saved.status, 200);
    const now = await threatOf(daemon, ({ policy_version }) => policy_version === 1);
    t.equal(
      now.factors.find(({ id }) => id === 'inside'),
      undefined,
    );
    t.ok(Math.abs(now.score - (preview[0]?.score ?? 0)) < 8, `${now.score} was previewed as ${preview[0]?.score}`);
  });

  await t.test('who has seen it, and who takes it for none, is told and audited', async (t) => {
    const path = `/api/threats/${track.id}`;
    t.match(await must(daemon, `${path}/acknowledge`, { note: 'police told' }), {
      acknowledged: { note: 'police told' },
    });
    const dismissed = await must<Threat>(daemon, `${path}/dismiss`, { reason: 'the roofer' });
    t.match(dismissed, { acknowledged: { note: 'police told' }, dismissed: { reason: 'the roofer', until: null } });
    const over = await must<Threat>(daemon, `${path}/dismiss`, { reason: 'not him', until: '2020-01-01T00:00:00Z' });
    t.equal(over.dismissed, null);
    for (const kind of ['threat.acknowledged', 'threat.dismissed', 'threat.recalled'])
      t.match(await daemon.get<LogEvent[]>(`/api/events?kind=${kind}`), [{ subject: { id: track.id } }]);
    t.equal(
      (await daemon.post('/api/threats/11111111-2222-4333-8444-555555555555/dismiss', { reason: 'x' })).status,
      404,
    );
  });

  await t.test('what a person says is ours is no threat any more', async (t) => {
    const asset = await must<{ id: string }>(daemon, '/api/assets', {
      name: 'Survey 1',
      kind: 'platform',
      spec: { remote_id_serial: SERIAL },
    });
    await must(daemon, '/api/assignments', { asset_id: asset.id, affiliation: 'friend', reason: 'it is flown by us' });
    await stream.next(({ event, data }) => event === 'threat_cleared' && data.body.track_id === track.id);
    t.same(await daemon.get('/api/threats'), []);
  });
});
