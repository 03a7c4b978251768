import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { allRows, fieldBox } from '../support/daemon/field_box.ts';

takeTime(t, 300);

const clients = 200;
const rounds = 3;

type Answered = {
  sensors: Map<string, { name: string; version: number } | 'deleted'>;
  doubtful: Set<string>;
  writes: number;
};

/** Makes, changes and deletes sensors of its own until the daemon is gone. What was asked and not answered is in doubt. */
async function write(daemon: Daemon, client: number, answered: Answered): Promise<void> {
  for (let n = 0; ; n++) {
    const name = `c${client} n${n} ${randomUUID()}`;
    answered.doubtful.add(name);
    const { status, body } = await daemon.post('/api/sensors', { name, modality: 'acoustic' });
    if (status !== 200) throw new Error(`${status} ${body.error}`);
    const { id } = body.data as Sensor;
    answered.sensors.set(id, { name, version: 1 });
    answered.doubtful.delete(name);
    answered.writes++;
    if (n % 3 === 0) continue;
    answered.doubtful.add(id);
    if (n % 3 === 1) {
      const changed = (await daemon.post(`/api/sensors/${id}`, { placement: { lat: 1, lon: 2 }, version: 1 })).body;
      answered.sensors.set(id, { name, version: (changed.data as Sensor).version });
    } else {
      await daemon.request(`/api/sensors/${id}`, { method: 'DELETE' });
      answered.sensors.set(id, 'deleted');
    }
    answered.doubtful.delete(id);
    answered.writes++;
  }
}

function lost(stored: Map<string, Sensor>, { sensors, doubtful }: Answered): string[] {
  const wrong: string[] = [];
  for (const [id, was] of sensors) {
    const is = stored.get(id);
    const found = is === undefined ? 'deleted' : `${is.name} v${is.version}`;
    const told = was === 'deleted' ? was : `${was.name} v${was.version}`;
    if (found !== told && !doubtful.has(id)) wrong.push(`${told} is ${found}`);
  }
  for (const { id, name } of stored.values()) {
    if (!sensors.has(id) && !doubtful.has(name)) wrong.push(`nobody asked for ${name}`);
  }
  return wrong;
}

t.test('what two hundred write at once is all there after a kill, each with its row in a whole chain', async (t) => {
  const random = randomFrom(seedOf(t));
  const box = fieldBox(t, '');
  const answered: Answered = { sensors: new Map(), doubtful: new Set(), writes: 0 };
  for (let round = 0; round < rounds; round++) {
    const daemon = await box.start();
    const { writes } = answered;
    const gone = Promise.allSettled(Array.from({ length: clients }, (_, client) => write(daemon, client, answered)));
    await until(async () => answered.writes - writes > clients, 'each has written once');
    await sleep(random() * 500);
    await daemon.end('SIGKILL');
    for (const outcome of await gone) {
      const cause = outcome.status === 'rejected' ? String(outcome.reason) : 'ended by itself';
      if (!/fetch failed|terminated|other side closed|Unexpected end/.test(cause)) t.fail(cause);
    }
    const verified = await dunlin(t, 'audit', 'verify', '--data', box.dataDir);
    t.match(verified, { code: 0, out: /^ok: / }, verified.out);
  }
  const daemon = await box.start();
  const stored = new Map((await daemon.get<Sensor[]>('/api/sensors')).map((sensor) => [sensor.id, sensor]));
  t.same(lost(stored, answered).slice(0, 5), [], `all of ${answered.writes} answered writes are as they were answered`);
  const events = await allRows<LogEvent>(daemon, '/api/events');
  const rows = events.filter(({ hash }) => hash !== null);
  t.equal(new Set(events.map(({ seq }) => seq)).size, events.length, 'no number is given twice');
  const created = new Set(rows.filter(({ kind }) => kind === 'sensor.created').map(({ subject }) => subject?.id));
  const deleted = new Set(rows.filter(({ kind }) => kind === 'sensor.deleted').map(({ subject }) => subject?.id));
  t.same(
    [...answered.sensors.keys()].filter((id) => !created.has(id)),
    [],
    'each that was made has its row',
  );
  const left = new Set([...created].filter((id) => !deleted.has(id)));
  t.same([...left].sort(), [...stored.keys()].sort(), 'rows and log say the same');
  t.ok(rows.every(({ actor }) => actor.type === 'open' && actor.address === '127.0.0.1'));
  t.equal(await daemon.end(), 0);
});
