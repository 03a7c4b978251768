import t from 'tap';
import { nobodysWord } from '../../../src/core/assess/watched.ts';
import { blankObservation } from '../../../src/edge/feed/blank.ts';
import type { TrackWord } from '../../../src/model/assessment.ts';
import type { Affiliation } from '../../../src/model/assignment.ts';
import type { Firing } from '../../../src/model/firing.ts';
import type { Observation } from '../../../src/model/observation.ts';
import type { RuleValue } from '../../../src/model/rule_value.ts';
import { CoreWitness } from '../../support/core/core.ts';
import { builtinValue, userValue } from '../../support/core/rule_facts.ts';
import { middle, zoneOf } from '../../support/core/zone_site.ts';

const STEP_MS = 500;
const telemetry = { affiliation: 'friend', affiliationBasis: 'telemetry' } as const;
const assignment = { affiliation: 'friend', affiliationBasis: 'assignment' } as const;
const claimed = { affiliation: 'friend', affiliationBasis: 'remote_id' } as const;
const stranger = { affiliation: 'unknown', affiliationBasis: 'none' } as const;
type Held = Pick<TrackWord, 'affiliation' | 'affiliationBasis'>;

/** A core with one zone, one rule and one vehicle that stands where it is told. */
class Sky {
  nowMs = 1_000_000;
  readonly #core = new CoreWitness();
  altHaeM = 50;
  landed: boolean | null = null;

  constructor(rule: RuleValue, affiliations: Affiliation[] = []) {
    const zone = zoneOf({ alarm: { on: ['enter', 'dwell'], dwell_s: 10 }, applies_to: { affiliations } });
    this.#core.core.assessor.setSite({ plan: { zones: [zone], assets: [] }, listens: false, utcOffsetMs: 0 });
    this.#core.core.assessor.rules.setRules([rule]);
  }

  pass(seconds: number, held: Held): Firing[] {
    this.#core.core.assessor.receiveWords([{ ...nobodysWord(1), ...held }]);
    return this.passUndecided(seconds);
  }

  passUndecided(seconds: number): Firing[] {
    const fired: Firing[] = [];
    for (let leftMs = seconds * 1_000; leftMs > 0; leftMs -= STEP_MS) {
      this.nowMs += STEP_MS;
      const said: Observation = {
        ...blankObservation('sensor', null, this.nowMs),
        ...{
          report: 'position',
          latDeg: middle.lat,
          lonDeg: middle.lon,
          altHaeM: this.altHaeM,
          sigmaHM: 3,
          sigmaVM: 6,
        },
        ...{ speedMps: 0, authentic: true, landed: this.landed },
        identities: [{ type: 'mavlink', value: 'mavlink:link:7:1', transport: 'mavlink' }],
      };
      fired.push(...this.#core.step(this.nowMs, said).assessment.firings);
    }
    return fired;
  }
}

const loitering = builtinValue('loitering', { parameters: { loiter_s: 20, distance_m: 3_000 } });
const dwelling = builtinValue('zone_dwell');
const older = userValue({
  for_s: 10,
  when: { all: [{ field: 'track.zone', op: 'inside', value: 'protected' }] },
});
const strange = userValue({ when: { all: [{ field: 'track.affiliation', op: 'ne', value: 'friend' }] } });
const aged = userValue({
  when: {
    all: [
      { field: 'track.age_s', op: 'gte', value: 20 },
      { field: 'track.affiliation', op: 'ne', value: 'friend' },
    ],
  },
});

t.test('time as a friend by telemetry or assignment counts for no rule, and the time after it does', async (t) => {
  for (const [name, rule, afterS] of [
    ['loitering', loitering, 20],
    ['zone_dwell', dwelling, 10],
    ['age', aged, 20],
  ] as const)
    for (const friend of [telemetry, assignment]) {
      const sky = new Sky(rule);
      t.strictSame(sky.pass(60, friend), [], `${name}: nothing while it is a friend`);
      t.strictSame(sky.pass(afterS - 2, stranger), [], `${name}: nothing at once when its link is lost`);
      t.match(sky.pass(4, stranger), [{ change: 'raised' }], `${name}: as of a stranger from then on`);
    }
});

t.test('rules wait for the first decision about a new track with identities, for 1 s at most', async (t) => {
  const own = new Sky(strange);
  t.strictSame(own.passUndecided(1), [], 'the decision is under way');
  t.strictSame(own.pass(10, telemetry), [], 'it is a friend');
  const other = new Sky(strange);
  t.strictSame(other.passUndecided(0.5), []);
  t.match(other.pass(0.5, stranger), [{ change: 'raised' }], 'a stranger is reported as soon as it is decided');
  const silent = new Sky(strange);
  t.strictSame(silent.passUndecided(1), []);
  t.match(silent.passUndecided(1), [{ change: 'raised' }], 'a decision that does not come holds nothing back for long');
});

t.test('a rule that has to hold for a while counts no time as a friend', async (t) => {
  const sky = new Sky(older);
  sky.pass(1, stranger);
  t.strictSame(sky.pass(8, telemetry), []);
  t.strictSame(sky.pass(7, stranger), []);
  t.match(sky.pass(4, stranger), [{ change: 'raised' }]);
});

t.test('time as a claimed friend counts, and time before and after goes together', async (t) => {
  const sky = new Sky(loitering);
  t.strictSame(sky.pass(14, claimed), []);
  t.strictSame(sky.pass(40, telemetry), []);
  t.strictSame(sky.pass(4, claimed), []);
  t.match(sky.pass(4, claimed), [{ change: 'raised' }], '20 s in all');
});

t.test('a friend by Remote ID alone raises the alarm of a protected zone for unknown tracks', async (t) => {
  const entry = builtinValue('zone_entry');
  t.match(new Sky(entry, ['unknown', 'hostile']).pass(6, claimed), [{ change: 'raised' }]);
  for (const friend of [telemetry, assignment])
    t.strictSame(new Sky(entry, ['unknown', 'hostile']).pass(6, friend), [], friend.affiliationBasis);
});

t.test('a vehicle that is known to stand on the ground loiters nowhere, until it moves', async (t) => {
  const sky = new Sky(loitering);
  sky.landed = true;
  t.strictSame(sky.pass(60, stranger), []);
  sky.landed = null;
  t.strictSame(sky.pass(60, stranger), [], 'nor when it says no more');
  sky.altHaeM = 120;
  sky.pass(10, stranger);
  t.match(sky.pass(20, stranger), [{ change: 'raised' }], 'in the air it does');
  const other = new Sky(loitering);
  other.landed = true;
  other.pass(30, stranger);
  other.landed = false;
  t.strictSame(other.pass(18, stranger), []);
  t.match(other.pass(4, stranger), [{ change: 'raised' }]);
});
