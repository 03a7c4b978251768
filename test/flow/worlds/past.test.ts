import t from 'tap';
import type { LogEvent } from '../../../src/model/event.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import { must } from '../../support/daemon/alerts.ts';
import { startDaemon } from '../../support/daemon/daemon.ts';
import { LIVE_SITE, play, receiver, scenarioIn, show, visitor } from '../../support/daemon/shown_worlds.ts';
import { pointsOf, trackOf } from '../../support/daemon/watch.ts';
import { Drones, hovering } from '../../support/sky/drones.ts';

onlyInFull(t);
takeTime(t, 120);
const REAL = '1581F5FKD229400000H1';
const PLAYED = '1581F5FKD229400000H2';

t.test('events, points and evidence are of the world that is shown, and say so', async (t) => {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  new Drones(t, daemon).fly(REAL, hovering(LIVE_SITE));
  const real = await trackOf(daemon, REAL, ({ state }) => state === 'confirmed');
  await pointsOf(daemon, real.id, 1);
  const scenario = await scenarioIn(daemon, { actors: [visitor(PLAYED)], sensors: [receiver] });
  await play(daemon, scenario, { rate: 10 });
  const track = await trackOf(daemon, PLAYED, ({ state }) => state === 'confirmed');
  const points = await pointsOf(daemon, track.id, 5);
  t.ok(points.length >= 5);
  const events = await until(async () => {
    const found = await daemon.get<LogEvent[]>('/api/events?limit=1000');
    return found.some(({ kind }) => kind.startsWith('track.')) && found;
  }, 'the log of the simulated world tells of its track');
  t.same(
    [...new Set(events.filter(({ kind }) => kind.startsWith('track.')).map(({ provenance }) => provenance))],
    ['simulated'],
  );
  t.notOk(JSON.stringify(events).includes(real.id), 'nothing of a live track is in it');
  t.equal((await daemon.request(`/api/tracks/${real.id}/history`)).status, 404);
  t.equal((await fetch(`${daemon.url}/api/evidence/${real.id}`)).status, 404);
  const evidence = await fetch(`${daemon.url}/api/evidence/${track.id}`);
  t.equal(evidence.status, 200);
  t.ok((await evidence.arrayBuffer()).byteLength > 1_000);

  await show(daemon, 'live');
  t.equal((await daemon.request(`/api/tracks/${track.id}/history`)).status, 404);
  t.equal((await fetch(`${daemon.url}/api/evidence/${track.id}`)).status, 404);
  const live = await daemon.get<LogEvent[]>('/api/events?limit=1000');
  t.notOk(JSON.stringify(live).includes(track.id), 'nothing of a simulated track is in the log of the live world');
  t.same([...new Set(live.map(({ provenance }) => provenance))], ['live']);
});
