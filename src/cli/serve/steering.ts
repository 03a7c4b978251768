import type { TrackLife } from '../../core/settings.ts';
import { haeOfMsl } from '../../geo/geoid.ts';
import type { Clock } from '../../host/clock.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Zone } from '../../model/zone.ts';
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
  /** Whom the live world tells, null for another: of that, nothing is counted either. */
  webhooks: Webhooks | null;
  state: State;
  clock: Clock;
  zones(): readonly Zone[];
  /** Above the ellipsoid; null where nobody says. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  /** What is to be undone when the world ends. */
  until(untell: () => void): void;
};

/** What people decide and own reaches the world that runs: policy, doctrine, rules, zones, and who was here before. */
export class Steering {
  readonly #parts: SteeringParts;
  readonly #planner: SitePlanner;
  readonly #visits: Visits;

  constructor(parts: SteeringParts) {
    this.#parts = parts;
    const { world, state, clock, workspaceId, registry } = parts;
    this.#planner = new SitePlanner(world.briefing, {
      zones: () => parts.zones(),
      heights: { groundAltHaeM: parts.groundAltHaeM, haeOfMsl },
      utcOffsetMs: () => clock.utcMs(0),
    });
    this.#visits = new Visits(
      visitRows(state),
      workspaceId,
      () => clock.utcMs(clock.nowMs()),
      () => registry.retention.clock?.status().prunes ?? false,
    );
  }

  /** Before the world starts. */
  start(): void {
    const { world, registry, clock, until, webhooks } = this.#parts;
    const { decision, doctrine, rules, assets } = registry;
    world.setGround(this.#parts.groundAltHaeM);
    until(decision.onSave(() => this.#decide()));
    until(doctrine.onChange(() => this.#decide()));
    this.#decide();
    this.#planner.begin(assets.list());
    until(rules.onChange((values) => world.briefing.setRules(values)));
    world.briefing.setRules(rules.values());
    if (webhooks) world.onRuleCounts = (counts) => rules.count(counts, (worldMs) => clock.utcMs(worldMs));
    world.news.onEnded = (number) => this.#visits.forget(number);
    world.news.onNamed = (number, named, isSureFriend) => {
      const days = this.#visits.hear(number, named, isSureFriend);
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
    const { world, registry, clock, webhooks } = this.#parts;
    this.#visits.flush();
    this.#planner.check(world.sensors.list(clock.nowMs()), world.sensors.watched(clock.nowMs()));
    if (webhooks) registry.rules.saveCounts(clock.nowMs());
  }

  /** What was learnt in the last minute. */
  stop(): void {
    this.#visits.flush();
    const { webhooks, registry, clock } = this.#parts;
    if (webhooks) registry.rules.saveCounts(clock.nowMs(), true);
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
    if (webhooks) webhooks.quietHours = alerts.quiet_hours;
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
