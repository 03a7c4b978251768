import t from 'tap';
import type { Picture } from '../../../src/model/picture.ts';
import type { Track } from '../../../src/model/track.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import { must } from '../../support/daemon/alerts.ts';
import { startDaemon } from '../../support/daemon/daemon.ts';
import {
  epochOf,
  LIVE_SITE,
  nextWorld,
  play,
  receiver,
  scenarioIn,
  show,
  simState,
  simulatedVehicle,
  visitor,
} from '../../support/daemon/shown_worlds.ts';
import { trackOf } from '../../support/daemon/watch.ts';
import { StreamClient } from '../../support/http/stream_client.ts';
import { Drones, hovering } from '../../support/sky/drones.ts';

onlyInFull(t);
takeTime(t, 120);
const REAL = '1581F5FKD229400000R1';
const PLAYED = '1581F5FKD229400000P1';

const serialsOf = (tracks: readonly Track[]): string[] =>
  tracks.flatMap(({ identities }) => identities.filter(({ type }) => type === 'serial').map(({ value }) => value));

t.test('start shows the simulated world, and live comes back as it was left', async (t) => {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  new Drones(t, daemon).fly(REAL, hovering(LIVE_SITE));
  await trackOf(daemon, REAL, ({ state }) => state === 'confirmed');
  const stream = await StreamClient.open(t, daemon);
  const kept = await StreamClient.open(t, daemon, '?world=live');
  const [first] = stream.events;
  if (!first) throw new Error('the stream began with nothing');
  const live = epochOf(first);
  t.match(first.data.body, { mode: 'live', environment: 'live', sim: { mode: 'live', run: 'idle' } });

  const scenario = await scenarioIn(daemon, { actors: [visitor(PLAYED), simulatedVehicle()], sensors: [receiver] });
  const started = await play(daemon, scenario, { rate: 4 });
  t.match(started, { mode: 'sim', run: 'running', rate: 4, scenario_id: scenario.id, simulator: 'ready' });
  t.match(await daemon.get('/api/sim/state'), { mode: 'sim', run_id: started.run_id });
  const sim = await nextWorld(stream, [live]);
  t.match(sim.picture, { mode: 'sim', environment: 'sim', sim: { mode: 'sim' } });
  t.match(sim.second.data.body, { mode: 'sim' });
  const played = await trackOf(daemon, PLAYED, ({ state }) => state === 'confirmed');
  t.equal(played.provenance, 'simulated');
  const picture = await daemon.get<Picture>('/api/picture');
  t.match(picture, { mode: 'sim', environment: 'sim', epoch: sim.epoch });
  t.notOk(serialsOf(picture.tracks).includes(REAL), 'nothing live is in the simulated picture');
  t.ok(picture.tracks.every(({ provenance }) => provenance === 'simulated'));

  const beside = await daemon.get<Picture>('/api/picture?world=live');
  t.match(beside, { mode: 'live', environment: 'live', epoch: live });
  t.same(serialsOf(beside.tracks), [REAL], 'the live picture has what is live alone');
  t.ok(beside.tracks.every(({ provenance }) => provenance === 'live'));
  t.same(serialsOf(await daemon.get<Track[]>('/api/tracks?world=live')), [REAL]);
  const [real] = beside.tracks;
  t.equal((await daemon.request(`/api/tracks/${real?.id}`)).status, 404);
  t.match(await daemon.get(`/api/tracks/${real?.id}?world=live`), { id: real?.id });
  t.equal((await daemon.request(`/api/tracks/${played.id}?world=live`)).status, 404);

  t.match(await show(daemon, 'live'), { mode: 'live', run: 'running' });
  const again = await stream.next(
    (event) => event.event === 'snapshot' && stream.events.indexOf(event) > stream.events.indexOf(sim.second),
  );
  t.equal(epochOf(again), live, 'the live world went on: its epoch is the one it had');
  t.match(again.data.body, { mode: 'live' });
  const word = await stream.next(
    (event) => event.event === 'sim_state' && stream.events.indexOf(event) > stream.events.indexOf(again),
  );
  t.match(word.data.body, { mode: 'live' });
  t.same(serialsOf(await daemon.get<Track[]>('/api/tracks')), [REAL]);
  const atThen = (await simState(daemon)).sim_at ?? '';
  await until(async () => ((await simState(daemon)).sim_at ?? '') > atThen, 'what is played goes on unseen');

  t.same([...new Set(kept.events.map(epochOf))], [live], 'who asked for the live stream was never shown another world');
  t.equal(kept.events.filter(({ event }) => event === 'snapshot').length, 1);
  t.match(
    await daemon.request('/api/sim/mode', {
      method: 'POST',
      body: '{"mode":"replay"}',
      headers: { 'content-type': 'application/json' },
    }),
    { status: 400 },
  );
});
