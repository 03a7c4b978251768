import t from 'tap';
import { sampleCommand, sampleTask } from '../../../src/http/openapi/fleet_samples.ts';
import type { RunScorer } from '../../../src/sim/score/run_scorer.ts';
import {
  actor,
  alertAbout,
  beginMs,
  keeperOf,
  lookAt,
  placeAt,
  scenarioOf,
  trackAt,
} from '../../support/sim/scored.ts';

const id = (i: number): string => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
const atMs = (atS: number): number => beginMs + atS * 1000;
const actors = [
  actor('intruder', { truth_affiliation: 'hostile', name: 'the intruder' }),
  actor('ours', { kind: 'asset' }),
  actor('liar', { remote_id: { lies: { east_m: 800, from_s: 2 } } }),
];

/** What is told of each expectation after `play`. */
function told(
  t: { same(found: unknown, wanted: unknown): unknown },
  cases: readonly [object, boolean, string][],
  play: (keeper: RunScorer) => void,
) {
  const keeper = keeperOf(scenarioOf({ actors, expect: cases.map(([expect]) => expect) }));
  play(keeper);
  t.same(
    keeper.result().expect,
    cases.map(([, met, text]) => ({ text, met })),
  );
}

/** The intruder comes from 300 m east, 100 m a second, 25 m above ours, which stands at the origin. */
function pass(
  keeper: RunScorer,
  each: (atS: number) => Parameters<typeof trackAt>[3] = () => ({}),
  levels: Record<number, 'low' | 'high'> = {},
): void {
  for (let atS = 0; atS <= 6; atS++) {
    const at = [250 - 100 * atS, 0, 25] as const;
    const level = levels[atS];
    const truth = [placeAt('intruder', at), placeAt('ours', [0, 0, 0], { kind: 'asset', airborne: false })];
    lookAt(keeper, atS, truth, [trackAt(id(1), atMs(atS), at, each(atS))], level ? { [id(1)]: level } : {});
  }
}

t.test('an alert that has to come, and one that must not', (t) => {
  const about = { kind: 'alert', about: 'intruder' };
  told(
    t,
    [
      [{ ...about, by_s: 30 }, true, 'the first alert about the intruder came after 3.4 s; 30 s were allowed'],
      [{ ...about, by_s: 2 }, false, 'the first alert about the intruder came after 3.4 s; 2 s were allowed'],
      [
        { ...about, severity: 'critical' },
        true,
        'the first alert of at least critical about the intruder came after 4 s',
      ],
      [{ ...about, rule: 'swarm' }, false, 'no alert of the rule swarm about the intruder came'],
      [{ kind: 'alert', rule: 'swarm', never: true }, true, 'no alert of the rule swarm came, as required'],
      [{ kind: 'alert', never: true }, false, 'the first alert came after 3.4 s; none was allowed'],
      [{ kind: 'alert', about: 'ours', never: true }, true, 'no alert about ours came, as required'],
    ],
    (keeper) => {
      pass(keeper);
      const alert = alertAbout([id(1)]);
      keeper.alert(alert, atMs(3.4));
      const worse = alert.steps.map((step) => ({ ...step, severity: 'critical' as const }));
      keeper.alert({ ...alert, severity: 'critical', steps: [...alert.steps, ...worse] }, atMs(4));
      keeper.alert({ ...alert, state: 'cleared' }, atMs(5));
    },
  );
  t.end();
});

t.test('how great a threat it is held for, and how great it never may be', (t) => {
  const threat = { kind: 'threat', actor: 'intruder' };
  told(
    t,
    [
      [
        { ...threat, at_least: 'medium', by_s: 5 },
        true,
        'the threat of the intruder was medium or more after 4 s; 5 s were allowed',
      ],
      [
        { ...threat, at_least: 'medium', by_s: 3 },
        false,
        'the threat of the intruder was medium or more after 4 s; 3 s were allowed',
      ],
      [
        { ...threat, at_least: 'critical' },
        false,
        'the greatest threat of the intruder was high; critical was required',
      ],
      [
        { ...threat, at_most: 'medium' },
        false,
        'the greatest threat of the intruder was high; at most medium was allowed',
      ],
      [{ ...threat, at_most: 'high' }, true, 'the greatest threat of the intruder was high; at most high was allowed'],
    ],
    (keeper) => pass(keeper, () => ({}), { 2: 'low', 4: 'high' }),
  );
  t.end();
});

t.test('whom it is held for, once or always', (t) => {
  const held = { kind: 'affiliation', actor: 'intruder' };
  told(
    t,
    [
      [{ ...held, is: 'hostile' }, true, 'the intruder had the affiliation hostile after 3 s'],
      [
        { ...held, is: 'hostile', always: true },
        false,
        'the intruder had the affiliation unknown after 0 s; hostile was required at all times',
      ],
      [{ ...held, is: 'friend' }, false, 'the intruder never had the affiliation friend'],
      [
        { ...held, actor: 'liar', is: 'friend' },
        false,
        'liar never had a confirmed track; the affiliation friend was required',
      ],
    ],
    (keeper) => pass(keeper, (atS) => ({ affiliation: atS >= 3 ? 'hostile' : 'unknown' })),
  );
  t.end();
});

t.test('what is said against it: at its place, and where it only claims to be', (t) => {
  const reasons = [{ id: 'position_disagrees', text: 'it is not there' }] as const;
  told(
    t,
    [
      [
        { kind: 'flag', actor: 'liar', flag: 'position_disagrees', by_s: 9 },
        true,
        'liar was marked position_disagrees after 3 s; 9 s were allowed',
      ],
      [{ kind: 'flag', actor: 'liar', flag: 'suspect' }, true, 'liar was marked suspect after 3 s'],
      [
        { kind: 'flag', actor: 'liar', flag: 'emergency', by_s: 9 },
        false,
        'liar was never marked emergency within 9 s',
      ],
    ],
    (keeper) => {
      for (const atS of [1, 2, 3]) {
        const integrity = {
          verdict: atS === 3 ? 'suspect' : 'unchecked',
          score: 0.1,
          reasons: atS === 3 ? [...reasons] : [],
        } as const;
        const claim = trackAt(id(2), atMs(atS), [800, 0, 50], { integrity });
        lookAt(keeper, atS, [placeAt('liar', [0, 0, 50])], [trackAt(id(1), atMs(atS), [0, 0, 50]), claim]);
      }
    },
  );
  t.end();
});

t.test('how near it comes, between looks too', (t) => {
  const near = { kind: 'near', actor: 'intruder' };
  told(
    t,
    [
      [{ ...near, to: { actor: 'ours' }, within_m: 30 }, true, 'the intruder came within 30 m of ours after 3 s'],
      [{ ...near, to: { actor: 'ours' }, within_m: 20 }, false, 'the intruder came to 25 m of ours; 20 m was required'],
      [
        { ...near, to: { east_m: 0, north_m: 0 }, within_m: 1, by_s: 2 },
        false,
        'the intruder came within 1 m of the place after 3 s; 2 s were allowed',
      ],
      [
        { ...near, to: { east_m: 0, north_m: 4, height_m: 28 }, within_m: 6 },
        true,
        'the intruder came within 6 m of the place after 3 s',
      ],
      [
        { kind: 'apart', actors: ['intruder', 'ours'], at_least_m: 50 },
        true,
        'the intruder and ours were never in the air together',
      ],
    ],
    (keeper) => pass(keeper),
  );
  told(
    t,
    [
      [
        { kind: 'apart', actors: ['intruder', 'liar'], at_least_m: 50 },
        false,
        'the intruder and liar came to 30 m of each other after 2 s; at least 50 m was required',
      ],
    ],
    (keeper) => {
      for (const atS of [1, 2]) {
        const side = atS === 1 ? 100 : -100;
        lookAt(keeper, atS, [placeAt('intruder', [side, 0, 50]), placeAt('liar', [-side, 30, 50])], []);
      }
    },
  );
  t.end();
});

t.test('a metric within bounds; what was not measured is within none', (t) => {
  told(
    t,
    [
      [{ kind: 'metric', metric: 'completeness', at_least: 0.9 }, true, 'completeness is 1; at least 0.9 was required'],
      [{ kind: 'metric', metric: 'gospa_m', at_most: 0.001 }, true, 'gospa_m is 0 m; at most 0.001 m was required'],
      [
        { kind: 'metric', metric: 'id_switches', at_least: 1, at_most: 2 },
        false,
        'id_switches is 0; at least 1 and at most 2 was required',
      ],
      [
        { kind: 'metric', metric: 'alert_latency_s', at_most: 2 },
        false,
        'alert_latency_s could not be measured: nothing to measure happened; at most 2 s was required',
      ],
    ],
    (keeper) => pass(keeper),
  );
  t.end();
});

t.test('a task that reached its station, or was done; a refused order says why there was none', (t) => {
  const orbit = { kind: 'task', asset: 'ours', verb: 'orbit', about: 'intruder', is: 'on_station' };
  const round = { ...sampleTask, asset_id: 'ours', verb: 'orbit', params: { kind: 'track', track_id: id(1) } } as const;
  const cases: [object, boolean, string][] = [
    [{ ...orbit, by_s: 8 }, true, 'ours was on station with orbit about the intruder after 5 s; 8 s were allowed'],
    [{ ...orbit, by_s: 4 }, false, 'ours was on station with orbit about the intruder after 5 s; 4 s were allowed'],
    [
      { ...orbit, is: 'done' },
      false,
      'ours was not done with orbit about the intruder: the task was superseded (the command return_home replaced this one)',
    ],
    [{ ...orbit, about: 'liar' }, false, 'ours was not on station with orbit about liar: no such task began'],
    [{ kind: 'task', asset: 'ours', verb: 'return_home' }, true, 'ours was done with return_home after 7 s'],
    [
      { kind: 'task', asset: 'ours', verb: 'goto', by_s: 30 },
      false,
      'ours was not done with goto within 30 s: the order goto to ours at 9 s was refused: the vehicle is on the ground',
    ],
    [
      { kind: 'metric', metric: 'tasks_failed', at_most: 0 },
      false,
      'tasks_failed is 1; at most 0 was required: the order goto to ours at 9 s was refused: the vehicle is on the ground',
    ],
  ];
  const keeper = keeperOf(scenarioOf({ actors, expect: cases.map(([expect]) => expect) }));
  pass(keeper);
  keeper.task({ ...round, state: 'executing', phase: 'going' }, atMs(4));
  keeper.task({ ...round, state: 'executing', phase: 'on_station' }, atMs(5));
  keeper.task({ ...round, state: 'executing', phase: 'giving_way' }, atMs(6));
  keeper.task(
    { ...round, state: 'superseded', phase: 'over', reason: 'the command return_home replaced this one' },
    atMs(6),
  );
  const home = {
    ...sampleCommand,
    asset_id: 'ours',
    verb: 'return_home',
    task_id: null,
    params: { kind: 'none' },
  } as const;
  keeper.command({ ...home, state: 'done' }, atMs(7));
  const text = 'the order goto to ours at 9 s was refused: the vehicle is on the ground';
  const { expect } = keeper.result([{ order: { do: 'command', at_s: 9, asset: 'ours', verb: 'goto' }, text }]);
  t.same(
    expect,
    cases.map(([, met, text]) => ({ text, met })),
  );
  t.end();
});
