import { readdirSync } from 'node:fs';
import t from 'tap';
import type { Asset } from '../../../src/model/asset.ts';
import type { Run } from '../../../src/model/run.ts';
import { folderOf } from '../../support/basics/folder.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import { must } from '../../support/daemon/alerts.ts';
import { spawnDaemon } from '../../support/daemon/daemon_process.ts';
import { nodeWith } from '../../support/daemon/program.ts';
import {
  play,
  receiver,
  scenarioIn,
  show,
  simAs,
  simState,
  simulatedVehicle,
  visitor,
} from '../../support/daemon/shown_worlds.ts';
import { trackOf } from '../../support/daemon/watch.ts';

onlyInFull(t);
takeTime(t, 180);
const SERIAL = '1581F5FKD229400000K1';
/** A thread that is told to die by a signal. */
const mortal = new URL('../../support/daemon/killable_core.js', import.meta.url).href;

const played = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('played-'));

t.test('a run that was going when the service was killed has failed, and nothing of it is left', async (t) => {
  const dataDir = folderOf(t);
  const first = await spawnDaemon(t, { dataDir });
  const scenario = await scenarioIn(first, { actors: [visitor(SERIAL), simulatedVehicle()], sensors: [receiver] });
  await play(first, scenario, { rate: 4 });
  await trackOf(first, SERIAL);
  // People may have the vehicle carry something, and rename it.
  const [heron] = await first.get<Asset[]>('/api/assets');
  const lamp = await must<Asset>(first, '/api/assets', { name: 'lamp', kind: 'sensor', spec: {} });
  await must(first, `/api/assets/${lamp.id}`, { spec: {}, placement: { carried_by: heron?.id } });
  await must(first, `/api/assets/${heron?.id}`, { name: 'renamed', spec: {} });
  await until(async () => played(dataDir).length === 1, 'what is played is on the disk');
  await first.end('SIGKILL');
  t.equal(played(dataDir).length, 1, 'what was played is still on the disk');

  const second = await spawnDaemon(t, { dataDir });
  t.same(played(dataDir), [], 'it is taken away at the start');
  t.match(await simState(second), { mode: 'live', run: 'idle' });
  const [run] = await second.get<Run[]>('/api/simulation/runs');
  t.match(run, { state: 'failed', reason: 'the service stopped during the run' });
  await show(second, 'sim');
  t.match(
    await second.get('/api/assets'),
    [{ name: 'lamp', placement: null }],
    'the vehicle is gone, its payload remains',
  );
  await play(second, scenario);
  t.same((await second.get<Asset[]>('/api/assets')).map(({ name }) => name).sort(), ['Heron', 'lamp']);
  const began = performance.now();
  t.equal(await second.end(), 0, 'in the middle of a run the service ends in order');
  t.ok(performance.now() - began < 8_000, `within 8 s: ${performance.now() - began} ms`);
  t.same(played(dataDir), []);

  const third = await spawnDaemon(t, { dataDir });
  const [ended] = await third.get<Run[]>('/api/simulation/runs');
  t.match(ended, { state: 'failed', reason: 'the service stopped' });
});

t.test('a core of a run that dies ends the run with a sentence, and the live world does not notice', async (t) => {
  const daemon = await spawnDaemon(t, { command: nodeWith(`--import=${mortal}`) });
  const scenario = await scenarioIn(daemon, { actors: [visitor(SERIAL)], sensors: [receiver] });
  await play(daemon, scenario, { rate: 4 });
  await trackOf(daemon, SERIAL);
  const { epoch } = await daemon.get<{ epoch: string }>('/api/picture?world=live');
  daemon.process.kill('SIGUSR2');
  t.match(await simAs(daemon, 'failed'), { mode: 'sim' });
  const [run] = await daemon.get<Run[]>('/api/simulation/runs');
  t.match(run, { state: 'failed', reason: /^the core failed: / });
  t.match(await daemon.get('/api/picture?world=live'), { epoch, mode: 'live' });
  await show(daemon, 'live');
  const kinds = (await daemon.get<{ kind: string }[]>('/api/events?limit=1000')).map(({ kind }) => kind);
  t.notOk(kinds.includes('core.restarted'), 'the core of the live world went on');
  await play(daemon, scenario, { rate: 4 });
  await trackOf(daemon, SERIAL);
  await must(daemon, '/api/sim/stop', {});
  await show(daemon, 'live');
  t.same(played(daemon.dataDir), []);
});

t.test('a run whose history cannot begin fails, and the next one begins', async (t) => {
  const daemon = await spawnDaemon(t);
  const scenario = await scenarioIn(daemon, {
    actors: [simulatedVehicle({ remote_id: { serial: SERIAL } })],
    sensors: [receiver],
  });
  await show(daemon, 'sim');
  const taken = await must<Asset>(daemon, '/api/assets', { name: 'taken', spec: { remote_id_serial: SERIAL } });
  const refused = await daemon.post('/api/sim/start', { scenario_id: scenario.id });
  t.equal(refused.status, 409, refused.body.error ?? '');
  t.match(await simState(daemon), { run: 'failed' });
  t.match((await daemon.get<Run[]>('/api/simulation/runs'))[0], { state: 'failed', reason: refused.body.error });
  t.same(played(daemon.dataDir), [], 'what did not begin leaves nothing');
  await show(daemon, 'live');
  await show(daemon, 'sim');
  t.equal((await daemon.request(`/api/assets/${taken.id}`, { method: 'DELETE' })).status, 200);
  t.match(await play(daemon, scenario), { run: 'running' });
});
