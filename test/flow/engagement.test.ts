import t from 'tap';
import type { DecisionConfig } from '../../src/model/decision_config.ts';
import type { Engagement, EngagementView } from '../../src/model/engagement.ts';
import type { LogEvent } from '../../src/model/event.ts';
import { takeTime } from '../support/basics/patience.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { picture } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';

takeTime(t, 90);

const middle = [8.7302, 47.1987] as const;

async function must<T>(daemon: Daemon, path: string, body: object): Promise<T> {
  const { status, body: answer } = await daemon.post(path, body);
  if (status !== 200) throw new Error(`${path}: ${answer.error}`);
  return answer.data as T;
}

/** Somebody tells several times a second that an aircraft without a name hovers there, until the test ends. */
function hover(t: { teardown(stop: () => void): unknown }, daemon: Daemon): void {
  const row = {
    sensor_id: 'mast',
    report: 'position',
    position: { lat: middle[1], lon: middle[0], alt_hae_m: 560, alt_agl_m: 60 },
    velocity: { speed_mps: 0, climb_mps: 0 },
    sigma: { h_m: 3, v_m: 3 },
    identity: [{ type: 'serial', value: '1581F5FKD22940000001', transport: 'other' }],
  };
  const timer = setInterval(() => void daemon.post('/api/ingest/obs', { obs: [row] }).catch(() => {}), 200);
  t.teardown(() => clearInterval(timer));
}

t.test('on a box without vehicles those in charge are told at the word of a person', async (t) => {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const geometry = { type: 'Point', coordinates: middle, radius_m: 300 };
  await must(daemon, '/api/zones', { name: 'apron', kind: 'protected', geometry });
  const config = await daemon.get<DecisionConfig>('/api/decision-config');
  const headers = { 'content-type': 'application/json' };
  // Under this posture a threat of level medium is enough.
  const body = JSON.stringify({ ...config, posture: 'high', levels: { ...config.levels, low: 5, medium: 10 } });
  await daemon.request('/api/decision-config', { method: 'PUT', headers, body });
  const stream = await StreamClient.open(t, daemon);
  hover(t, daemon);
  const { data } = await stream.next(({ event }) => event === 'engagement_update');
  const proposed = data.body as Engagement;
  const plan = proposed.candidates.find(({ response }) => response === 'notify');
  t.match([proposed.state, plan?.feasible], ['proposed', true]);
  const shown = await picture(daemon);
  t.ok(shown.engagements.some(({ id }) => id === proposed.id));

  const ask = { track_id: proposed.track_id, plan_id: plan?.id, hash: plan?.hash, operator: 'anna', reason: 'a test' };
  const future = await daemon.post('/api/engagement/task', { ...ask, seq: shown.seq + 1_000_000 });
  t.match([future.status, future.body.error], [409, /picture/]);
  const earlier = await daemon.post('/api/engagement/task', { ...ask, seq: shown.seq, epoch: '0123456789ab' });
  t.match(
    [earlier.status, earlier.body.error],
    [409, /the picture 0123456789ab:\d+ is not one that was shown recently/],
  );
  const done = await must<Engagement>(daemon, '/api/engagement/task', { ...ask, seq: shown.seq, epoch: shown.epoch });
  t.equal(done.state, 'completed');
  const told = await until(async () => {
    const found = await daemon.get<LogEvent[]>('/api/events?kind=engagement.notified');
    return found.length > 0 ? found : null;
  }, 'the log tells it');
  t.match(told[0], { severity: 'warning', text: /reports T-\d{4}, a threat/ });
  const view = await daemon.get<EngagementView>('/api/engagement');
  t.match(
    view.engagements.find(({ id }) => id === proposed.id),
    { state: 'completed', approvals: [{ by: /^open:.* \(anna\)$/ }] },
  );
});
