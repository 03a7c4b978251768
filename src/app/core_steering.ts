import type { Webhooks } from '../alerts/webhooks/webhooks.ts';
import { haeOfMsl } from '../geo/geoid.ts';
import type { Clock } from '../host/clock.ts';
import type { Zone } from '../model/zone.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { Registry } from '../registry/registry.ts';
import type { State } from '../store/state.ts';
import { visitRows } from '../store/visits.ts';
import { SitePlanner } from '../world/site_planner.ts';
import { Visits } from '../world/visits.ts';
import type { World } from '../world/world.ts';
import { lifeOf, policyOf } from './world_settings.ts';

type SteeringDeps = {
  workspaceId: string;
  world: World;
  registry: Registry;
  /** Webhooks of the live world; null in other worlds. Other worlds do not count the firings of rules. */
  webhooks: Webhooks | null;
  state: State;
  clock: Clock;
  zones(): readonly Zone[];
  /** Returns the ground height above the ellipsoid, m; null if unknown. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  /** Registers a function to run when the world ends. */
  until(unsubscribe: () => void): void;
};

/**
 * Passes policy, doctrine, rules and zones to the running world, at its start and after each change. For a confirmed
 * track with a lasting identity, it also passes the number of earlier days with a visit.
 */
export class Steering {
  readonly #deps: SteeringDeps;
  readonly #planner: SitePlanner;
  readonly #visits: Visits;

  constructor(deps: SteeringDeps) {
    this.#deps = deps;
    const { world, state, clock, workspaceId, registry } = deps;
    this.#planner = new SitePlanner(world.coreConfiguration, {
      zones: () => deps.zones(),
      heights: { groundAltHaeM: deps.groundAltHaeM, haeOfMsl },
      utcOffsetMs: () => clock.utcMs(0),
    });
    this.#visits = new Visits(
      visitRows(state),
      workspaceId,
      () => clock.utcMs(clock.nowMs()),
      () => registry.retention.clock?.status().prunes ?? false,
    );
  }

  /** Passes the current values, and subscribes to changes. Call this before the world starts. */
  start(): void {
    const { world, registry, clock, until, webhooks } = this.#deps;
    const { decision, doctrine, rules, assets } = registry;
    until(decision.onSave(() => this.#decide()));
    until(doctrine.onChange(() => this.#decide()));
    this.#decide();
    this.#planner.begin(assets.list());
    until(rules.onChange((values) => world.coreConfiguration.setRules(values)));
    world.coreConfiguration.setRules(rules.values());
    if (webhooks) world.ruleCounts.add((counts) => rules.count(counts, (worldMs) => clock.utcMs(worldMs)));
    world.news.ended.add((number) => this.#visits.forget(number));
    world.news.named.add((number, named, isSureFriend) => {
      const days = this.#visits.receive(number, named, isSureFriend);
      if (days !== null) world.coreConfiguration.visited(number, days);
    });
  }

  rowsChanged(list: RegistryList, rows: readonly { id: string }[]): void {
    this.#planner.changed(list, rows);
  }

  rowRemoved(list: RegistryList, id: string): void {
    this.#planner.removed(list, id);
  }

  everySecond(): void {
    const { world, registry, clock, webhooks } = this.#deps;
    this.#visits.flush();
    this.#planner.check(world.sensors.list(clock.nowMs()), world.sensors.watched(clock.nowMs()));
    if (webhooks) registry.rules.saveCounts(clock.nowMs());
  }

  /** Writes the visits and the counts of firings that are not stored yet. */
  stop(): void {
    this.#visits.flush();
    const { webhooks, registry, clock } = this.#deps;
    if (webhooks) registry.rules.saveCounts(clock.nowMs(), true);
  }

  #decide(): void {
    const { world, registry, webhooks } = this.#deps;
    const decided = registry.decision.get();
    const policy = policyOf(decided);
    const { posture, autonomy, tracking, alerts } = policy;
    const autonomyCap = registry.doctrine.posture(posture).autonomy_cap;
    world.picture.setPolicy({ posture, autonomy, autonomyCap });
    world.setLife(lifeOf(tracking));
    world.coreConfiguration.setPolicy({ policy, version: decided.version });
    world.alerts.setPolicy({ cooldownS: alerts.cooldown_s, maxActive: alerts.max_active });
    if (webhooks) webhooks.quietHours = alerts.quiet_hours;
  }
}
