import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import type { Sensor } from '../../src/model/sensor.ts';
import { takeTime } from '../support/basics/patience.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { timesOf } from '../support/basics/size.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { firstOwner, type Member } from '../support/daemon/signed_in.ts';
import { rowOf } from '../support/daemon/swarm.ts';
import { diskLayer, noDiskLayer } from '../support/store/disk_layer.ts';
import { Disk, fates } from '../support/store/power_cut.ts';

takeTime(t, timesOf({ usual: 300, full: 900 }));

const skip = noDiskLayer();
const cuts = timesOf({ usual: 12, full: 400 });
/** Cuts after which a whole daemon is started. */
const starts = timesOf({ usual: 1, full: 12 });
const workMs = timesOf({ usual: 3_000, full: 20_000 });
/** Pause between changes, ms: in the everyday run they need not be many. */
const pauseMs = timesOf({ usual: 60, full: 1 });
/** What docs/use/backup_and_faults.md promises of the history. */
const lostAtMostMs = 2_000;

/** What was answered, each with the length of the layer's journal when the answer came. */
class Answers {
  readonly #journal: string;
  /** States of each subject, as they were answered one after the other. */
  readonly states = new Map<string, { byte: number; state: string }[]>();
  readonly observed: { byte: number; atMs: number }[] = [];

  constructor(journal: string) {
    this.#journal = journal;
  }

  get byte(): number {
    return statSync(this.#journal).size;
  }

  answered(subject: string, state: string): void {
    const states = this.states.get(subject) ?? [];
    states.push({ byte: this.byte, state });
    this.states.set(subject, states);
  }

  /** Subjects that are not as they were answered before a byte, nor as they were asked to be afterwards. */
  differences(byte: number, stored: ReadonlyMap<string, string>): string[] {
    return [...this.states].flatMap(([subject, states]) => {
      const known = states.findLastIndex((each) => each.byte <= byte);
      if (known < 0) return [];
      const now = stored.get(subject) ?? 'none';
      const good = states.slice(known).some(({ state }) => state === now);
      return good ? [] : [`${subject} was answered as ${states[known]?.state} and is ${now}`];
    });
  }
}

async function changeSensors(daemon: Daemon, answers: Answers, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const made = (await daemon.post('/api/sensors', { name: `s${n}`, modality: 'acoustic' })).body.data as Sensor;
    answers.answered(made.id, 'v1');
    await daemon.post(`/api/sensors/${made.id}`, { name: `renamed ${n}` });
    answers.answered(made.id, 'v2');
    await sleep(pauseMs);
    if (n % 3 > 0) continue;
    await daemon.request(`/api/sensors/${made.id}`, { method: 'DELETE' });
    answers.answered(made.id, 'none');
  }
}

async function changeKeys(anna: Member, answers: Answers, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const key = await anna.key('viewer');
    answers.answered(key.id, 'key');
    await anna.ask('DELETE', `/v1/keys/${key.id}`);
    answers.answered(key.id, 'revoked');
    await sleep(pauseMs);
  }
}

async function observe(daemon: Daemon, answers: Answers, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const obs = Array.from({ length: 5 }, (_, at) => rowOf(at, 'mast', n / 10));
    await daemon.post('/api/ingest/obs', { obs });
    answers.observed.push({ byte: answers.byte, atMs: Date.now() });
    await sleep(100);
  }
}

/** Rows of the state database as the answers have them. */
function storedIn(path: string): Map<string, string> {
  const db = new Database(path);
  const sensors = db.prepare<[], { id: string; version: number }>('SELECT id, version FROM sensors').all();
  const keys = db.prepare<[], { id: string; revoked_at: string | null }>('SELECT id, revoked_at FROM api_keys').all();
  db.close();
  return new Map([
    ...sensors.map(({ id, version }) => [id, `v${version}`] as const),
    ...keys.map(({ id, revoked_at }) => [id, revoked_at === null ? 'key' : 'revoked'] as const),
  ]);
}

const wholeness = (path: string): string => {
  const db = new Database(path);
  const found = String(db.pragma('integrity_check(1)', { simple: true }));
  db.close();
  return found;
};

/** UTC ms of the last detection in the history; 0 where there is none. */
function lastDetectionMs(folder: string): number {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db')) : [];
  return Math.max(0, ...names.map((name) => lastInDay(join(folder, name))));
}

function lastInDay(path: string): number {
  const db = new Database(path);
  try {
    return Number(db.prepare('SELECT max(received_ms) FROM detections').pluck().get());
  } catch (thrown) {
    // The day had just begun: the file has no table yet.
    if (/no such table/.test(String(thrown))) return 0;
    throw thrown;
  } finally {
    db.close();
  }
}

/** Time from the last observation that is kept, or the first one that was answered, to the last that was answered. */
function historyLossMs(folder: string, byte: number, { observed }: Answers): number {
  const last = observed.findLast((each) => each.byte <= byte);
  return (last?.atMs ?? 0) - Math.max(lastDetectionMs(folder), last ? (observed[0]?.atMs ?? 0) : 0);
}

/** What is wrong with the files that the cut left, before a daemon is started on them. */
async function faultsOf(t: Test, folder: string, byte: number, answers: Answers): Promise<string[]> {
  const state = join(folder, 'state.db');
  const faults: string[] = [];
  if (existsSync(state) && statSync(state).size > 0) {
    const found = wholeness(state);
    if (found !== 'ok') faults.push(`state.db: ${found}`);
  }
  if ([...answers.states.values()].some(([first]) => (first?.byte ?? byte + 1) <= byte)) {
    faults.push(...answers.differences(byte, storedIn(state)).slice(0, 3));
    const verified = await dunlin(t, 'audit', 'verify', '--data', folder);
    if (verified.code !== 0) faults.push(`audit verify: ${verified.out}${verified.err}`);
  }
  return faults;
}

t.test('a power cut at any moment keeps what was answered, and all but two seconds of history', { skip }, async (t) => {
  const random = randomFrom(seedOf(t));
  const box = fieldBox(t, radarConfig);
  const layer = diskLayer(t, box.dataDir, { keepsJournal: true });
  const daemon = await box.spawn({ env: layer.env });
  const answers = new Answers(layer.journal);
  const anna = await firstOwner(t, daemon, 'anna', layer.env);
  const readyByte = answers.byte;
  const endMs = performance.now() + workMs;
  const isOver = (): boolean => performance.now() > endMs && answers.states.size > 20;
  await Promise.all([
    changeSensors(daemon, answers, isOver),
    changeKeys(anna, answers, isOver),
    observe(daemon, answers, isOver),
  ]);
  await daemon.end('SIGKILL');

  const journal = readFileSync(layer.journal);
  const bytes = Array.from({ length: cuts }, (_, n) =>
    // Every fourth cut falls into the first start of the box.
    Math.floor(n % 4 === 3 ? random() * readyByte : readyByte + random() * (journal.length - readyByte)),
  ).sort((a, b) => a - b);
  const disk = new Disk(box.dataDir, journal);
  let worstLossMs = 0;
  for (const [n, byte] of bytes.entries()) {
    disk.replay(byte);
    const fate = fates[n % fates.length] ?? 'dropped';
    const folder = `${box.dataDir}-cut`;
    disk.cutPower(folder, fate, random);
    const where = `cut at byte ${byte} of ${journal.length}, unsynced changes ${fate}`;
    const lossMs = historyLossMs(join(folder, 'history'), byte, answers);
    worstLossMs = Math.max(worstLossMs, lossMs);
    t.same(await faultsOf(t, folder, byte, answers), [], where);
    t.ok(lossMs <= lostAtMostMs, `${where}: ${lossMs.toFixed(0)} ms of history are lost`);
    if (n >= cuts - starts) await startsOn(t, folder, box.config, where);
    rmSync(folder, { recursive: true });
  }
  const answered = [...answers.states.values()].flat().length;
  t.ok(answered > 20, `${answered} changes were answered`);
  t.comment(`${journal.length} bytes of journal; at most ${worstLossMs.toFixed(0)} ms of history were lost`);
});

async function startsOn(t: Test, dataDir: string, config: string, where: string): Promise<void> {
  const daemon = await startDaemon(t, { dataDir, args: ['--config', config] });
  const errors = daemon.lines.filter((line) => Number(line.level) >= 50);
  t.same(errors, [], `${where}: the start has nothing to complain of`);
  t.equal((await daemon.request('/')).status, 200);
  t.equal(await daemon.end(), 0);
  t.match(await dunlin(t, 'audit', 'verify', '--data', dataDir), { code: 0, out: /^ok/ });
}
