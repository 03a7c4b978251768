import type { TrackLife } from '../../core/settings.ts';
import { haeOfMsl } from '../../geo/geoid.ts';
import type { Clock } from '../../host/clock.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Webhooks } from '../../notify/webhooks.ts';
import type { RegistryList } from '../../picture/row_events.ts';
import type { Registry } from '../../registry/registry.ts';
import type { State } from '../../store/state.ts';
import { visitRows } from '../../store/visits.ts';
import { SitePlanner } from '../../worlds/site_planner.ts';
import { Visits } from '../../worlds/visits.ts';
import type { World } from '../../worlds/world.ts';

export type SteeringParts = {
  workspaceId: string;
  world: World;
  registry: Registry;
  webhooks: Webhooks;
  state: State;
  clock: Clock;
};

/** What people decide and own reaches the world that runs: policy, doctrine, rules, zones, and who was here before. */
export class Steering {
  readonly #parts: SteeringParts;
  readonly #planner: SitePlanner;
  readonly #visits: Visits;

  constructor(parts: SteeringParts) {
    this.#parts = parts;
    const { world, registry, state, clock, workspaceId } = parts;
    const { zones, regions } = registry;
    this.#planner = new SitePlanner(world.briefing, {
      zones: () => zones.list(),
      heights: { groundAltHaeM: (latDeg, lonDeg) => regions.ground.altHaeM(latDeg, lonDeg), haeOfMsl },
      utcOffsetMs: () => clock.utcMs(0),
    });
    this.#visits = new Visits(visitRows(state), workspaceId, () => clock.utcMs(clock.nowMs()));
  }

  /** Before the world starts. */
  start(): void {
    const { world, registry, clock } = this.#parts;
    const { decision, doctrine, rules, assets, regions } = registry;
    world.setGround((latDeg, lonDeg) => regions.ground.altHaeM(latDeg, lonDeg));
    decision.onSave(() => this.#decide());
    doctrine.onChange(() => this.#decide());
    this.#decide();
    this.#planner.begin(assets.list());
    rules.onChange((values) => world.briefing.setRules(values));
    world.briefing.setRules(rules.values());
    world.onRuleCounts = (counts) => rules.count(counts, (worldMs) => clock.utcMs(worldMs));
    world.news.onEnded = (number) => this.#visits.forget(number);
    world.news.onNamed = (number, named) => {
      const days = this.#visits.hear(number, named);
      if (days !== null) world.briefing.visited(number, days);
    };
  }

  rowsChanged(list: RegistryList, rows: readonly { id: string }[]): void {
    this.#planner.changed(list, rows);
  }

  rowRemoved(list: RegistryList, id: string): void {
    this.#planner.removed(list, id);
  }

  everySecond(): void {
    const { world, registry, clock } = this.#parts;
    this.#visits.flush();
    this.#planner.check(world.sensors.list(clock.nowMs()));
    registry.rules.saveCounts(clock.nowMs());
  }

  /** What was learnt in the last minute. */
  stop(): void {
    this.#visits.flush();
    this.#parts.registry.rules.saveCounts(this.#parts.clock.nowMs(), true);
  }

  #decide(): void {
    const { world, registry, webhooks } = this.#parts;
    const { version, updated_at: _at, updated_by: _by, ...policy } = registry.decision.get();
    const { posture, autonomy, tracking, alerts } = policy;
    const autonomyCap = registry.doctrine.posture(posture).autonomy_cap;
    world.setPolicy({ posture, autonomy, autonomyCap });
    world.setLife(lifeOf(tracking));
    world.briefing.setPolicy({ policy, version });
    world.alerts.setPolicy({ cooldownS: alerts.cooldown_s, maxActive: alerts.max_active });
    webhooks.quietHours = alerts.quiet_hours;
  }
}

export function lifeOf(tracking: DecisionPolicy['tracking']): TrackLife {
  return {
    confirmHits: tracking.confirm_hits,
    confirmWindowS: tracking.confirm_window_s,
    coastS: tracking.coast_s,
    lostS: tracking.lost_s,
    closeS: tracking.close_s,
  };
}
