import t from 'tap';
import type { Picture } from '../../../src/model/picture.ts';
import type { Scenario } from '../../../src/model/scenario.ts';
import { takeTime } from '../../support/basics/patience.ts';
import { startDaemon, until } from '../../support/daemon/daemon.ts';
import { StreamClient } from '../../support/http/stream_client.ts';

takeTime(t, 90);
/** A newcomer looks no longer. */
const SOON_MS = 15_000;

t.test('the demonstration has something to see within seconds', async (t) => {
  const daemon = await startDaemon(t, { args: ['--demo'] });
  const picture = (): Promise<Picture> => daemon.get<Picture>('/api/picture');
  const found = await until(
    async () => {
      const now = await picture();
      const moving = now.tracks.filter(({ velocity }) => (velocity?.speed_mps ?? 0) > 3);
      const isGrave = now.threats.some(({ level }) => level === 'high' || level === 'critical');
      return moving.length >= 3 && isGrave && now.alerts.length > 0 && now;
    },
    'aircraft move, somebody is a threat, and an alert tells of it',
    SOON_MS,
  );
  t.match(found, { mode: 'sim', environment: 'sim', sim: { run: 'running', rate: 1 } });
  const scenarios = await daemon.get<Scenario[]>('/api/scenarios');
  const { sensors = [], expect = [] } = scenarios.find(({ name }) => name === 'Demonstration') ?? {};
  const [outage] = sensors.flatMap(({ outages }) => outages ?? []);
  t.same(outage, { from_s: 120, to_s: 240 }, 'a sensor is dead for two minutes, to practise it');
  t.ok(
    expect.some((one) => one.kind === 'alert' && one.rule === 'sensor_silent'),
    'an alert tells of it',
  );
  const stream = await StreamClient.open(t, daemon);
  await stream.next(({ event }) => event === 'track_update');
});
