import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Health } from '../../src/model/health.ts';
import type { Track } from '../../src/model/track.ts';
import { onlyInFull, until } from '../support/basics/patience.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { nodeWith } from '../support/daemon/program.ts';
import { flySwarm } from '../support/daemon/swarm.ts';

const hungry = new URL('../support/daemon/hungry_core.js', import.meta.url).href;
onlyInFull(t);

const aircraft = 5;

t.test('a core that runs out of memory is started again from the picture, and the daemon goes on', async (t) => {
  const daemon = await fieldBox(t, radarConfig).spawn({ command: nodeWith(`--import ${hungry}`) });
  flySwarm(t, await daemon.port('rows'), { count: aircraft, hz: 5, sensor: 'mast' });
  const confirmed = () =>
    until(async () => {
      const tracks = await daemon.get<Track[]>('/api/tracks');
      const found = tracks.filter(({ state }) => state === 'confirmed');
      return found.length === aircraft && found.map(({ id, number }) => `${number} ${id}`).sort();
    }, 'five confirmed tracks');
  const before = await confirmed();
  daemon.process.kill('SIGUSR2');
  const restarted = await until(
    async () => (await daemon.get<LogEvent[]>('/api/events?kind=core.restarted'))[0],
    'the restart is a row of the log',
  );
  t.match(restarted, { severity: 'critical', text: /the core failed and was started again: .*memory/ });
  t.match((await daemon.get<Health>('/api/health')).parts[0], { name: 'core', state: 'degraded', text: /memory/ });
  t.same(await confirmed(), before, 'the same tracks go on');
  const alert = await until(
    async () => (await daemon.get<Alert[]>('/api/alerts')).find(({ rule_id }) => rule_id === 'box.core'),
    'it is alerted',
  );
  t.match(alert, { text: /^The tracker: .*memory.* Look at the sky/ });
  t.equal((await daemon.get<LogEvent[]>('/api/events?kind=core.restarted')).length, 1, 'once');
  t.equal(await daemon.end(), 0);
});
