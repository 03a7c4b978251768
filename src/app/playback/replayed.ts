import { placedAs } from '../../alerts/rule_events.ts';
import { Claims } from '../../edge/link/claims.ts';
import { invalidInput } from '../../model/fault.ts';
import { formatTime } from '../../model/time.ts';
import type { RecordingReader } from '../../recording/reader.ts';
import type { RestoredTables } from '../../recording/restored_tables.ts';
import { ReplayRun } from '../../recording/run.ts';
import type { RegistryDeps } from '../../registry/deps.ts';
import { Registry } from '../../registry/registry.ts';
import { type AlertStore, alertStore } from '../../store/alerts.ts';
import { Ledger } from '../../store/ledger.ts';
import { LogCounter } from '../../store/log_counter.ts';
import { openScratch, type State } from '../../store/state.ts';
import { World } from '../../world/world.ts';
import type { WorldSettings } from '../../world/world_deps.ts';
import { WorldServices, worldDepsOf } from '../world_services.ts';
import { worldSettings } from '../world_settings.ts';
import { type PlayedDeps, publishIn } from './playback.ts';
import { type OtherPolicy, RestoredRegistry } from './restored_registry.ts';

export type ReplayDeps = PlayedDeps & {
  reader: RecordingReader;
  /** World time at which the replay begins, ms. It is the start of a segment of the recording. */
  fromMs: number;
  /** Policy in place of the recorded policies; null uses the recorded policies. */
  policy: OtherPolicy;
  /** Registry of the live world, for data that is not recorded, such as catalog, scenarios and runs. */
  beside: Registry;
};

type Settings = Pick<WorldSettings, 'feeds' | 'tracking' | 'sysid'>;

/**
 * A recording with the world in which it is played. The recorded registry is restored in memory for the replay only.
 */
export class Replay {
  readonly run: ReplayRun;
  readonly worldServices: WorldServices;
  readonly #state: State;
  readonly #deps: ReplayDeps;
  readonly #registry: RestoredRegistry;
  #refusedNoted = 0;

  /** Throws an `invalid_input` Fault if the recording lacks the settings that a world needs. */
  constructor(deps: ReplayDeps) {
    const { reader, fromMs, policy, workspace, history, config, log, sim, health, publishMs } = deps;
    this.#deps = deps;
    this.run = new ReplayRun({ reader, fromMs, publishMs });
    const { clock, driven, snapshot, restored } = this.run;
    const own = settingsOf(restored);
    const at = formatTime(snapshot.utcMs);
    this.#state = openScratch({ ...workspace, createdAt: at });
    const counter = new LogCounter(0);
    const ledger = new Ledger(this.#state, counter, () => clock.utcMs(clock.nowMs()), 'replayed');
    const registry = this.#registryOf(ledger);
    this.#registry = new RestoredRegistry(registry, restored, at, policy);
    const alerts = alertStore(this.#state, workspace.id);
    this.#putAlerts(alerts, restored);
    const world = new World(
      { ...worldSettings(config), ...own, workspaceId: workspace.id, environment: 'live', provenance: 'replayed' },
      {
        ...{ clock, log, history, counter, alerts, driven, sim, health },
        ...worldDepsOf(registry, null, () => this.worldServices),
        claims: new Claims(),
        onFatal: (why) => deps.onFailed(why),
      },
      { lastTracks: snapshot.tracks, lastNumber: snapshot.core.lastNumber },
    );
    this.worldServices = new WorldServices({
      ...{ world, registry, ledger, history, clock, log, config, about: deps.about },
      ...{ state: this.#state, webhooks: null, zones: [], groundAltHaeM: null, sensors: [], isPast: true },
      workspace,
    });
  }

  async start(): Promise<void> {
    const { worldServices, run } = this;
    await worldServices.start();
    worldServices.load();
    await run.begin({
      world: worldServices.world,
      take: (change) => this.#registry.take(change),
      everySecond: () => {
        worldServices.everySecond();
        this.#noteRefused();
      },
    });
    this.#noteRefused();
  }

  /** Stops all parts, even if one of them fails to stop. */
  async stop(): Promise<void> {
    try {
      await this.worldServices.stop();
    } finally {
      try {
        this.#state.close();
      } finally {
        await this.#deps.onStopped?.();
      }
    }
  }

  #registryOf(ledger: Ledger): Registry {
    const { beside, workspace } = this.#deps;
    const deps: RegistryDeps = {
      ...{ state: this.#state, ledger, workspaceId: workspace.id, environment: () => 'live', provenance: 'replayed' },
      publish: publishIn(() => this.worldServices),
      ...(beside.deps.box ? { box: beside.deps.box } : {}),
    };
    const { catalog, discovery, links, scenarios, runs, holds, retention } = beside;
    return new Registry(deps, { catalog, discovery, links, scenarios, runs, holds, retention });
  }

  /** Restores the alerts that the picture contained at the beginning of the replay. */
  #putAlerts(store: AlertStore, restored: RestoredTables): void {
    for (const { alert, key, events } of restored.rows('alerts')) {
      try {
        store.save([{ alert, ...placedAs(alert, key, events), notify: false }], []);
      } catch {
        restored.refused.add('alerts');
      }
    }
  }

  /** Logs how many rows of the recording were refused, if the number has grown. Runs once a second. */
  #noteRefused(): void {
    const { total, sentence } = this.run.restored.refused;
    if (total === this.#refusedNoted) return;
    this.#refusedNoted = total;
    this.worldServices.world.note('recording.refused', 'warning', sentence);
  }
}

function settingsOf(restored: RestoredTables): Settings {
  const [settings] = restored.rows('settings');
  if (!settings) throw invalidInput('the recording cannot be shown, because it lacks the settings of its world');
  const { feeds, tracking, sysid } = settings;
  return { feeds, tracking, sysid };
}
