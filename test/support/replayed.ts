import { CoreStepped } from '../../src/core/stepped.ts';
import type { SensorIdentity } from '../../src/edge/feed/sensor_book.ts';
import { Claims } from '../../src/edge/link/claims.ts';
import { haeOfMsl } from '../../src/geo/geoid.ts';
import type { Alert } from '../../src/model/alert.ts';
import type { LinkSpec } from '../../src/model/link.ts';
import { idleSim } from '../../src/model/picture.ts';
import type { RuleValue } from '../../src/model/rule_value.ts';
import type { Track } from '../../src/model/track.ts';
import type { Zone } from '../../src/model/zone.ts';
import type { HistoryLog } from '../../src/store/log/history.ts';
import { LogCounter } from '../../src/store/log_counter.ts';
import { DrivenClock } from '../../src/worlds/driven/clock.ts';
import { Wires } from '../../src/worlds/driven/wire.ts';
import type { RecordingReader } from '../../src/worlds/replay/reader.ts';
import type { RecordedRow, RecordingRecord } from '../../src/worlds/replay/records.ts';
import { Tables } from '../../src/worlds/replay/tables.ts';
import { SitePlanner } from '../../src/worlds/site_planner.ts';
import { World } from '../../src/worlds/world.ts';
import type { WorldSettings } from '../../src/worlds/world_rim.ts';

export type Replayed = { tracks: Track[]; alerts: Alert[]; steps: number };

type Settings = Pick<WorldSettings, 'feeds' | 'tracking' | 'sysid'> & { workspace_id: string };
type LinkRow = { id: string; spec: LinkSpec; issued_for: string | null; of_file: boolean };

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** Plays a recording into a world of its own, stepping its core when the recorded one stepped: what comes of it. */
export async function replayed(reader: RecordingReader): Promise<Replayed> {
  const player = new Player(reader);
  await player.start();
  for (const record of reader.records()) await player.play(record);
  return player.end();
}

class Player {
  readonly #clock: DrivenClock;
  readonly #wires: Wires;
  readonly #world: World;
  readonly #tables = new Tables();
  readonly #planner: SitePlanner;
  #core: CoreStepped | null = null;
  #second: number;
  #steps = 0;

  constructor(reader: RecordingReader) {
    const { tables, tracks, core, atMs } = reader.snapshotAt(reader.span.fromMs);
    this.#clock = new DrivenClock(atMs);
    this.#second = atMs + 1_000;
    this.#wires = new Wires({ nowMs: () => this.#clock.nowMs(), written() {} });
    const [said] = tables.settings as unknown as Settings[];
    if (!said) throw new Error('the recording says nothing of the settings');
    const { feeds, tracking, sysid, workspace_id: workspaceId } = said;
    const stream = { trackHz: 50, tickMs: 20, replayEvents: 10 };
    const own = { environment: 'live', provenance: 'replayed', links: [], sensors: [] } as const;
    this.#world = new World(
      { workspaceId, feeds, tracking, sysid, stream, ...own },
      {
        ...{
          clock: this.#clock,
          log: log as never,
          counter: new LogCounter(0),
          claims: new Claims(),
          sim: () => idleSim,
        },
        history: { append() {} } as unknown as HistoryLog,
        onFatal(sentence) {
          throw new Error(sentence);
        },
        driven: {
          core: (...given) => {
            this.#core = new CoreStepped(...given);
            return this.#core;
          },
          seed: core.seed,
          open: this.#wires.open,
          tellMs: () => this.#clock.nowMs(),
        },
      },
      { lastTracks: tracks },
    );
    this.#planner = new SitePlanner(this.#world.briefing, {
      zones: () => this.#tables.rows('zones') as unknown as Zone[],
      heights: { groundAltHaeM: () => null, haeOfMsl },
      utcOffsetMs: () => 0,
    });
    for (const [table, rows] of Object.entries(tables))
      this.#tables.take({ kind: 'registry', table: table as 'zones', op: 'all', rows });
  }

  async start(): Promise<void> {
    for (const table of ['sensors', 'rules', 'decision', 'life', 'links'] as const) this.#changed(table);
    this.#planner.begin([]);
    await this.#world.start();
  }

  async play(record: RecordingRecord): Promise<void> {
    const { atMs } = record;
    const world = this.#world;
    while (atMs >= this.#second) {
      this.#clock.set(this.#second);
      world.everySecond();
      this.#planner.check(world.sensors.list(this.#second));
      this.#second += 1_000;
    }
    this.#clock.set(atMs);
    switch (record.kind) {
      case 'bytes':
        this.#wires.arrive(this.#nameOf(record.linkId), record.bytes, record.from, atMs);
        return;
      case 'ingest':
        for (const row of record.rows) world.rows.take(row, null, atMs);
        return;
      case 'step':
        return this.#step(atMs);
      case 'registry':
        this.#tables.take(record);
        this.#changed(record.table);
        return;
    }
  }

  async end(): Promise<Replayed> {
    const tracks = this.#world.tracks();
    const alerts = this.#world.alerts.shown();
    await this.#world.stop();
    return { tracks, alerts, steps: this.#steps };
  }

  async #step(atMs: number): Promise<void> {
    const core = this.#core as CoreStepped;
    this.#steps++;
    this.#world.settle();
    await core.step(atMs);
    core.deliver();
    this.#world.settle();
  }

  #nameOf(linkId: string): string {
    return this.#world.links.get(linkId)?.spec.name ?? '';
  }

  #changed(table: RecordedRow['table']): void {
    const { briefing, sensors, links } = this.#world;
    if (table === 'sensors') {
      const rows = this.#tables.rows('sensors') as unknown as SensorIdentity[];
      for (const row of rows) if (JSON.stringify(sensors.resolve(row.id)) !== JSON.stringify(row)) sensors.declare(row);
    } else if (table === 'rules') briefing.setRules(this.#tables.rows('rules') as unknown as RuleValue[]);
    else if (table === 'decision') {
      const [{ id: _id, ...policy } = { id: '' }] = this.#tables.rows('decision');
      briefing.setPolicy(policy as unknown as Parameters<typeof briefing.setPolicy>[0]);
    } else if (table === 'zones') this.#planner.changed('zones', []);
    else if (table === 'life') {
      const [{ id: _id, ...life } = { id: '' }] = this.#tables.rows('life');
      this.#world.setLife(life as unknown as Parameters<World['setLife']>[0]);
    } else if (table === 'links') {
      for (const { id, spec, issued_for: issuedFor, of_file: ofFile } of this.#tables.rows(
        'links',
      ) as unknown as LinkRow[]) {
        if (links.get(id)) continue;
        const at = new Date(this.#clock.nowMs()).toISOString();
        links.add({ id, spec, issuedFor, ofFile, version: 1, createdAt: at, updatedAt: at });
      }
      links.start();
    }
  }
}
