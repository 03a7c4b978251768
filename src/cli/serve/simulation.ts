import { setImmediate as turn } from 'node:timers/promises';
import type { CorePlace } from '../../core/place.ts';
import { Claims } from '../../edge/link/claims.ts';
import { idOfName } from '../../host/name_id.ts';
import { systemActor } from '../../model/actor.ts';
import type { Response } from '../../model/doctrine.ts';
import { Fault } from '../../model/fault.ts';
import type { ScenarioActor, ScenarioSpec } from '../../model/scenario.ts';
import { formatTime } from '../../model/time.ts';
import type { Zone } from '../../model/zone.ts';
import { Registry } from '../../registry/registry.ts';
import type { RegistryRim } from '../../registry/rim.ts';
import { Ledger } from '../../store/ledger.ts';
import { LogCounter } from '../../store/log_counter.ts';
import { openScratch, type State } from '../../store/state.ts';
import { storedAlerts } from '../../worlds/alerts/keeper.ts';
import { linkOfFile } from '../../worlds/link_runner.ts';
import { NotYet } from '../../worlds/sim/orders.ts';
import { SimRun } from '../../worlds/sim/run.ts';
import { admitted } from '../../worlds/sim/scenarios/admit.ts';
import { MOST_MESSAGES_PER_S } from '../../worlds/sim/scenarios/check/load.ts';
import { World } from '../../worlds/world.ts';
import { type PlayedParts, tellIn } from './played_parts.ts';
import { Theatre } from './theatre.ts';
import { adoptTwins, dismissTwins } from './twins.ts';
import { worldSettings } from './world_settings.ts';

export type SimulationParts = PlayedParts & {
  scenario: ScenarioSpec;
  seed: number;
  /** The live registry of the workspace, whose zones, rules and policy hold here too; null: nothing holds but the defaults. */
  beside: Registry | null;
  corePlace?: CorePlace | undefined;
};

/** A scenario with the theatre that is played in: what is done in it is written in memory, and ends with it. */
export class Simulation {
  readonly run: SimRun;
  readonly theatre: Theatre;
  readonly #state: State;
  readonly #parts: SimulationParts;
  readonly #zones: readonly Zone[];
  /** The scenario with all who were put in since. */
  #cast: ScenarioSpec;
  /** Our vehicles of the scenario are assets of the simulated environment for as long as it lasts. */
  readonly #assetOf: ReadonlyMap<string, string>;

  constructor(parts: SimulationParts) {
    const { scenario, seed, workspace, history, config, log, sim, tellMs, corePlace } = parts;
    this.#parts = parts;
    this.#cast = parts.scenario;
    const at = formatTime(Date.now());
    this.#state = openScratch({ ...workspace, createdAt: at });
    const counter = new LogCounter(0);
    // Of simulated time, so that what is decided by it is decided alike each time.
    const ledger = new Ledger(this.#state, counter, () => this.run.clock.nowMs(), 'simulated');
    const registry = this.#registryOf(ledger);
    this.run = new SimRun({
      scenario,
      seed,
      tellMs,
      corePlace,
      performanceOf: (name) => performanceOf(registry, name),
    });
    const { clock, driven } = this.run;
    this.#assetOf = adoptTwins(registry, this.run.engine.twins);
    const alerts = storedAlerts(this.#state, workspace.id, () => () => {});
    // What a scenario has to tell was held against what the box takes: no sensor of it is cut short.
    const settings = worldSettings(config);
    const world = new World(
      {
        ...{ ...settings, feeds: { ...settings.feeds, senderMsgsPerS: MOST_MESSAGES_PER_S } },
        ...{ workspaceId: workspace.id, environment: 'sim', provenance: 'simulated' },
      },
      {
        ...{ clock, log, history, counter, alerts, driven, sim },
        claims: new Claims(),
        onFatal: (why) => parts.onFailed(why),
      },
      { lastTracks: [] },
    );
    this.#zones = zonesOf(scenario, formatTime(clock.nowMs()));
    const { metrics, about, settingsHash, links } = parts;
    this.theatre = new Theatre({
      ...{ world, registry, ledger, history, clock, log, config, metrics, about, settingsHash, links },
      ...{
        state: this.#state,
        webhooks: null,
        zones: this.#zones,
        groundAltHaeM: scenario.origin.alt_hae_m,
        sensors: this.run.engine.sensors,
      },
      workspace: { ...workspace, isFirst: true },
    });
  }

  async start(): Promise<void> {
    const { theatre, run } = this;
    const { world } = theatre;
    await theatre.start();
    theatre.load(() => this.#plug());
    run.begin({
      world,
      zones: () => [...theatre.registry.zones.list(), ...this.#zones],
      assets: this.#assetOf,
      everySecond: () => theatre.everySecond(),
      command: (actorId, verb, params) =>
        theatre.commands.command(this.#assetOf.get(actorId) ?? actorId, { verb, params }, byScenario),
      approve: (trackId, response) => this.#approve(trackId, response),
    });
    // What was planned for the next turn is done before time passes.
    await turn();
    await turn();
  }

  /** Puts somebody in while it runs. Throws a Fault where he does not fit. */
  inject(actor: ScenarioActor): void {
    const { catalog } = this.theatre.registry;
    const cast = admitted(this.#cast, actor, { catalog: (name) => catalog.find(name) });
    this.run.inject(actor);
    this.#cast = cast;
  }

  async stop(): Promise<void> {
    try {
      await this.theatre.stop();
      dismissTwins(this.theatre.registry);
    } catch (thrown) {
      // A disk that refuses it holds nothing up: who is left is taken away with the next beginning.
      this.#parts.log.warn({ err: thrown }, 'what a scenario brought was not taken away');
    }
    this.#state.close();
    await this.#parts.onStopped?.();
  }

  /** Its sensors and vehicles are on wires of their own. */
  #plug(): void {
    const { engine, clock } = this.run;
    const { world } = this.theatre;
    const at = formatTime(clock.nowMs());
    const issuedFor = new Map(engine.twins.map(({ link, actorId }) => [link, this.#assetOf.get(actorId) ?? null]));
    for (const spec of engine.links) {
      const declared = linkOfFile(spec, at);
      world.links.add({ ...declared, issuedFor: issuedFor.get(spec.name) ?? null });
      for (const { spec: said, receiver } of engine.linkSensors.filter(({ link }) => link === spec.name)) {
        const { name, modality, placement = null, heartbeat_s: heartbeatS } = said;
        const row = {
          id: idOfName('sensor', declared.id, receiver),
          name,
          modality,
          placement: placement ?? null,
          heartbeatS,
        };
        world.sensors.declare({
          ...row,
          declaredBy: 'link',
          linkId: declared.id,
          version: 1,
          createdAt: at,
          updatedAt: at,
        });
      }
    }
    world.shownSensors.changed();
    world.links.start();
  }

  #registryOf(scratch: Ledger): Registry {
    const { beside, workspace } = this.#parts;
    const { state, ledger } = beside?.rim ?? { state: this.#state, ledger: scratch };
    const rim: RegistryRim = {
      ...{ state, ledger, workspaceId: workspace.id, environment: () => 'sim' },
      tell: tellIn(() => this.theatre),
      ...(beside?.rim.box ? { box: beside.rim.box } : {}),
    };
    return new Registry(rim, beside);
  }

  async #approve(trackId: string, response: Response | undefined): Promise<unknown> {
    const { engagements } = this.theatre;
    const open = engagements.open().find(({ track_id, state }) => track_id === trackId && state === 'proposed');
    const plans = open?.candidates.filter((plan) => response === undefined || plan.response === response) ?? [];
    const plan = plans.find(({ feasible }) => feasible) ?? plans[0];
    if (!open || !plan) throw new NotYet(`no plan${response === undefined ? '' : ` to ${response}`} is proposed yet`);
    if (plan.required_approvals > 1)
      throw new Fault('conflict', 'the plan takes the approval of two people, and a scenario acts as one');
    return engagements.approve(
      { engagement_id: open.id, plan_id: plan.id, hash: plan.hash, seq: this.theatre.world.snapshot().seq },
      { actor: systemActor, role: 'operator', userId: null, isKey: false },
    );
  }
}

const byScenario = {
  by: systemActor,
  key: null,
  operator: 'the scenario',
  why: 'the scenario orders it',
  engagementId: null,
};

function performanceOf(registry: Registry, name: string) {
  const model = registry.catalog.find(name);
  return model ? (model.spec.performance ?? {}) : null;
}

function zonesOf({ zones }: ScenarioSpec, at: string): Zone[] {
  return zones.map((spec) => ({
    ...spec,
    id: idOfName('zone', spec.name),
    version: 1,
    created_at: at,
    updated_at: at,
  }));
}
