import fc from 'fast-check';
import t from 'tap';
import { type Clock, createClock } from '../../src/host/clock.ts';
import { sized } from '../support/basics/size.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
t.comment(`seed ${seed}`);

const start = Date.UTC(2025, 5, 1);

/** A box: its monotonic clock, and a wall clock that somebody may turn. */
function box(wallAtStart = start) {
  const hands = { mono: 5_000, wall: wallAtStart, discipline: null as 'ntp' | 'gps' | null };
  const clock: Clock = createClock({
    mono: () => hands.mono,
    wall: () => hands.wall,
    discipline: () => hands.discipline,
  });
  const pass = (ms: number): void => {
    hands.mono += ms;
    hands.wall += ms;
  };
  return { hands, clock, pass };
}

t.test('world time is UTC at the start and then only monotonic', async (t) => {
  const { hands, clock, pass } = box();
  t.equal(clock.nowMs(), start);
  pass(1_500);
  t.equal(clock.nowMs(), start + 1_500);
  hands.wall -= 3_600_000;
  clock.check();
  t.equal(clock.nowMs(), start + 1_500);
  t.equal(clock.utcMs(clock.nowMs()), hands.wall);
});

t.test('a step is answered once and counted, and moves the UTC of all times alike', async (t) => {
  const { hands, clock, pass } = box();
  const seen = clock.nowMs();
  pass(1_000);
  t.equal(clock.check().stepMs, null);
  hands.wall += 86_400_000;
  t.equal(clock.check().stepMs, 86_400_000);
  t.equal(clock.check().stepMs, null);
  t.equal(clock.steps(), 1);
  t.equal(clock.utcMs(seen), start + 86_400_000);
  t.equal(clock.utcMs(clock.nowMs()) - clock.utcMs(seen), 1_000, 'ages are as they were');
  hands.wall -= 86_400_000;
  t.equal(clock.check().stepMs, -86_400_000);
  t.equal(clock.utcMs(seen), start);
  t.equal(clock.steps(), 2);
});

t.test('what is within half a second is slewing, not a step', async (t) => {
  const { hands, clock } = box();
  hands.wall += 500;
  t.equal(clock.check().stepMs, null);
  t.equal(clock.utcMs(start), start);
  hands.wall += 1;
  t.equal(clock.check().stepMs, 501);
  t.equal(clock.utcMs(start), start + 501);
});

t.test(
  'whatever the wall clock does, world time never goes back and UTC is never off by more than half a second',
  async (t) => {
    const turn = fc.record({ ms: fc.integer({ min: 0, max: 5_000 }), step: fc.integer({ min: -1e9, max: 1e9 }) });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 50 }), (turns) => {
        const { hands, clock, pass } = box();
        let before = clock.nowMs();
        for (const { ms, step } of turns) {
          pass(ms);
          hands.wall += step;
          clock.check();
          const now = clock.nowMs();
          if (now - before !== ms) return false;
          if (Math.abs(clock.utcMs(now) - hands.wall) > 500) return false;
          before = now;
        }
        return true;
      }),
      { seed, numRuns: sized(300) },
    );
    t.pass('300 histories');
  },
);

t.test('trust says what the clock is worth now', async (t) => {
  const { hands, clock } = box(Date.UTC(1970, 0, 1));
  t.equal(clock.trust(), 'none');
  hands.discipline = 'ntp';
  t.equal(clock.check().trust, 'none', 'a year before the program was written is no time, whoever vouches for it');
  hands.wall = start;
  t.equal(clock.check().trust, 'ntp');
  hands.discipline = 'gps';
  t.equal(clock.check().trust, 'gps');
  hands.discipline = null;
  t.equal(clock.check().trust, 'rtc');
  t.equal(clock.trust(), 'rtc');
});

t.test('the clock of the machine itself agrees with the machine', async (t) => {
  const clock = createClock();
  t.ok(Math.abs(clock.nowMs() - Date.now()) < 500);
  t.equal(clock.check().stepMs, null);
  t.match(clock.trust(), /^(rtc|ntp)$/);
});
