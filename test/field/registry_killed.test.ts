import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Asset } from '../../src/model/asset.ts';
import type { Assignment } from '../../src/model/assignment.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Zone } from '../../src/model/zone.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { timesOf } from '../support/basics/size.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { allRows, fieldBox } from '../support/daemon/field_box.ts';

onlyInFull(t);
takeTime(t, 300);

const clients = 200;
const rounds = timesOf({ usual: 2, full: 6 });

/** A row as its writer knows it: the version of the last answer, and whether a later change was asked and not answered. */
type Known = { path: string; version: number; doubtful: boolean; deleted: boolean };
type Row = { id: string; version: number };

/** What was answered, by id, and the names of what was asked for and not answered. */
class Answered {
  readonly rows = new Map<string, Known>();
  readonly unanswered = new Set<string>();
  writes = 0;
}

const circle = { type: 'Point', coordinates: [8.5, 47.4], radius_m: 100 };

/** Works on rows of its own, one request after the other, until the daemon is gone. */
class Writer {
  readonly #daemon: Daemon;
  readonly #answered: Answered;

  constructor(daemon: Daemon, answered: Answered) {
    this.#daemon = daemon;
    this.#answered = answered;
  }

  async work(random: () => number): Promise<void> {
    for (;;) {
      const name = randomUUID();
      const asset = await this.#make('/api/assets', name, { name, spec: { remote_id_serial: name } });
      for (let n = Math.floor(random() * 3); n > 0; n--)
        await this.#change('/api/assets', asset, { spec: { notes: `${n}` } });
      const held = { asset_id: asset, affiliation: 'neutral', operator: name };
      const assignment = await this.#make('/api/assignments', name, held);
      if (random() < 0.5) await this.#change('/api/assignments', assignment, { affiliation: 'hostile' });
      const zone = await this.#make('/api/zones', name, { name, kind: 'alert', geometry: circle });
      if (random() < 0.5) await this.#change('/api/zones', zone, { ceiling_m: 150 });
      if (random() < 0.3) await this.#remove('/api/zones', zone);
      const sensor = await this.#make('/api/sensors', name, { name, modality: 'acoustic' });
      if (random() < 0.5) await this.#change('/api/sensors', sensor, { placement: { lat: 1, lon: 2 } });
      else await this.#remove('/api/sensors', sensor);
    }
  }

  async #make(path: string, name: string, body: unknown): Promise<string> {
    this.#answered.unanswered.add(`${path} ${name}`);
    const { id, version } = await this.#ask<Row>('POST', path, body);
    this.#answered.unanswered.delete(`${path} ${name}`);
    this.#answered.rows.set(id, { path, version, doubtful: false, deleted: false });
    return id;
  }

  async #change(path: string, id: string, body: object): Promise<void> {
    const known = this.#known(id);
    known.doubtful = true;
    known.version = (await this.#ask<Row>('POST', `${path}/${id}`, { ...body, version: known.version })).version;
    known.doubtful = false;
  }

  async #remove(path: string, id: string): Promise<void> {
    const known = this.#known(id);
    known.doubtful = true;
    await this.#ask('DELETE', `${path}/${id}`);
    Object.assign(known, { doubtful: false, deleted: true });
  }

  #known(id: string): Known {
    const known = this.#answered.rows.get(id);
    if (known === undefined) throw new Error(`${id} was never answered`);
    return known;
  }

  async #ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#daemon.request(path, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.body.ok) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.error}`);
    this.#answered.writes++;
    return answer.body.data as T;
  }
}

type Stored = { path: string; name: string; version: number };

async function storedIn(daemon: Daemon): Promise<Map<string, Stored>> {
  const assets = await daemon.get<Asset[]>('/api/assets');
  const assignments = await daemon.get<Assignment[]>('/api/assignments');
  const zones = await daemon.get<Zone[]>('/api/zones');
  const sensors = await daemon.get<Sensor[]>('/api/sensors');
  return new Map<string, Stored>([
    ...assets.map(({ id, name, version }) => [id, { path: '/api/assets', name, version }] as const),
    ...assignments.map(
      ({ id, operator, version }) => [id, { path: '/api/assignments', name: operator ?? '', version }] as const,
    ),
    ...zones.map(({ id, name, version }) => [id, { path: '/api/zones', name, version }] as const),
    ...sensors.map(({ id, name, version }) => [id, { path: '/api/sensors', name, version }] as const),
  ]);
}

/** What is not as it was answered: a version may be one further where the last change was not answered. */
function differences(stored: ReadonlyMap<string, Stored>, { rows, unanswered }: Answered): string[] {
  const wrong: string[] = [];
  for (const [id, known] of rows) {
    const version = stored.get(id)?.version;
    const fits = known.deleted
      ? version === undefined
      : version === known.version || (known.doubtful && (version === undefined || version === known.version + 1));
    if (!fits) wrong.push(`${known.path}/${id} was answered as ${JSON.stringify(known)} and is ${version}`);
  }
  for (const [id, { path, name }] of stored)
    if (!rows.has(id) && !unanswered.has(`${path} ${name}`)) wrong.push(`nobody asked for ${path} ${name}`);
  return wrong;
}

/** Doubt ends with the look: from here on each row is what it was found to be. */
function settle(stored: ReadonlyMap<string, Stored>, answered: Answered): void {
  for (const [id, { path, version }] of stored)
    answered.rows.set(id, { path, version, doubtful: false, deleted: false });
  for (const [id, known] of answered.rows)
    if (!stored.has(id)) Object.assign(known, { doubtful: false, deleted: true });
  answered.unanswered.clear();
}

/** The changes that the log tells of each row: as many as its version says. */
function changesTold(events: readonly LogEvent[]): Map<string, number> {
  const told = new Map<string, number>();
  for (const { kind, subject } of events)
    if (
      /^(asset|assignment|zone|sensor)\.(created|changed|updated|confirmed|superseded)$/.test(kind) &&
      subject !== null
    )
      told.set(subject.id, (told.get(subject.id) ?? 0) + 1);
  return told;
}

t.test('a registry that two hundred write to survives a kill as it was answered, row by row', async (t) => {
  const random = randomFrom(seedOf(t));
  const box = fieldBox(t, '');
  const answered = new Answered();
  for (let round = 0; round <= rounds; round++) {
    const daemon = await box.spawn();
    const stored = await storedIn(daemon);
    t.same(differences(stored, answered).slice(0, 5), [], `round ${round}: ${answered.writes} writes were answered`);
    settle(stored, answered);
    if (round === rounds) {
      const all = await allRows<LogEvent>(daemon, '/api/events');
      t.equal(new Set(all.map(({ seq }) => seq)).size, all.length, 'no number is given twice');
      const events = all.filter(({ hash }) => hash !== null);
      t.ok(events.every(({ actor }) => actor.type === 'open' && actor.address === '127.0.0.1'));
      const told = changesTold(events);
      const untold = [...stored].filter(([id, { version }]) => told.get(id) !== version);
      t.same(untold.slice(0, 5), [], 'each version has its row in the log');
      t.equal(await daemon.end(), 0);
      break;
    }
    const { writes } = answered;
    const work = Array.from({ length: clients }, () => new Writer(daemon, answered).work(random));
    const gone = Promise.allSettled(work);
    await until(async () => answered.writes - writes > 2 * clients, 'each has written');
    await sleep(random() * 700);
    await daemon.end('SIGKILL');
    for (const outcome of await gone) {
      const cause = outcome.status === 'rejected' ? String(outcome.reason) : 'ended by itself';
      if (!/fetch failed|terminated|other side closed|Unexpected end/.test(cause)) t.fail(cause);
    }
    const verified = await dunlin(t, 'audit', 'verify', '--data', box.dataDir);
    t.match(verified, { code: 0, out: /^ok: / }, `round ${round}: ${verified.out}`);
  }
  t.comment(`${answered.writes} writes were answered`);
});
