import t from 'tap';
import type { DecisionConfig } from '../../src/model/decision_config.ts';
import type { Doctrine } from '../../src/model/doctrine.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { type Daemon, until } from '../support/daemon/daemon.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { picture } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { udpSender } from '../support/links/senders.ts';

onlyInFull(t);

function save(daemon: Daemon, config: unknown) {
  const headers = { 'content-type': 'application/json' };
  return daemon.request('/api/decision-config', { method: 'PUT', headers, body: JSON.stringify(config) });
}

t.test(
  'what the file says of tracking holds until a config is saved, which holds at once and after a restart',
  async (t) => {
    const box = fieldBox(t, `${radarConfig}\ntracking: {lost_s: 40, coast_s: 30}\n`);
    const daemon = await box.start();
    const stream = await StreamClient.open(t, daemon);
    const before = await daemon.get<DecisionConfig>('/api/decision-config');
    t.match(before, { version: 0, tracking: { coast_s: 30, lost_s: 40, close_s: 600 } });

    const send = udpSender(t, await daemon.port('rows'));
    const row = (s: number) =>
      JSON.stringify({
        sensor_id: 'mast',
        report: 'position',
        position: { lat: 47.4 + s * 1e-5, lon: 8.5 },
        sigma: { h_m: 5 },
      });
    let sent = 0;
    const track = await until(async () => {
      await send(`${row(sent++)}\n`);
      const { tracks } = await picture(daemon);
      return tracks.find(({ state }) => state === 'confirmed') ?? null;
    }, 'a track is confirmed');
    const quick = {
      ...before,
      posture: 'elevated',
      tracking: { ...before.tracking, coast_s: 0.2, lost_s: 0.4, close_s: 0.6 },
    };
    t.equal((await save(daemon, quick)).status, 200);
    await stream.next(({ event, data }) => event === 'config_change' && data.body.what === 'decision_config');
    await until(
      async () => (await picture(daemon)).tracks.every(({ id }) => id !== track.id),
      'the track is closed, as it now should be',
    );
    t.equal((await picture(daemon)).posture, 'elevated');
    const { settings } = await daemon.get<Doctrine>('/api/doctrine');
    const coast = settings.find(({ key }) => key === 'decision.tracking.coast_s');
    t.match(coast?.trace, [
      { layer: 'default', value: 5 },
      { layer: 'file', value: 30 },
      { layer: 'workspace', value: 0.2, by: 'open:127.0.0.1' },
    ]);
    const dir = settings.find(({ key }) => key === 'data.dir');
    t.match(dir?.trace.at(-1), { layer: 'env', value: box.dataDir, by: '--data' });
    const lost = settings.find(({ key }) => key === 'tracking.lost_s');
    t.match(lost, {
      value: 40,
      default: 22,
      min: 0.1,
      max: 3_600,
      trace: [{ value: 22 }, { layer: 'file', value: 40, by: box.config }],
    });
    await daemon.end();
    const again = await box.start();
    t.match(await again.get('/api/decision-config'), { version: 1, tracking: { coast_s: 0.2 } });
  },
);
