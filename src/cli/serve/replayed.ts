import { Claims } from '../../edge/link/claims.ts';
import { severityRank } from '../../model/alert.ts';
import { Fault } from '../../model/fault.ts';
import { formatTime } from '../../model/time.ts';
import { Registry } from '../../registry/registry.ts';
import type { RegistryRim } from '../../registry/rim.ts';
import { alertRows, type KeptAlert } from '../../store/alerts.ts';
import { Ledger } from '../../store/ledger.ts';
import { LogCounter } from '../../store/log_counter.ts';
import { openScratch, type State } from '../../store/state.ts';
import { storedAlerts } from '../../worlds/alerts/keeper.ts';
import type { RecordingReader } from '../../worlds/replay/reader.ts';
import { ReplayRun } from '../../worlds/replay/run.ts';
import { World } from '../../worlds/world.ts';
import type { WorldSettings } from '../../worlds/world_rim.ts';
import { type PlayedParts, tellIn } from './played_parts.ts';
import { type OtherPolicy, RestoredRegistry } from './restored_registry.ts';
import { Theatre } from './theatre.ts';
import { worldSettings } from './world_settings.ts';

export type ReplayParts = PlayedParts & {
  reader: RecordingReader;
  /** World time of the recording: it begins with the segment that holds it. */
  fromMs: number;
  /** In the place of the decision configs that were recorded; null: as it was. */
  policy: OtherPolicy;
  /** The live registry of the workspace, for what is not recorded: catalog, scenarios, runs. */
  beside: Registry;
};

type Settings = Pick<WorldSettings, 'feeds' | 'tracking' | 'sysid'>;

/** A recording with the theatre that it is shown in: the registry as it was, in memory, and ending with it. */
export class Replay {
  readonly run: ReplayRun;
  readonly theatre: Theatre;
  readonly #state: State;
  readonly #parts: ReplayParts;
  readonly #restored: RestoredRegistry;

  /** Throws a Fault `invalid_input` where the recording lacks what a world is made of. */
  constructor(parts: ReplayParts) {
    const { reader, fromMs, policy, workspace, history, config, log, sim, tellMs } = parts;
    this.#parts = parts;
    this.run = new ReplayRun({ reader, fromMs, tellMs });
    const { clock, driven, snapshot } = this.run;
    const own = settingsOf(snapshot.tables.settings[0]);
    const at = formatTime(snapshot.utcMs);
    this.#state = openScratch({ ...workspace, createdAt: at });
    const counter = new LogCounter(0);
    const ledger = new Ledger(this.#state, counter, () => clock.utcMs(clock.nowMs()), 'replayed');
    const registry = this.#registryOf(ledger);
    this.#restored = new RestoredRegistry(registry, at, policy);
    this.#restored.fill(snapshot.tables);
    this.#putAlerts(snapshot.tables.alerts as unknown as readonly Partial<KeptAlert>[]);
    const alerts = storedAlerts(this.#state, workspace.id, () => () => {});
    const world = new World(
      { ...worldSettings(config), ...own, workspaceId: workspace.id, environment: 'live', provenance: 'replayed' },
      {
        ...{ clock, log, history, counter, alerts, driven, sim },
        claims: new Claims(),
        onFatal: (why) => parts.onFailed(why),
      },
      { lastTracks: snapshot.tracks, lastNumber: snapshot.core.lastNumber },
    );
    const { metrics, about, settingsHash, links } = parts;
    this.theatre = new Theatre({
      ...{ world, registry, ledger, history, clock, log, config, metrics, about, settingsHash, links },
      ...{ state: this.#state, webhooks: null, zones: [], groundAltHaeM: null, sensors: [], isPast: true },
      workspace: { ...workspace, isFirst: true },
    });
  }

  async start(): Promise<void> {
    const { theatre, run } = this;
    await theatre.start();
    theatre.load();
    await run.begin({
      world: theatre.world,
      take: (change) => this.#restored.take(change),
      everySecond: () => theatre.everySecond(),
    });
  }

  /** Whatever refuses to end, the rest ends. */
  async stop(): Promise<void> {
    try {
      await this.theatre.stop();
    } finally {
      try {
        this.#state.close();
      } finally {
        await this.#parts.onStopped?.();
      }
    }
  }

  #registryOf(ledger: Ledger): Registry {
    const { beside, workspace } = this.#parts;
    const rim: RegistryRim = {
      ...{ state: this.#state, ledger, workspaceId: workspace.id, environment: () => 'live', provenance: 'replayed' },
      tell: tellIn(() => this.theatre),
      ...(beside.rim.box ? { box: beside.rim.box } : {}),
    };
    const { catalog, discovery, links, scenarios, runs, holds, retention } = beside;
    return new Registry(rim, { catalog, discovery, links, scenarios, runs, holds, retention });
  }

  /** What was shown when it begins; of a recording made by hand, what is none is left out. */
  #putAlerts(kept: readonly Partial<KeptAlert>[]): void {
    const rows = alertRows(this.#state);
    for (const { alert, key = '' } of kept) {
      if (!alert) continue;
      try {
        const one = { alert, key, notify: false };
        this.#state.write('The alerts', () => rows.put(this.#parts.workspace.id, one, severityRank(alert.severity)));
      } catch {
        this.#restored.refused++;
      }
    }
  }
}

function settingsOf(row: Readonly<Record<string, unknown>> | undefined): Settings {
  const { feeds, tracking, sysid } = (row ?? {}) as Partial<Settings>;
  if (!feeds || !tracking || sysid === undefined)
    throw new Fault('invalid_input', 'the recording does not say how its world was set: it cannot be shown');
  return { feeds, tracking, sysid };
}
