import t from 'tap';
import { firstPolicy } from '../../../src/core/assess/configuration.ts';
import { RecordedSky } from '../../../src/core/assess/recorded_sky.ts';
import { nobodysWord } from '../../../src/core/assess/watched.ts';
import type { Firing } from '../../../src/model/firing.ts';
import type { RuleValue } from '../../../src/model/rule_value.ts';
import type { TrackPoint } from '../../../src/model/track.ts';
import { builtinValue, userValue } from '../../support/core/rule_facts.ts';
import { beside, type ZoneLike, zoneOf } from '../../support/core/zone_site.ts';

const FENCE = '00000000-0000-8000-8000-00000000feed';

/** One zone, one aircraft, one rule. */
function skyWith(rule: RuleValue, zone: ZoneLike = {}): RecordedSky {
  const plan = { zones: [zoneOf({ id: FENCE, ...zone })], assets: [] };
  const sky = new RecordedSky(10, firstPolicy, { plan, listens: false, utcOffsetMs: 0 }, [rule]);
  const said = { identities: [], classification: [], operator: null, takeoff: null, status: null };
  const heard = { contributors: [], flags: [], firstSeenMs: 0, lastSeenMs: 0, cooperative: 'non_coop_only' } as const;
  const left = { id: 'track', number: 1, ...said, ...heard, contributors: [], claims: [], lineage: [], flags: [] };
  sky.add({ left, integrity: { verdict: 'unchecked', score: 0.5, reasons: [] }, word: nobodysWord(1) });
  return sky;
}

/** So far east of the middle, flying on to the east. */
function eastOf(metres: number, speed_mps = 10): TrackPoint {
  const motion = { speed_mps, course_deg: 90, climb_mps: 0, h_m: 3 };
  const heights = { alt_msl_m: null, alt_agl_m: null, alt_hae_m: 50, height_takeoff_m: 50 };
  return { at: '2026-01-01T00:00:00Z', state: 'confirmed', ...beside(metres, 0), ...heights, ...motion };
}

/** What is told of it where it is so far east, each a second after the one before. */
function told(rule: RuleValue, metres: readonly number[]): Firing[] {
  const sky = skyWith(rule);
  return metres.flatMap((one, i) => {
    sky.move(1, (i + 1) * 1_000, eastOf(one));
    return sky.evaluate((i + 1) * 1_000).firings;
  });
}

t.test('a rule that asks how near a zone is, is told so of who goes away from it', async (t) => {
  const near = userValue({
    when: { all: [{ field: 'track.position', op: 'within_m', value: { zone_id: FENCE, m: 500 } }] },
  });
  t.match(told(near, [600, 610]), [{ change: 'raised' }]);
  t.same(told(near, [800, 810]), [], 'not of who is farther');
});

t.test('who comes in is found in it, though it was not followed before', async (t) => {
  const inside = userValue({ when: { all: [{ field: 'track.zone', op: 'inside', value: 'protected' }] } });
  t.match(told(inside, [-4_000, -3_000, 0, 10]), [{ change: 'raised', zoneId: FENCE, atMs: 3_000 }]);
});

t.test('how long it has been somewhere goes on while nothing is heard', async (t) => {
  const sky = skyWith(builtinValue('zone_dwell'), { alarm: { on: ['dwell'], dwell_s: 5 } });
  sky.move(1, 1_000, eastOf(0, 0));
  const firings: Firing[] = [];
  for (let ms = 1_000; ms <= 8_000; ms += 50) firings.push(...sky.evaluate(ms).firings);
  t.equal(firings.length, 1);
  const [{ atMs } = { atMs: 0 }] = firings;
  t.ok(atMs >= 6_000 && atMs <= 6_200, `told at ${atMs}`);
});

t.test('a recorded track whose height became unknown is in a zone below that height', async (t) => {
  const inside = userValue({ when: { all: [{ field: 'track.zone', op: 'inside', value: 'protected' }] } });
  const sky = skyWith(inside, { floor_m: 0, ceiling_m: 120 });
  const point = { ...eastOf(0, 0), alt_hae_m: null };
  sky.move(1, 1_000, { ...point, height_takeoff_m: 200 });
  t.same(sky.evaluate(1_000).firings, [], 'over the ceiling');
  sky.move(1, 2_000, { ...point, height_takeoff_m: null });
  t.match(sky.evaluate(2_000).firings, [{ change: 'raised' }]);
});
