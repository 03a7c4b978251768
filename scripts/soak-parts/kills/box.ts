import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import type { SignedIn } from '../../../src/model/access.ts';
import type { LogEvent } from '../../../src/model/event.ts';
import type { Track, TrackPoint } from '../../../src/model/track.ts';
import type { Owner } from '../../../test/support/basics/owner.ts';
import { until } from '../../../test/support/daemon/daemon.ts';
import type { DaemonProcess } from '../../../test/support/daemon/daemon_process.ts';
import { dunlin } from '../../../test/support/daemon/dunlin.ts';
import { allRows, type FieldBox, fieldBox, radarConfig, textOf } from '../../../test/support/daemon/field_box.ts';
import { mainScript, metricOf } from '../../../test/support/daemon/program.ts';
import { firstOwner, Member } from '../../../test/support/daemon/signed_in.ts';
import { CLOSE_S, Flights, overdue } from './flights.ts';
import { type Kind, kinds, Ledger, type Row } from './ledger.ts';
import { type Ask, shown } from './writers.ts';

const config = `${radarConfig}
tracking: {coast_s: 2, lost_s: 5, close_s: ${CLOSE_S}}
`;

/** Steps in which a core has surely closed what is over. */
const STEPS_TO_CLOSE = 3;
const YOUNG_MARGIN_S = 5;

/** One data folder under kills, with what is known of it. */
export class KilledBox {
  readonly ledger = new Ledger();
  readonly flights = new Flights();
  readonly #owner: Owner;
  readonly #box: FieldBox;
  #member: Member | null = null;

  constructor(owner: Owner) {
    this.#owner = owner;
    this.#box = fieldBox(owner, config);
  }

  get dataDir(): string {
    return this.#box.dataDir;
  }

  async start(): Promise<{ daemon: DaemonProcess; ask: Ask }> {
    const daemon = await this.#box.spawn();
    const former = this.#member?.at(daemon.url) ?? (await firstOwner(this.#owner as Test, daemon));
    // A session is over after half an hour, and fifty rounds may take longer.
    const member = new Member(daemon.url, await former.get<SignedIn>('POST', '/v1/auth/renew', {}));
    this.#member = member;
    return { daemon, ask: (method, path, body) => member.ask(method, `/v1/${path}`, body) };
  }

  /** Starts the daemon and kills it after `ms`, ready or not. */
  async killStarting(ms: number): Promise<void> {
    const args = [mainScript, 'serve', '--config', this.#box.config, '--data', this.dataDir, '--listen', '127.0.0.1:0'];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    await exited;
    clearTimeout(timer);
  }

  /** Everything that is not as it was answered, or half, after a start. */
  async faults(daemon: DaemonProcess, ask: Ask, isLast: boolean): Promise<string[]> {
    const nowMs = Date.now();
    const tracks = await daemon.get<Track[]>('/api/tracks');
    const points = await pointsOf(daemon, tracks);
    const stored = await storedIn(ask);
    const wrong = [
      ...errorsOf(daemon),
      ...this.ledger.differences(stored),
      ...halves(stored),
      ...(await this.#noteFaults(ask, tracks, isLast)),
      ...this.flights.differences(tracks, points, nowMs),
      ...(await overdueFaults(daemon)),
    ];
    this.ledger.settle(stored);
    return wrong;
  }

  /** `dunlin audit verify`, beside the daemon or without one. */
  async auditFaults(): Promise<string[]> {
    const { code, out, err } = await dunlin(this.#owner as Test, 'audit', 'verify', '--data', this.dataDir);
    return code === 0 && out.startsWith('ok: ') ? [] : [`audit verify: ${code} ${out} ${err}`];
  }

  /** Every version of every row has its row in the audit log, and no number is given twice. */
  async logFaults(daemon: DaemonProcess): Promise<string[]> {
    const events = await allRows<LogEvent>(daemon, '/api/events');
    const wrong: string[] = [];
    if (new Set(events.map(({ seq }) => seq)).size !== events.length) wrong.push('a number of the log is given twice');
    const counts = new Map<string, number>();
    for (const { kind, subject, hash } of events)
      if (hash !== null && subject !== null && changes.test(kind))
        counts.set(subject.id, (counts.get(subject.id) ?? 0) + 1);
    for (const [id, version] of this.ledger.versions())
      if (counts.get(id) !== version) wrong.push(`${id} has version ${version} and ${counts.get(id)} audit rows`);
    const acknowledged = new Set(
      events.filter(({ kind }) => kind === 'alert.acknowledged').map(({ subject }) => subject?.id),
    );
    for (const [id, { path, answered }] of this.ledger.notes)
      if (path.startsWith('alerts/') && answered !== null && !acknowledged.has(id))
        wrong.push(`the acknowledgement of ${id} has no audit row`);
    return wrong;
  }

  /** Differences of the notes of acknowledged alerts, and reasons of affiliations of tracks that are there. */
  async #noteFaults(ask: Ask, tracks: readonly Track[], isLast: boolean): Promise<string[]> {
    const wrong: string[] = [];
    const present = new Map(tracks.map((track) => [track.id, track]));
    for (const [id, known] of this.ledger.notes) {
      // Each is looked at after the first kill that it met, and all of them in the end.
      if (known.isSeen && !isLast) continue;
      const isTrack = known.path.startsWith('tracks/');
      const track = present.get(id);
      if (isTrack && track === undefined) this.ledger.notes.delete(id);
      if (isTrack && !isYoung(track)) continue;
      const { status, body } = await ask('GET', known.path);
      const data = body.data as { acknowledged?: { note: string } | null; affiliation_set?: { reason: string } | null };
      const note = status !== 200 ? null : ((isTrack ? data.affiliation_set?.reason : data.acknowledged?.note) ?? null);
      if (note !== known.answered && (known.asked === null || note !== known.asked))
        wrong.push(`${known.path} was ${JSON.stringify(known)} and is ${status} ${note}`);
      Object.assign(known, { answered: note, asked: null, isSeen: true });
    }
    return wrong;
  }
}

/** A track close to the end of its life may be closed by the time it is asked for. */
function isYoung(track: Track | undefined): boolean {
  return track !== undefined && Date.now() - Date.parse(track.last_seen_at) < (CLOSE_S - YOUNG_MARGIN_S) * 1_000;
}

const changes = /^(asset|assignment|zone|sensor|user)\.(created|added|changed|updated|confirmed|superseded)$/;

/** The stored rows by id. The owner itself, and the rows of the configuration, are nobody's work. */
async function storedIn(ask: Ask): Promise<Map<string, { kind: Kind; row: Row }>> {
  const stored = new Map<string, { kind: Kind; row: Row }>();
  for (const kind of kinds) {
    const { status, body } = await ask('GET', kind);
    if (status !== 200) throw new Error(`GET ${kind}: ${status} ${body.error}`);
    for (const row of body.data as Row[]) {
      const isGiven =
        row.declared_by === 'link' || row.declared_by === 'config' || row.name === 'mast' || row.username === 'anna';
      if (!isGiven) stored.set(row.id, { kind, row: shown(kind, row) });
    }
  }
  return stored;
}

/** An assignment that is in force names an asset that is there. */
function halves(stored: ReadonlyMap<string, { kind: Kind; row: Row }>): string[] {
  return [...stored.values()]
    .filter(({ kind, row }) => kind === 'assignments' && row.active === true && !stored.has(String(row.asset_id)))
    .map(({ row }) => `the assignment ${row.id} is active and its asset is not there`);
}

function errorsOf(daemon: DaemonProcess): string[] {
  return daemon.lines
    .filter((line) => Number(line.level) >= 50)
    .map((line) => `the start complains: ${JSON.stringify(line)}`);
}

/**
 * A core closes a track whose life is over in its next steps, also one that came back after a kill. On a starved machine seconds
 * may pass until it steps, so its steps count and not the time.
 */
export async function overdueFaults(daemon: DaemonProcess): Promise<string[]> {
  const tracks = (): Promise<Track[]> => daemon.get<Track[]>('/api/tracks');
  if (overdue(await tracks(), Date.now()).length === 0) return [];
  const steps = async (): Promise<number> =>
    metricOf(await textOf(daemon, '/metrics'), 'dunlin_core_step_seconds_count');
  const late = overdue(await tracks(), Date.now());
  const stepped = await steps();
  await until(async () => (await steps()) >= stepped + STEPS_TO_CLOSE, 'the core steps', 120_000);
  const left = new Set((await tracks()).map(({ id }) => id));
  return late
    .filter(({ id }) => left.has(id))
    .map(
      ({ number, last_seen_at }) => `${number} was last seen at ${last_seen_at} and is not closed: its age began anew`,
    );
}

export async function pointsOf(daemon: DaemonProcess, tracks: readonly Track[]): Promise<Map<string, TrackPoint[]>> {
  const points = new Map<string, TrackPoint[]>();
  for (const { id } of tracks) points.set(id, await daemon.get<TrackPoint[]>(`/api/tracks/${id}/history?limit=1000`));
  return points;
}
