import t from 'tap';
import { beginCourse, type Course, follow, judgeAnew } from '../../../src/core/threat/levels.ts';
import { Situation } from '../../../src/core/threat/situation.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { randomFrom } from '../../support/basics/random.ts';
import { seedOf } from '../../support/basics/seed.ts';

const { levels } = defaultPolicy;
const STEP_MS = 250;

/** A course through scores, one each step; tells each step's course. */
function course(
  scores: readonly number[],
  change: (i: number) => Partial<Situation> = () => ({}),
  fromMs = 0,
): Course[] {
  let at: Course | null = null;
  return scores.map((score, i) => {
    const situation = { ...new Situation('T'), ...change(i) };
    const scored = { score, relation: null };
    const nowMs = fromMs + i * STEP_MS;
    at = at ? follow(at, scored, situation, levels, nowMs) : beginCourse(scored, situation, levels, nowMs);
    return { ...at };
  });
}

const held = (score: number, s: number): number[] => Array.from({ length: (s * 1000) / STEP_MS }, () => score);
const levelsOf = (courses: readonly Course[]): string[] =>
  courses.map(({ level }) => level).filter((level, i, all) => level !== all[i - 1]);

t.test('a level is reached half a second after its score, whatever was skipped on the way', async (t) => {
  const courses = course([...held(10, 5), ...held(85, 5)]);
  t.same(levelsOf(courses), ['none', 'critical']);
  t.equal(courses.findIndex(({ level }) => level === 'critical') * STEP_MS, 5_500);
});

t.test('one score above is no level, and of a rise the least score counts', async (t) => {
  t.same(levelsOf(course([...held(10, 2), 85, ...held(10, 2)])), ['none']);
  t.same(levelsOf(course([10, 85, 45, ...held(85, 2)])), ['none', 'medium', 'critical']);
});

t.test('where what the score is made of changes, the level is reached at once', async (t) => {
  const courses = course([...held(10, 2), ...held(85, 1)], (i) => (i < 8 ? {} : { verdict: 'suspect' }));
  t.equal(courses[8]?.level, 'critical');
});

t.test('a level is left when the score has been below it by the hysteresis for the dwell time', async (t) => {
  t.same(levelsOf(course([...held(62, 2), ...held(56, 20)])), ['high'], 'four points below is not left');
  const courses = course([...held(62, 2), ...held(50, 20)]);
  t.same(levelsOf(courses), ['high', 'medium']);
  t.equal(courses.findIndex(({ level }) => level === 'medium') * STEP_MS, 2_000 + levels.dwell_s * 1000);
  t.same(
    levelsOf(course([...held(62, 2), ...held(50, levels.dwell_s - 0.5), 58, ...held(50, levels.dwell_s - 0.5)])),
    ['high'],
    'a rise begins the wait anew',
  );
  t.same(levelsOf(course([...held(90, 2), ...held(0, 1), ...held(38, 1), ...held(0, 2 * levels.dwell_s)])), [
    'critical',
    'medium',
    'none',
  ]);
});

t.test('another affiliation ends a level at once, another verdict does not', async (t) => {
  const scores = [...held(90, 2), ...held(0, 1)];
  const friend = course(scores, (i) => ({ affiliation: i < 8 ? 'unknown' : 'friend' }));
  t.equal(friend[8]?.level, 'none');
  const honest = course(scores, (i) => ({ verdict: i < 8 ? 'suspect' : 'consistent' }));
  t.equal(honest.at(-1)?.level, 'critical');
});

t.test('a score that jitters about a threshold does not make the level flap', async (t) => {
  const random = randomFrom(seedOf(t));
  const scores = Array.from({ length: 2_400 }, () => 60 + 8 * (random() - 0.5));
  const changes = levelsOf(course(scores)).length - 1;
  t.ok(changes <= 2, `${changes} changes in ten minutes`);
});

t.test('what is tentative is low at most, and is what it is once it is confirmed', async (t) => {
  const courses = course(held(95, 4), (i) => ({ state: i < 8 ? 'tentative' : 'confirmed' }));
  t.equal(courses[7]?.level, 'low');
  t.equal(courses[8]?.level, 'critical');
});

t.test('the trend tells where the score goes, and the peak where it was', async (t) => {
  const up = Array.from({ length: 80 }, (_, i) => 20 + i * 0.5);
  const courses = course([...held(20, 10), ...up, ...held(60, 60), ...[...up].reverse()]);
  t.equal(courses[39]?.trend, 'steady');
  t.equal(courses[39 + 60]?.trend, 'rising');
  t.equal(courses[39 + 80 + 239]?.trend, 'steady');
  t.equal(courses.at(-20)?.trend, 'falling');
  t.equal(courses.at(-1)?.peakScore, 60);
});

t.test('a course at another time of day is the same course', async (t) => {
  const random = randomFrom(seedOf(t));
  const scores = Array.from({ length: 500 }, () => 100 * random());
  const shiftMs = 7 * 86_400_000;
  const bare = (courses: Course[], fromMs: number): unknown =>
    courses.map(({ level, trend, peakScore, levelSinceMs }) => [level, trend, peakScore, levelSinceMs - fromMs]);
  t.same(bare(course(scores, undefined, shiftMs), shiftMs), bare(course(scores), 0));
});

t.test('another policy holds at once, and is no trend', async (t) => {
  const [last] = course([...held(90, 2), ...held(70, 2)]).slice(-1);
  if (!last) throw new Error('there is a course');
  t.equal(last.level, 'critical', 'it would be left later');
  const anew = judgeAnew(last, { score: 18, relation: null }, new Situation('T'), levels, 9_000);
  t.match(anew, { level: 'none', trend: 'steady', levelSinceMs: 9_000, peakScore: 90, firstMs: last.firstMs });
});
