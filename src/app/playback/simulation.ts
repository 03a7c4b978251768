import { setImmediate as turn } from 'node:timers/promises';
import type { CorePlace } from '../../core/thread/place.ts';
import { Claims } from '../../edge/link/claims.ts';
import { idOfName } from '../../host/name_id.ts';
import { systemActor } from '../../model/actor.ts';
import type { Response } from '../../model/doctrine.ts';
import { conflict } from '../../model/fault.ts';
import type { ScenarioActor, ScenarioSpec } from '../../model/scenario.ts';
import { formatTime } from '../../model/time.ts';
import type { Zone } from '../../model/zone.ts';
import type { RegistryDeps } from '../../registry/deps.ts';
import { Registry } from '../../registry/registry.ts';
import { SimRun } from '../../sim/runs/run.ts';
import { admitted } from '../../sim/scenarios/admit.ts';
import { MOST_MESSAGES_PER_S } from '../../sim/scenarios/check/load.ts';
import { NotYet } from '../../sim/scenarios/orders.ts';
import { alertStore } from '../../store/alerts.ts';
import { Ledger } from '../../store/ledger.ts';
import { LogCounter } from '../../store/log_counter.ts';
import { openScratch, type State } from '../../store/state.ts';
import { linkOfFile } from '../../world/link_runner.ts';
import { World } from '../../world/world.ts';
import { WorldServices, worldDepsOf } from '../world_services.ts';
import { worldSettings } from '../world_settings.ts';
import { type PlayedDeps, publishIn } from './playback.ts';
import { adoptVehicles, dismissVehicles } from './simulated_vehicles.ts';

type SimulationDeps = PlayedDeps & {
  scenario: ScenarioSpec;
  seed: number;
  /** Registry of the live world, whose zones, rules and policy also apply here; null uses only defaults. */
  beside: Registry | null;
  corePlace?: CorePlace | undefined;
};

/** A scenario with the world in which it is played. Its data is deleted with the world. */
export class Simulation {
  readonly run: SimRun;
  readonly worldServices: WorldServices;
  readonly #state: State;
  readonly #deps: SimulationDeps;
  readonly #zones: readonly Zone[];
  /** The scenario including the actors that were injected since the start. */
  #cast: ScenarioSpec;
  /** Asset ids of the scenario's own vehicles, by actor id. These assets are deleted at the end of the simulation. */
  readonly #assetOf: ReadonlyMap<string, string>;

  constructor(deps: SimulationDeps) {
    const { scenario, seed, workspace, history, config, log, sim, health, publishMs, corePlace } = deps;
    this.#deps = deps;
    this.#cast = deps.scenario;
    const at = formatTime(Date.now());
    this.#state = openScratch({ ...workspace, createdAt: at });
    const counter = new LogCounter(0);
    // The ledger uses simulated time, so that decisions that depend on time are the same in each run.
    const ledger = new Ledger(this.#state, counter, () => this.run.clock.nowMs(), 'simulated');
    const registry = this.#registryOf(ledger);
    this.run = new SimRun({
      scenario,
      seed,
      reportMs: publishMs,
      corePlace,
      performanceOf: (name) => performanceOf(registry, name),
    });
    const { clock, driven } = this.run;
    this.#assetOf = adoptVehicles(registry, this.run.engine.vehicles);
    const alerts = alertStore(this.#state, workspace.id);
    // The load of a scenario was already checked against the limits of the box, so its sensors are not throttled here.
    const settings = worldSettings(config);
    const world = new World(
      {
        ...{ ...settings, feeds: { ...settings.feeds, senderMsgsPerS: MOST_MESSAGES_PER_S } },
        ...{ workspaceId: workspace.id, environment: 'sim', provenance: 'simulated' },
      },
      {
        ...{ clock, log, history, counter, alerts, driven, sim, health },
        ...worldDepsOf(registry, scenario.origin.alt_hae_m, () => this.worldServices),
        claims: new Claims(),
        onFatal: (why) => deps.onFailed(why),
      },
      { lastTracks: [] },
    );
    this.#zones = zonesOf(scenario, formatTime(clock.nowMs()));
    this.worldServices = new WorldServices({
      ...{ world, registry, ledger, history, clock, log, config, about: deps.about },
      ...{
        state: this.#state,
        webhooks: null,
        zones: this.#zones,
        groundAltHaeM: scenario.origin.alt_hae_m,
        sensors: this.run.engine.sensors,
      },
      workspace,
    });
  }

  async start(): Promise<void> {
    const { worldServices, run } = this;
    const { world } = worldServices;
    await worldServices.start();
    worldServices.load(() => this.#plug());
    run.begin({
      world,
      zones: () => [...worldServices.registry.zones.list(), ...this.#zones],
      assets: this.#assetOf,
      everySecond: () => worldServices.everySecond(),
      command: (actorId, verb, params) =>
        worldServices.commands.command(this.#assetOf.get(actorId) ?? actorId, { verb, params }, byScenario),
      approve: (trackId, response) => this.#approve(trackId, response),
    });
    // Callbacks that are scheduled for the next turns of the event loop must run before simulated time passes.
    await turn();
    await turn();
  }

  /** Injects an actor into the running scenario. Throws a Fault if the actor does not fit the scenario. */
  inject(actor: ScenarioActor): void {
    const { catalog } = this.worldServices.registry;
    const cast = admitted(this.#cast, actor, { catalog: (name) => catalog.find(name) });
    this.run.inject(actor);
    this.#cast = cast;
  }

  async stop(): Promise<void> {
    try {
      await this.worldServices.stop();
      dismissVehicles(this.worldServices.registry);
    } catch (thrown) {
      // A disk error does not stop the end of the simulation: the next start deletes vehicles that were left.
      this.#deps.log.warn({ err: thrown }, 'the vehicles of a scenario were not deleted');
    }
    this.#state.close();
    await this.#deps.onStopped?.();
  }

  /**
   * Adds the links of the scenario's sensors and vehicles, which exist only in memory. Declares the sensors whose
   * messages do not name them (`linkSensors`).
   */
  #plug(): void {
    const { engine, clock } = this.run;
    const { world } = this.worldServices;
    const at = formatTime(clock.nowMs());
    const issuedFor = new Map(engine.vehicles.map(({ link, actorId }) => [link, this.#assetOf.get(actorId) ?? null]));
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
    world.evaluateSensors();
    world.links.start();
  }

  #registryOf(scratch: Ledger): Registry {
    const { beside, workspace } = this.#deps;
    const { state, ledger } = beside?.deps ?? { state: this.#state, ledger: scratch };
    const deps: RegistryDeps = {
      ...{ state, ledger, workspaceId: workspace.id, environment: () => 'sim' },
      publish: publishIn(() => this.worldServices),
      ...(beside?.deps.box ? { box: beside.deps.box } : {}),
    };
    return new Registry(deps, beside);
  }

  async #approve(trackId: string, response: Response | undefined): Promise<unknown> {
    const { engagements } = this.worldServices;
    const open = engagements.open().find(({ track_id, state }) => track_id === trackId && state === 'proposed');
    const plans = open?.candidates.filter((plan) => response === undefined || plan.response === response) ?? [];
    const plan = plans.find(({ feasible }) => feasible) ?? plans[0];
    if (!open || !plan)
      throw new NotYet(`no plan${response === undefined ? '' : ` with the response ${response}`} is proposed yet`);
    if (plan.required_approvals > 1)
      throw conflict('the plan needs the approval of two people, and a scenario counts as one person');
    return engagements.approve(
      { engagement_id: open.id, plan_id: plan.id, hash: plan.hash, seq: this.worldServices.world.snapshot().seq },
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
