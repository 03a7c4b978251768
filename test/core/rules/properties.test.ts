import fc from 'fast-check';
import t from 'tap';
import { RuleEngine } from '../../../src/core/rules/engine.ts';
import type { Facts, TrackFacts } from '../../../src/core/rules/facts.ts';
import type { Firing } from '../../../src/model/firing.ts';
import type { RuleValue } from '../../../src/model/rule_value.ts';
import { randomFrom } from '../../support/basics/random.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { allBuiltins, silent, trackFact, userValue, zoneFact } from '../../support/core/rule_facts.ts';

const user = userValue({
  when: {
    any: [
      { field: 'track.affiliation', op: 'changed' },
      { field: 'track.zone', op: 'inside', value: 'protected' },
    ],
  },
  cooldown_s: 3,
});
const about = userValue(
  { when: { all: [{ field: 'track.zone', op: 'inside', value: 'protected' }] }, for_s: 1, cooldown_s: 0 },
  'user-2',
);
const rules = [...allBuiltins, user, about];

const world = fc.record({
  seed: fc.integer({ min: 1, max: 1e9 }),
  tracks: fc.integer({ min: 1, max: 12 }),
  looks: fc.integer({ min: 1, max: 60 }),
  stepMs: fc.constantFrom(100, 250, 1_000, 4_000),
});
type World = { seed: number; tracks: number; looks: number; stepMs: number };

/** Looks of a world in which things come, go, lie, join and fall silent; each look is made anew of the same numbers. */
function looksOf({ seed, tracks, looks, stepMs }: World): Facts[] {
  const random = randomFrom(seed);
  const chance = (p: number): boolean => random() < p;
  const state = new Map<number, TrackFacts>();
  const facts: Facts[] = [];
  for (let look = 0; look < looks; look++) {
    for (let number = 1; number <= tracks; number++) {
      const was = state.get(number);
      if (was && chance(0.1)) state.delete(number);
      else if (!was && chance(0.4))
        state.set(number, trackFact(number, { firstSeenMs: look * stepMs, cooperative: 'coop_only' }));
      else if (was && chance(0.3)) state.set(number, { ...was, ...change(random) });
    }
    const sensors = chance(0.3) ? [silent, { ...silent, id: 'sensor-2' }] : [];
    facts.push({ nowMs: look * stepMs, tracks: [...state.values()], sensors });
  }
  return facts;
}

function change(random: () => number): Partial<TrackFacts> {
  const pick = <T>(...of: T[]): T => of[Math.floor(random() * of.length)] as T;
  const zones = pick(0, 1, 2);
  return {
    state: pick('tentative', 'confirmed', 'confirmed', 'coasting', 'lost'),
    affiliation: pick('unknown', 'unknown', 'friend', 'hostile'),
    affiliationBasis: pick('none', 'remote_id', 'telemetry'),
    verdict: pick('suspect', 'consistent'),
    cooperative: pick('coop_only', 'coop_only', 'both'),
    named: pick(true, false),
    groupId: pick(null, 'g1', 'g2'),
    climbMps: pick(0, -8, Number.NaN),
    ignored: random() < 0.1,
    zones: [
      ...(zones > 0 ? [zoneFact({ alarm: { on: ['enter'], severity: pick('notice', 'critical') } })] : []),
      ...(zones > 1
        ? [zoneFact({ id: 'gate', name: 'gate', kind: 'warning', approaching: true, inside: pick(true, false) })]
        : []),
    ],
  };
}

function run(of: readonly RuleValue[], looks: readonly Facts[]): ReturnType<RuleEngine['evaluate']>[] {
  const engine = new RuleEngine();
  engine.set(of);
  return looks.map((facts) => engine.evaluate(facts));
}

function holds(t: Parameters<typeof seedOf>[0], property: (looks: Facts[], world: World) => boolean): void {
  const result = fc.check(
    fc.property(world, (one) => property(looksOf(one), one)),
    { seed: seedOf(t), numRuns: sized(300) },
  );
  t.notOk(result.failed, JSON.stringify(result.counterexample));
}

t.test('the same looks give the same answers, in whatever order things are told and rules were set', async (t) => {
  holds(t, (looks) => {
    const turned = looks.map(({ nowMs, tracks, sensors }) => ({
      nowMs,
      tracks: [...tracks].reverse(),
      sensors: [...sensors].reverse(),
    }));
    const first = JSON.stringify(run(rules, looks));
    return first === JSON.stringify(run(rules, looks)) && first === JSON.stringify(run([...rules].reverse(), turned));
  });
});

t.test(
  'an event is raised, is told of while it goes on, and ends: never raised twice, never told of when over',
  async (t) => {
    holds(t, (looks) => {
      const open = new Map<string, Firing>();
      for (const { firings } of run(rules, looks))
        for (const firing of firings) {
          const was = open.get(firing.key);
          if ((firing.change === 'raised') === (was !== undefined)) return false;
          if (firing.change === 'ended') open.delete(firing.key);
          else open.set(firing.key, firing);
          if (was && firing.count < 1) return false;
        }
      return true;
    });
  },
);

t.test('everything that is raised ends where everything goes', async (t) => {
  holds(t, (looks, { looks: count, stepMs }) => {
    const after = Array.from({ length: 10 }, (_, i) => ({
      nowMs: (count + i) * Math.max(stepMs, 1_000) + 10_000,
      tracks: [],
      sensors: [],
    }));
    const all = run(rules, [...looks, ...after]).flatMap(({ firings }) => firings);
    const of = (change: Firing['change']): string =>
      all
        .filter((firing) => firing.change === change)
        .map(({ key }) => key)
        .sort()
        .join();
    return of('raised') === of('ended');
  });
});

t.test(
  'no track that may not speak is in what is raised, and severity never falls while an event goes on',
  async (t) => {
    const order = ['info', 'notice', 'warning', 'critical'];
    holds(t, (looks) => {
      const told = run(rules, looks);
      const loudest = new Map<string, number>();
      return looks.every(({ tracks }, i) => {
        const mute = new Set(
          [...tracks].filter(({ ignored, state }) => ignored || state === 'tentative').map(({ id }) => id),
        );
        return (told[i]?.firings ?? []).every(({ key, change, trackIds, severity }) => {
          const was = change === 'raised' ? 0 : (loudest.get(key) ?? 0);
          loudest.set(key, order.indexOf(severity));
          return order.indexOf(severity) >= was && (change !== 'raised' || !trackIds.some((id) => mute.has(id)));
        });
      });
    });
  },
);

t.test('up to four that enter in one look are an event each, and more are one event in whatever number', async (t) => {
  const property = fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 20 }), (count, s) => {
    const engine = new RuleEngine();
    engine.set(allBuiltins.filter(({ id }) => id === 'zone_entry'));
    const told = Array.from({ length: 30 }, (_, i) =>
      engine.evaluate({
        nowMs: i * 1_000,
        tracks: Array.from({ length: count }, (_, n) => trackFact(n + 1, { zones: i >= s ? [zoneFact()] : [] })),
        sensors: [],
      }),
    );
    const raised = told.flatMap(({ firings }) => firings).filter(({ change }) => change !== 'changed');
    if (count <= 4)
      return raised.length === count && raised.every((one) => one.count === 1 && one.trackIds.length === 1);
    return raised.length === 1 && raised[0]?.count === count && raised[0].trackIds.length === Math.min(50, count);
  });
  t.notOk(fc.check(property, { seed: seedOf(t), numRuns: sized(50) }).failed);
});

const asStranger = (track: TrackFacts): TrackFacts => ({ ...track, affiliation: 'unknown' });

t.test('between an end and the next beginning of the same lies the cooldown, unless it is louder', async (t) => {
  const rule = userValue({
    when: { all: [{ field: 'track.zone', op: 'inside', value: 'protected' }] },
    cooldown_s: 20,
  });
  holds(t, (looks) => {
    const ended = new Map<string, number>();
    // A track that was a friend meanwhile is raised at once: strangers alone have a cool-down.
    const strangers = looks.map((look) => ({ ...look, tracks: [...look.tracks].map(asStranger) }));
    for (const { firings } of run([rule], strangers))
      for (const { change, key, atMs, trackIds } of firings) {
        if (change === 'ended') ended.set(key, atMs);
        const endedMs = ended.get(key);
        if (change === 'raised' && trackIds.length === 1 && endedMs !== undefined && atMs - endedMs < 20_000)
          return false;
      }
    return true;
  });
});

t.test('it has held for as long as it has to when it is raised', async (t) => {
  const rule = userValue({
    when: { all: [{ field: 'track.named', op: 'eq', value: false }] },
    for_s: 3,
    cooldown_s: 0,
  });
  holds(t, (looks) => {
    const since = new Map<string, number>();
    const told = run([rule], looks);
    return looks.every(({ nowMs, tracks }, i) => {
      const now = new Map([...tracks].map((track) => [track.id, track]));
      for (const id of since.keys()) if (!now.has(id)) since.delete(id);
      for (const { id, named, state, ignored } of now.values())
        if (named || ignored || state === 'tentative') since.delete(id);
        else if (!since.has(id)) since.set(id, nowMs);
      const raised = (told[i]?.firings ?? []).filter(({ change }) => change === 'raised');
      return raised.every(({ trackIds }) => trackIds.some((id) => nowMs - (since.get(id) ?? nowMs) >= 3_000));
    });
  });
});
