import { Engagements } from '../../command/engagement/engagements.ts';
import type { ControlSettings, EngagementRim } from '../../command/engagement/rim.ts';
import type { RuleAsk } from '../../command/engagement/rule_asks.ts';
import type { Clock } from '../../host/clock.ts';
import type { Log } from '../../host/journal.ts';
import type { Firing } from '../../model/firing.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { State } from '../../store/state.ts';
import { userRows } from '../../store/users.ts';
import type { World } from '../../worlds/world.ts';
import type { Flying } from './flying.ts';

type Parts = {
  world: World;
  registry: Registry;
  state: State;
  ledger: Ledger;
  clock: Clock;
  log: Log;
  workspaceId: string;
  control: ControlSettings;
  flying: Flying;
  /** What is to be undone when the world ends. */
  until(untell: () => void): void;
};

/** Joins the engagements of a workspace to what is seen, decided and flown in it. */
export function createEngagements({ world, registry, clock, log, flying, until, ...kept }: Parts): Engagements {
  const { decision, doctrine } = registry;
  const decided = (): ReturnType<EngagementRim['policy']> => {
    const { version, updated_at: _at, updated_by: _by, ...policy } = decision.get();
    return { policy, version };
  };
  const ruled = (): ReturnType<EngagementRim['doctrine']> => {
    const { version, postures, release_table, rules, planning_profiles } = doctrine.get();
    return { version, body: { postures, release_table, rules, planning_profiles } };
  };
  const members = userRows(registry.rim.state);
  // They are asked for with every step and change seldom.
  let [policy, body] = [decided(), ruled()];
  until(
    decision.onSave(() => {
      policy = decided();
    }),
  );
  until(
    doctrine.onChange(() => {
      body = ruled();
    }),
  );
  const engagements = new Engagements({
    ...kept,
    ...flying,
    tracks: () => world.tracks(),
    track: (id) => world.track(id),
    threats: () => world.threats.list(),
    threat: (id) => world.threats.get(id),
    // Users are of the box: the database of a played world has none.
    roleOf: (userId) => members.roleIn(kept.workspaceId, userId),
    policy: () => policy,
    doctrine: () => body,
    nowMs: () => clock.nowMs(),
    utcMs: () => clock.utcMs(clock.nowMs()),
    pictureSeqAgeMs: (seq, epoch) => world.actions.seqAgeMs(seq, epoch),
    tell: {
      engagement: (row) => world.actions.engagement(row),
      autonomy: (effective) => world.actions.autonomy(effective),
      note: (...said) => world.note(...said),
    },
    trouble: (err, what) => log.warn({ err }, `${what} was not written`),
  });
  world.onFirings = (firings) => {
    const asking = firings.filter(({ does }) => does.propose);
    if (asking.length > 0) engagements.asked(asksOf(registry, asking));
  };
  world.actions.begin(() => engagements.open());
  engagements.begin();
  return engagements;
}

/** A rule that was deleted or turned off meanwhile asks nothing any more; that its event is over is told all the same. */
function asksOf({ rules }: Registry, firings: readonly Firing[]): RuleAsk[] {
  const names = new Map(rules.values().map(({ id, name }) => [id, name]));
  return firings.flatMap(({ key, change, ruleId: id, trackIds, text }) => {
    const name = names.get(id);
    const ends = change === 'ended';
    return name === undefined && !ends ? [] : [{ key, ends, rule: { id, name: name ?? id }, trackIds, text }];
  });
}
