import type { Clock } from '../../host/clock.ts';
import type { Config } from '../../host/config.ts';
import type { Log } from '../../host/journal.ts';
import type { Metrics } from '../../host/metrics.ts';
import type { Service } from '../../http/service.ts';
import type { HttpWorkspace } from '../../http/workspace.ts';
import { Registry } from '../../registry/registry.ts';
import { SensorRegistry } from '../../registry/sensors.ts';
import type { AuditRow } from '../../store/audit.ts';
import { heldSpans } from '../../store/holds.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import type { LogCounter } from '../../store/log_counter.ts';
import { sensorRows } from '../../store/sensors.ts';
import type { State } from '../../store/state.ts';
import type { WorkspaceRow } from '../../store/workspaces.ts';
import { type LiveSettings, LiveWorld, lastTracksSinceMs } from '../../worlds/live.ts';
import { SensorDesk } from './sensor_desk.ts';
import { createService } from './service.ts';
import { TrackDesk } from './track_desk.ts';

export type WorkspaceParts = {
  row: WorkspaceRow;
  /** The box's own affairs are told in its first workspace. */
  isFirst: boolean;
  config: Config;
  /** Of the box's own links and sensors, which belong to the first workspace; others begin empty. */
  world: Omit<LiveSettings, 'workspaceId'>;
  state: State;
  history: HistoryLog;
  ledger: Ledger;
  counter: LogCounter;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  about: Service['about'];
  settingsHash: string;
  onFatal(sentence: string): void;
};

/** One workspace at work: its live world, its registry and what requests see of both. */
export class Workspace implements HttpWorkspace {
  readonly id: string;
  readonly name: string;
  readonly history: HistoryLog;
  readonly #parts: WorkspaceParts;
  #world: LiveWorld | null = null;
  #registry: Registry | null = null;
  #service: Service | null = null;
  #untell: () => void = () => {};

  constructor(parts: WorkspaceParts) {
    this.id = parts.row.id;
    this.name = parts.row.name;
    this.history = parts.history;
    this.#parts = parts;
  }

  get world(): LiveWorld {
    return started(this.#world);
  }

  get registry(): Registry {
    return started(this.#registry);
  }

  get service(): Service {
    return started(this.#service);
  }

  /** The history must have started. */
  async start(): Promise<void> {
    const { state, config, clock, log, history, counter, ledger, onFatal } = this.#parts;
    const lastTracks = await history.lastTracks({ sinceMs: lastTracksSinceMs(clock.nowMs()) });
    const settings = { workspaceId: this.id, ...this.#parts.world };
    const world = new LiveWorld(settings, { clock, log, history, counter, onFatal }, { lastTracks });
    this.#world = world;
    const scope = { workspaceId: this.id, environment: 'live' } as const;
    const sensors = new SensorRegistry(sensorRows(state), scope, ledger);
    const desk = new SensorDesk(sensors, world, () => clock.nowMs());
    this.#registry = new Registry({
      state,
      ledger,
      workspaceId: this.id,
      environment: () => 'live',
      tell: {
        row: (list, row) => world.setRow(list, row),
        removed: (list, id) => world.removeRow(list, id),
        announce: (kind, body) => world.announce(kind, body),
      },
    });
    this.#keepHistory(this.#registry);
    const { metrics, about, settingsHash, row } = this.#parts;
    const nowMs = (): number => clock.nowMs();
    this.#service = createService({
      world,
      desk,
      history,
      metrics,
      config,
      about,
      workspace: row,
      settingsHash,
      events: { state, history, workspaceId: this.id, isFirst: this.#parts.isFirst },
      evidence: { ledger, program: about, utcMs: () => clock.utcMs(clock.nowMs()) },
      tracks: new TrackDesk(world.byHand, ledger, this.id),
      nowMs,
    });
    this.#untell = ledger.onRow((row) => this.#tellAudit(row));
    await world.start();
    desk.load(settings.sensors, about.startedAt);
  }

  async stop(): Promise<void> {
    this.#untell();
    await this.#world?.stop();
  }

  /** What owners decide about the history reaches its writer at once. */
  #keepHistory({ holds, retention }: Registry): void {
    const { history, config } = this.#parts;
    retention.ofConfiguration = config.data.retention;
    const keep = (): void => history.keep(retention.get(), heldSpans(holds.list()));
    holds.onChange = keep;
    retention.onChange = keep;
  }

  /** What people did is told to those who watch as other events of its weight are. */
  #tellAudit({ workspace_id, ...row }: AuditRow): void {
    if (workspace_id === this.id || (workspace_id === null && this.#parts.isFirst)) this.#world?.tell(row);
  }
}

function started<T>(part: T | null): T {
  if (part === null) throw new TypeError('the workspace has not started');
  return part;
}
