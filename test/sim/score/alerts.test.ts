import t from 'tap';
import { sampleCommand, sampleTask } from '../../../src/http/openapi/fleet_samples.ts';
import type { Alert } from '../../../src/model/alert.ts';
import type { Track } from '../../../src/model/track.ts';
import type { RunScorer } from '../../../src/sim/score/run_scorer.ts';
import {
  actor,
  alertAbout,
  beginMs,
  keeperOf,
  lookAt,
  placeAt,
  scenarioOf,
  squareZone,
  trackAt,
} from '../../support/sim/scored.ts';

const id = (i: number): string => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
const atMs = (atS: number): number => beginMs + atS * 1000;
const hostile = actor('intruder', { truth_affiliation: 'hostile' });
const suspect: Partial<Track> = { integrity: { verdict: 'suspect', score: 0.1, reasons: [] } };

/** From 250 m east it flies over the origin to the west, 50 m a second. */
function flyIn(keeper: RunScorer, seconds: number, name = 'intruder', changes: Partial<Track> = {}): void {
  for (let atS = 0; atS <= seconds; atS++) {
    const at = [250 - 50 * atS, 0, 60] as const;
    lookAt(keeper, atS, [placeAt(name, at)], [trackAt(id(1), atMs(atS), at, changes)]);
  }
}

t.test('an alert is owed from when a hostile actor is in a guarded zone; its latency counts from then', (t) => {
  const zone = squareZone(100);
  const keeper = keeperOf(scenarioOf({ actors: [hostile] }), [zone]);
  flyIn(keeper, 10);
  t.match(keeper.result().metrics, { alerts_missed: 1, alert_latency_s: null });
  // In after 3 s.
  keeper.alert(alertAbout([id(1)]), atMs(5.5));
  t.match(keeper.result().metrics, { alerts_missed: 0, alert_latency_s: 2.5, alerts_false: 0 });
  // The zone's own, though it is no warning, and before it was in.
  keeper.alert(alertAbout([id(1)], { severity: 'notice', zone_id: zone.id, rule_id: 'zone_approach' }), atMs(1));
  t.match(keeper.result().metrics, { alerts_missed: 0, alert_latency_s: 0 });
  t.end();
});

t.test(
  'nothing is owed for others, above or outside the zone, for zones of other kinds, or while nobody can see it',
  (t) => {
    const missed = (zone: object, changes: object = {}, flying: object = {}): number => {
      const keeper = keeperOf(scenarioOf({ actors: [{ ...hostile, ...changes }] }), [squareZone(100, { ...zone })]);
      for (let atS = 0; atS < 8; atS++) lookAt(keeper, atS, [placeAt('intruder', [250 - 50 * atS, 0, 60], flying)], []);
      return keeper.result().metrics.alerts_missed;
    };
    t.equal(missed({}), 1);
    t.equal(missed({ kind: 'alert' }), 1);
    t.equal(missed({ floor_m: 50, ceiling_m: 70 }), 1);
    t.equal(missed({}, { truth_affiliation: 'neutral' }), 0);
    t.equal(missed({ ceiling_m: 50 }), 0);
    t.equal(missed({ enabled: false }), 0);
    t.equal(missed({ kind: 'warning' }), 0);
    t.equal(missed({ kind: 'alert', alarm: { on: [] } }), 0);
    t.equal(missed({}, {}, { visible: false }), 0);
    const nights = { from: '22:00', to: '05:00', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], tz: 'UTC' };
    t.equal(missed({ schedule: nights }), 0);
    t.end();
  },
);

t.test('an alert of one of a swarm is for the swarm', (t) => {
  const swarm = { ...hostile, id: 'swarm', kind: 'swarm', count: 2 };
  const keeper = keeperOf(scenarioOf({ actors: [swarm] }), [squareZone(100)]);
  flyIn(keeper, 8, 'swarm-2');
  keeper.alert(alertAbout([id(1)], { rule_id: 'swarm' }), atMs(4));
  t.match(keeper.result().metrics, { alerts_missed: 0, alert_latency_s: 1 });
  t.end();
});

t.test('an alert is false where nothing gave reason for it', (t) => {
  const falseOnes = (changes: object, alert: Partial<Alert> = {}, track: Partial<Track> = {}): number => {
    const keeper = keeperOf(scenarioOf({ actors: [{ ...actor('one'), ...changes }] }));
    flyIn(keeper, 4, 'one', track);
    keeper.alert(alertAbout([id(1)], alert), atMs(3));
    return keeper.result().metrics.alerts_false;
  };
  t.equal(falseOnes({ truth_affiliation: 'neutral' }), 1);
  t.equal(falseOnes({ truth_affiliation: 'friend' }), 1);
  t.equal(falseOnes({ kind: 'bird' }), 1);
  t.equal(falseOnes({ truth_affiliation: 'hostile' }), 0);
  t.equal(falseOnes({ truth_affiliation: 'unknown' }), 0, 'whose side it is on is left open');
  t.equal(falseOnes({ truth_affiliation: 'neutral' }, { severity: 'notice' }), 0, 'nobody is called for a notice');
  t.equal(falseOnes({ truth_affiliation: 'neutral' }, { rule_id: 'own_platform_close' }), 0, 'it is really there');
  t.equal(falseOnes({ truth_affiliation: 'neutral' }, { rule_id: 'suspect_remote_id' }), 1, 'it tells the truth');
  const lies = { lies: { east_m: 800 } };
  t.equal(falseOnes({ truth_affiliation: 'neutral', remote_id: lies }, { rule_id: 'suspect_remote_id' }), 0);
  t.equal(falseOnes({}, { track_ids: [], rule_id: 'sensor_silent' }), 0, 'it is about no track');
  t.end();
});

t.test('of what is not there only what was found out as a fake gives reason', (t) => {
  const falseOnes = (track: Partial<Track>, rule = 'zone_entry'): number => {
    const keeper = keeperOf(scenarioOf({}));
    lookAt(keeper, 1, [], [trackAt(id(1), atMs(1), [0, 0, 50], track)]);
    keeper.alert(alertAbout([id(1)], { rule_id: rule }), atMs(1));
    return keeper.result().metrics.alerts_false;
  };
  t.equal(falseOnes({}), 1);
  t.equal(falseOnes(suspect), 0);
  t.equal(falseOnes({}, 'suspect_remote_id'), 0);
  t.end();
});

t.test('a second track of one of ours is not another aircraft close to it', (t) => {
  const keeper = keeperOf(scenarioOf({ actors: [actor('ours', { kind: 'asset', truth_affiliation: 'friend' })] }));
  const two = [trackAt(id(1), atMs(1), [0, 0, 50]), trackAt(id(2), atMs(1), [12, 0, 50])];
  lookAt(keeper, 1, [placeAt('ours', [0, 0, 50], { kind: 'asset' })], two);
  keeper.alert(alertAbout([id(2)], { rule_id: 'own_platform_close' }), atMs(1));
  t.match(keeper.result().metrics, { alerts_false: 1, false_tracks: 1 });
  t.end();
});

t.test('what is heard where nothing is belongs to the one who invents aircraft', (t) => {
  const spoofer = actor('liar', { kind: 'spoofer', truth_affiliation: 'hostile' });
  const expect = [{ kind: 'alert', about: 'liar' }];
  const keeper = keeperOf(scenarioOf({ actors: [spoofer], expect }));
  lookAt(keeper, 1, [], [trackAt(id(1), atMs(1), [0, 0, 50], { cooperative: 'coop_only' })]);
  keeper.alert(alertAbout([id(1)]), atMs(1));
  t.match(keeper.result(), { metrics: { alerts_false: 0, alerts_missed: 0 }, expect: [{ met: true }] });
  t.end();
});

t.test('an alert that the scenario asks for is owed, and not false', (t) => {
  const expect = [{ kind: 'alert', about: 'one', rule: 'zone_approach' }];
  const keeper = keeperOf(scenarioOf({ actors: [actor('one', { truth_affiliation: 'neutral' })], expect }));
  flyIn(keeper, 4, 'one');
  t.match(keeper.result().metrics, { alerts_missed: 1, alerts_false: 0 });
  keeper.alert(alertAbout([id(1)], { rule_id: 'zone_approach' }), atMs(2));
  t.match(keeper.result().metrics, { alerts_missed: 0, alerts_false: 0, alert_latency_s: null });
  t.end();
});

t.test('tasks, and commands that are no part of one, are done or failed; what was taken back is neither', (t) => {
  const keeper = keeperOf(scenarioOf({}));
  const states = ['executing', 'done', 'failed', 'rejected', 'cancelled', 'superseded', 'timed_out'] as const;
  for (const [i, state] of states.entries()) keeper.task({ ...sampleTask, id: id(i), state }, beginMs);
  keeper.command({ ...sampleCommand, command_id: 'a', task_id: null, state: 'done' }, beginMs);
  keeper.command({ ...sampleCommand, command_id: 'b', task_id: null, state: 'done' }, beginMs);
  keeper.command({ ...sampleCommand, command_id: 'b', task_id: id(1), state: 'done' }, beginMs);
  t.match(keeper.result().metrics, { tasks_done: 2, tasks_failed: 3 });
  t.end();
});
