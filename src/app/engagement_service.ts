import type { ControlSettings } from '../command/authority.ts';
import type { EngagementDeps } from '../engagement/deps.ts';
import { Engagements } from '../engagement/engagements.ts';
import type { RuleAsk } from '../engagement/rule_asks.ts';
import type { Clock } from '../host/clock.ts';
import type { Log } from '../host/journal.ts';
import type { Firing } from '../model/firing.ts';
import type { Registry } from '../registry/registry.ts';
import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';
import { userRows } from '../store/users.ts';
import type { World } from '../world/world.ts';
import type { Flying } from './flying.ts';
import { policyOf } from './world_settings.ts';

type Deps = {
  world: World;
  registry: Registry;
  state: State;
  ledger: Ledger;
  clock: Clock;
  log: Log;
  workspaceId: string;
  control: ControlSettings;
  flying: Flying;
  /** Registers a function to run when the world ends. */
  until(unsubscribe: () => void): void;
};

/** Creates the engagements of a world, and connects them to its tracks, threats, policy, doctrine and vehicles. */
export function createEngagements({ world, registry, clock, log, flying, until, ...kept }: Deps): Engagements {
  const { decision, doctrine } = registry;
  const decided = (): ReturnType<EngagementDeps['policy']> => {
    const config = decision.get();
    return { policy: policyOf(config), version: config.version };
  };
  const members = userRows(registry.deps.state);
  // Policy and doctrine are cached, because every step reads them and they rarely change.
  let [policy, body] = [decided(), doctrine.present()];
  until(
    decision.onSave(() => {
      policy = decided();
    }),
  );
  until(
    doctrine.onChange(() => {
      body = doctrine.present();
    }),
  );
  const engagements = new Engagements({
    ...kept,
    ...flying,
    tracks: () => world.tracks(),
    track: (id) => world.track(id),
    threats: () => world.threats.list(),
    threat: (id) => world.threats.get(id),
    // Users belong to the box, so roles are read from its database; the database of a played world has no users.
    roleOf: (userId) => members.roleIn(kept.workspaceId, userId),
    policy: () => policy,
    doctrine: () => body,
    nowMs: () => clock.nowMs(),
    utcMs: () => clock.utcMs(clock.nowMs()),
    pictureSeqAgeMs: (seq, epoch) => world.stream.ageMs(seq, epoch),
    publish: {
      engagement: (row) => world.picture.actions.engagement(row),
      autonomy: (effective) => {
        world.picture.actions.autonomy = effective;
      },
      note: (...said) => world.note(...said),
    },
    trouble: (err, text) => log.warn({ err }, text),
  });
  world.firings.add((firings) => {
    const asking = firings.filter(({ does }) => does.propose);
    if (asking.length > 0) engagements.asked(asksOf(registry, asking));
  });
  engagements.begin();
  return engagements;
}

/**
 * Returns the firings of rules as requests for plans. A rule that was deleted or disabled after its firing requests no
 * plan. The end of its event is still passed on.
 */
function asksOf({ rules }: Registry, firings: readonly Firing[]): RuleAsk[] {
  const names = new Map(rules.values().map(({ id, name }) => [id, name]));
  return firings.flatMap(({ key, change, ruleId: id, trackIds, text }) => {
    const name = names.get(id);
    const ends = change === 'ended';
    return name === undefined && !ends ? [] : [{ key, ends, rule: { id, name: name ?? id }, trackIds, text }];
  });
}
