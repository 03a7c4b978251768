import type { AssessPolicy } from '../../src/core/assess/briefed.ts';
import type { SensorFact } from '../../src/core/rules/facts.ts';
import type { TrackLife } from '../../src/core/settings.ts';
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
import type { RecordedTable, RecordingRecord } from '../../src/worlds/replay/records.ts';
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
      this.#tables.take({ kind: 'registry', table: table as RecordedTable, op: 'all', rows });
  }

  async start(): Promise<void> {
    for (const table of ['sensors', 'sensor_states', 'rules', 'decision', 'life', 'links', 'site'] as const)
      this.#changed(table);
    await this.#world.start();
  }

  async play(record: RecordingRecord): Promise<void> {
    const { atMs } = record;
    const world = this.#world;
    while (atMs >= this.#second) {
      this.#clock.set(this.#second);
      world.everySecond();
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

  /** The world is told of a table that changed, as whoever owns it told the recorded one. */
  #changed(table: RecordedTable): void {
    const { briefing, sensors } = this.#world;
    switch (table) {
      case 'sensors':
        for (const row of this.#rows<SensorIdentity>('sensors'))
          if (JSON.stringify(sensors.resolve(row.id)) !== JSON.stringify(row)) sensors.declare(row);
        return;
      case 'sensor_states':
        briefing.setSensors(this.#rows<SensorFact>('sensor_states'));
        return;
      case 'rules':
        briefing.setRules(this.#rows<RuleValue>('rules'));
        return;
      case 'decision':
        for (const { policy, version } of this.#rows<AssessPolicy>('decision')) briefing.setPolicy({ policy, version });
        return;
      case 'life':
        for (const life of this.#rows<TrackLife>('life')) this.#world.setLife(life);
        return;
      case 'site':
        for (const { listens, utc_offset_ms } of this.#rows<{ listens: boolean; utc_offset_ms: number }>('site')) {
          this.#planner.begin([]);
          briefing.setSite({ listens, utcOffsetMs: utc_offset_ms });
        }
        return;
      case 'links':
        this.#addLinks();
    }
  }

  #addLinks(): void {
    const { links } = this.#world;
    const at = new Date(this.#clock.nowMs()).toISOString();
    for (const { id, spec, issued_for: issuedFor, of_file: ofFile } of this.#rows<LinkRow>('links'))
      if (!links.get(id)) links.add({ id, spec, issuedFor, ofFile, version: 1, createdAt: at, updatedAt: at });
    links.start();
  }

  #rows<Row>(table: RecordedTable): Row[] {
    return this.#tables.rows(table) as unknown as Row[];
  }
}
