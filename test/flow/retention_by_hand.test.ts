import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Hold } from '../../src/model/hold.ts';
import type { Retention } from '../../src/model/retention.ts';
import { openDayFile } from '../../src/store/log/day_file.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { fieldBox } from '../support/daemon/field_box.ts';
import { readStream } from '../support/http/stream_reader.ts';

onlyInFull(t);
takeTime(t, 120);

const dayMs = 86_400_000;

function makeDay(dataDir: string, daysAgo: number): string {
  const day = new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
  openDayFile(join(dataDir, 'history', `${day}.db`), 's', true).close();
  return day;
}

function days(dataDir: string): string[] {
  const names = readdirSync(join(dataDir, 'history')).filter((name) => name.endsWith('.db'));
  return names.map((name) => name.slice(0, 10)).sort();
}

t.test(
  'an owner says how long history is kept and what is kept beyond, and both hold at once and after a restart',
  async (t) => {
    const box = fieldBox(t, '');
    const first = await box.start();
    await first.end();
    const [old, older, oldest] = [5, 10, 20].map((ago) => makeDay(box.dataDir, ago));
    const daemon = await box.start();
    t.match(await daemon.get<Retention>('/api/retention'), { days: 30, updated_by: null, held_bytes: 0 });

    const held = await daemon.post('/api/holds', {
      since: `${older}T00:00:00Z`,
      until: `${older}T10:00:00Z`,
      reason: 'case 17',
    });
    const hold = held.body.data as Hold;
    t.match(hold, { track_id: null, reason: 'case 17', created_by: /^open:/ });
    t.match(await daemon.post('/api/holds', { reason: 'nothing' }), { status: 400 });
    t.equal((await daemon.request('/api/retention/confirm-clock', { method: 'POST' })).status, 200);
    const put = await daemon.request('/api/retention', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ days: 7, bytes: 1e9 }),
    });
    t.match(put.body.data, { days: 7, bytes: 1e9, updated_by: /^open:/ });
    await until(async () => !existsSync(join(box.dataDir, 'history', `${oldest}.db`)), 'the oldest day goes');
    t.ok(days(box.dataDir).includes(String(older)) && days(box.dataDir).includes(String(old)));
    const told = await until(async () => {
      const retention = await daemon.get<Retention>('/api/retention');
      return retention.note === null ? null : retention;
    }, 'it is said what keeps the history over its days');
    t.match(told, { note: /under hold/ });
    await daemon.end();

    const again = await box.start();
    t.match(await again.get<Retention>('/api/retention'), { days: 7 });
    t.ok(days(box.dataDir).includes(String(older)), 'the hold is known before the first day goes');
    const kinds = (await again.get<LogEvent[]>('/api/events?severity=notice')).map(({ kind }) => kind);
    for (const kind of ['hold.created', 'retention.changed']) t.ok(kinds.includes(kind), kind);
    t.match((await again.request(`/api/holds/${hold.id}`, { method: 'DELETE' })).body, { data: { deleted: true } });
    await until(async () => !days(box.dataDir).includes(String(older)), 'the day goes when the hold does');
  },
);

t.test('what people did is told on the stream where it is of weight, and not where it is not', async (t) => {
  const daemon = await fieldBox(t, '').start();
  const stream = await readStream(t, daemon.url);
  await daemon.post('/api/sensors', { name: 'quiet', modality: 'radar' });
  await daemon.post('/api/holds', { since: '2026-01-01T00:00:00Z', reason: 'case 17' });
  await stream.first('the hold is told of', ({ kind, body }) => kind === 'log' && body.kind === 'hold.created');
  t.same(
    stream.of('log').map(({ body }) => body.kind),
    ['hold.created'],
  );
});
