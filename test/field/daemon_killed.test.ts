import t, { type Test } from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track, TrackPoint } from '../../src/model/track.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { timesOf } from '../support/basics/size.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { allRows, fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { rowOf } from '../support/daemon/swarm.ts';

onlyInFull(t);
takeTime(t, 300);

const rounds = timesOf({ usual: 6, full: 15 });
const aircraft = 5;
/** A track's document is written so often, and once more where a core's turn is late. */
const documentEveryS = 2.5;

/** What the daemon has answered for, and what it was asked when it died. */
class Promises {
  readonly sensors = new Map<string, { name: string; version: number } | 'deleted'>();
  readonly points = new Map<string, TrackPoint[]>();
  asked: { id: string | null; name: string } | null = null;
  observations = 0;
  writes = 0;
  readings = 0;
}

/** Writes as fast as it is answered, until the daemon is gone. */
async function writeSensors(daemon: Daemon, round: number, promises: Promises, random: () => number): Promise<void> {
  const mine: string[] = [];
  for (let n = 0; ; n++) {
    const name = `sensor ${round}/${n}`;
    const id = mine[Math.floor(random() * mine.length)];
    const choice = random();
    if (id === undefined || choice < 0.7) {
      promises.asked = { id: null, name };
      const { body } = await daemon.post('/api/sensors', { name, modality: 'acoustic' });
      const made = body.data as Sensor;
      promises.sensors.set(made.id, { name, version: made.version });
      mine.push(made.id);
    } else if (choice < 0.9) {
      promises.asked = { id, name };
      const { body } = await daemon.post(`/api/sensors/${id}`, { name });
      promises.sensors.set(id, { name, version: (body.data as Sensor).version });
    } else {
      promises.asked = { id, name };
      await daemon.request(`/api/sensors/${id}`, { method: 'DELETE' });
      promises.sensors.set(id, 'deleted');
      mine.splice(mine.indexOf(id), 1);
    }
    promises.asked = null;
    promises.writes++;
  }
}

async function observe(daemon: Daemon, round: number, promises: Promises): Promise<void> {
  for (let n = 0; ; n++) {
    const obs = Array.from({ length: aircraft }, (_, at) => rowOf(at, 'mast', round + n / 100));
    const { body } = await daemon.post('/api/ingest/obs', { obs });
    promises.observations += (body.data as { accepted: number }).accepted;
  }
}

/** An answer of the history is of what has been committed. */
async function readHistories(daemon: Daemon, promises: Promises): Promise<void> {
  for (;;) {
    for (const { id } of await daemon.get<Track[]>('/api/tracks')) {
      promises.points.set(id, await daemon.get<TrackPoint[]>(`/api/tracks/${id}/history?limit=1000`));
    }
    if (promises.points.size >= aircraft) promises.readings++;
  }
}

async function checkSensors(t: Test, daemon: Daemon, promises: Promises): Promise<void> {
  const stored = new Map((await daemon.get<Sensor[]>('/api/sensors')).map((sensor) => [sensor.id, sensor]));
  const { sensors, asked } = promises;
  const wrong: string[] = [];
  for (const [id, promised] of sensors) {
    if (id === asked?.id) continue;
    const found = stored.get(id);
    const now = found === undefined ? 'deleted' : `${found.name} v${found.version}`;
    const then = promised === 'deleted' ? 'deleted' : `${promised.name} v${promised.version}`;
    if (now !== then) wrong.push(`${id} was answered as ${then} and is ${now}`);
  }
  for (const { id, name, declared_by } of stored.values()) {
    // The row of the link itself is declared by the link.
    if (declared_by === 'link') continue;
    const known = sensors.has(id) || name === 'mast' || (asked?.id === null && asked.name === name);
    if (!known || declared_by !== 'manual') wrong.push(`nobody asked for ${name}`);
  }
  t.same(wrong, [], `all of ${sensors.size} sensors are as they were answered`);
  // What was asked and not answered may be either; from here on it is what it is.
  for (const { id, name, version } of stored.values()) if (name !== 'mast') sensors.set(id, { name, version });
  if (asked?.id != null && !stored.has(asked.id)) sensors.set(asked.id, 'deleted');
  promises.asked = null;
}

function lateS(is: string, was: string): number {
  return (Date.parse(is) - Date.parse(was)) / 1_000;
}

/** Before anything is observed again. */
async function checkTracks(t: Test, daemon: Daemon, promises: Promises): Promise<void> {
  const tracks = await daemon.get<Track[]>('/api/tracks');
  t.same(
    new Set(tracks.map(({ state }) => state)),
    new Set(tracks.length > 0 ? ['lost'] : []),
    'none is shown as live',
  );
  const wrong: string[] = [];
  for (const [id, points] of promises.points) {
    const track = tracks.find((row) => row.id === id);
    const lastAt = points.at(-1)?.at ?? '';
    if (track === undefined) wrong.push(`${id} is gone`);
    else if (lateS(lastAt, track.last_seen_at) > documentEveryS)
      wrong.push(`${id} was last seen ${lastAt}, not ${track.last_seen_at}`);
    else if (track.last_seen_at > new Date().toISOString()) wrong.push(`${id} was seen in the future`);
    const stored = await daemon.get<TrackPoint[]>(`/api/tracks/${id}/history?limit=1000`);
    const times = new Set(stored.map(({ at }) => at));
    for (const { at } of points) if (!times.has(at)) wrong.push(`${id} has lost its point of ${at}`);
  }
  t.same(wrong, [], `tracks and their histories are back (${tracks.length})`);
  const events = await allRows<LogEvent>(daemon, '/api/events');
  t.equal(
    new Set(events.map(({ seq }) => seq)).size,
    events.length,
    `${events.length} events, each with its own number`,
  );
}

t.test('a daemon killed at any moment keeps every change it answered, and its history', async (t) => {
  const seed = seedOf(t);
  const random = randomFrom(seed);
  const box = fieldBox(t, radarConfig);
  const promises = new Promises();
  const starts: number[] = [];

  for (let round = 0; round <= rounds; round++) {
    const daemon = await box.spawn();
    starts.push(daemon.startMs);
    if (round > 0) {
      const errors = daemon.lines.filter((line) => Number(line.level) >= 50);
      t.same(errors, [], `start ${round} has nothing to complain of`);
      const sentences = daemon.lines.map((line) => line.msg);
      t.ok(sentences.includes('the last run was not shut down properly; the state database was checked and is intact'));
      await checkTracks(t, daemon, promises);
      await checkSensors(t, daemon, promises);
    }
    if (round === rounds) {
      t.equal(await daemon.end(), 0, 'and in the end it stops in order');
      break;
    }
    promises.writes = 0;
    const work = [
      writeSensors(daemon, round, promises, random),
      observe(daemon, round, promises),
      readHistories(daemon, promises),
    ];
    const gone = Promise.allSettled(work);
    await until(async () => promises.writes > 0, 'a first write is answered');
    // In every third round all histories were read before; else it may happen before much is on the disk.
    const { readings } = promises;
    if (round % 3 === 0) await until(async () => promises.readings > readings, 'all histories are read');
    const killAfterMs = random() * 300;
    await new Promise((resolve) => setTimeout(resolve, killAfterMs));
    t.equal(await daemon.end('SIGKILL'), null, `round ${round}: killed after ${killAfterMs.toFixed(0)} ms more`);
    for (const outcome of await gone) {
      // The writers end with the connection, and with nothing else.
      const cause = outcome.status === 'rejected' ? String(outcome.reason) : 'ended by itself';
      t.match(cause, /fetch failed|terminated|other side closed|Unexpected end/);
    }
  }
  t.ok(promises.sensors.size > rounds, `${promises.sensors.size} sensors were made`);
  t.ok(promises.points.size >= aircraft, 'histories were read');
  t.ok(Math.max(...starts) < 30_000, `starts took ${starts.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  t.comment(`starts took ${starts.map((ms) => ms.toFixed(0)).join(', ')} ms; ${promises.observations} observations`);
});
