import fc from 'fast-check';
import t from 'tap';
import { ClockOffset, timeWithinHour } from '../../../src/edge/feed/clock_offset.ts';
import { randomFrom } from '../../support/basics/random.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';

t.test('a constant offset is no fault, however large', async (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e11, max: 1e11 }),
      fc.array(fc.integer({ min: 200, max: 1800 }), { minLength: 10, maxLength: 60 }),
      (offset, delays) => {
        const clock = new ClockOffset();
        return delays.every((delay, s) => {
          const receivedMs = 1e12 + s * 1000;
          const heldMs = clock.correct(receivedMs - delay - offset, receivedMs);
          return receivedMs - heldMs < 2_000 && heldMs - receivedMs < 2_000;
        });
      },
    ),
    { seed: seedOf(t) },
  );
});

t.test('clocks that agree are taken at their word', async (t) => {
  const clock = new ClockOffset();
  for (let s = 0; s < 20; s++) t.equal(clock.correct(s * 1000 - 1300, s * 1000), s * 1000 - 1300);
});

t.test('a clock that stands is judged after three reports, and the arrival time holds from then on', async (t) => {
  for (const everyMs of [110, 1_000, 4_050]) {
    const clock = new ClockOffset();
    for (let s = 0; s < 10; s++) clock.correct(s * 1000, s * 1000 + 500);
    const fromMs = 10_500;
    for (let ms = fromMs; ms < fromMs + 60_000; ms += everyMs) {
      const heldMs = clock.correct(9_000, ms);
      if (ms - fromMs >= 2 * Math.max(everyMs, 1_000)) t.equal(heldMs, ms, `each ${everyMs} ms, at ${ms} ms`);
    }
    t.equal(clock.correct(80_000, 80_500), 80_000, 'the clock runs again and is used again');
  }
});

t.test('a clock that stood from the beginning is learnt once it runs', async (t) => {
  const clock = new ClockOffset();
  for (let s = 0; s < 30; s++) clock.correct(0, 7_000_000 + s * 1000);
  for (let s = 30; s < 40; s++) clock.correct(s * 1000, 7_000_000 + s * 1000);
  t.ok(Math.abs(clock.correct(40_000, 7_040_500) - 7_040_000) < 100);
});

t.test(
  'while several clocks speak under one name, the arrival time holds for each, whichever sends most',
  async (t) => {
    for (const [everyS, othersEveryS] of [
      [1, 1],
      [4, 0.5],
      [1, 4],
    ] as const) {
      for (const offsMs of [[15_000, -700_000], [600_000]]) {
        const clock = new ClockOffset(true);
        let [refused, reports] = [0, 0];
        for (let s = 0; s < 120; s += 0.5) {
          if (s % everyS === 0) {
            const heldMs = clock.correct(s * 1000, s * 1000 + 300);
            if (s < 30) t.equal(heldMs, s * 1000);
            // The aircraft's own reports are never refused for their time.
            t.ok(Math.abs(heldMs - s * 1000) < 2_000, `${heldMs - s * 1000} ms off at ${s} s`);
          }
          if (s < 30 || s % othersEveryS !== 0) continue;
          for (const offMs of offsMs) {
            const heldMs = clock.correct(s * 1000 - offMs, s * 1000 + 450);
            reports++;
            if (heldMs !== s * 1000 + 450) refused++;
          }
        }
        t.ok(refused <= Math.max(8, reports / 8), `${refused} of ${reports} reports by other clocks are refused`);
      }
    }
  },
);

t.test('a clock off by seconds takes no time from the aircraft, whose reports have a gap', async (t) => {
  const offMs = fc.integer({ min: 2_100, max: 9_900 }).chain((ms) => fc.constantFrom(ms, -ms));
  const beginMs = fc.constantFrom(30_000, 60_200);
  const gapMs = fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 55_000 }));
  fc.assert(
    fc.property(offMs, beginMs, gapMs, fc.integer({ min: 150, max: 1_500 }), (lateMs, fromMs, forMs, everyMs) => {
      const clock = new ClockOffset(true);
      const isSilent = (ms: number) => ms >= 60_000 && ms < 60_000 + forMs;
      const forged = Array.from({ length: Math.floor(120_000 / everyMs) }, (_, i) => fromMs + i * everyMs);
      const own = Array.from({ length: 150 }, (_, s) => s * 1_000).filter((ms) => !isSilent(ms));
      const reports = [
        ...own.map((ms) => ({ atMs: ms + 300, sourceMs: ms, isOwn: true })),
        ...forged.map((ms) => ({ atMs: ms + 300, sourceMs: ms - lateMs, isOwn: false })),
      ].sort((a, b) => a.atMs - b.atMs);
      return reports.every(({ atMs, sourceMs, isOwn }) => {
        const heldMs = clock.correct(sourceMs, atMs);
        return !isOwn || Math.abs(heldMs - sourceMs) <= 2_000;
      });
    }),
    { seed: seedOf(t), numRuns: sized(600) },
  );
});

t.test('a clock that another spoke beside is used again once that one is gone', async (t) => {
  const clock = new ClockOffset(true);
  for (let s = 0; s < 120; s++) {
    const heldMs = clock.correct(s * 1000, s * 1000 + 300);
    if (s >= 20 && s < 60) clock.correct(s * 1000 - 60_000, s * 1000 + 800);
    if (s >= 90) t.equal(heldMs, s * 1000);
  }
});

t.test('live reports before a backlog that is drained beside them are no second clock', async (t) => {
  for (const newestFirst of [false, true]) {
    const clock = new ClockOffset(true);
    for (let s = 0; s < 10; s++) clock.correct(s * 1000, s * 1000 + 300);
    // Out of reach from 10 s to 40 s; then each second brings a live report and three of the backlog.
    const made = Array.from({ length: 30 }, (_, i) => (newestFirst ? 39 - i : 10 + i));
    for (let s = 40; s < 80; s++) {
      t.equal(clock.correct(s * 1000, s * 1000 + 300), s * 1000, 'what is live keeps its own time');
      for (const [i, madeS] of made.splice(0, 3).entries())
        t.equal(clock.correct(madeS * 1000, s * 1000 + 400 + i * 100), madeS * 1000, 'what was held up stays late');
    }
  }
});

t.test('the clock of a sensor whose plots are late by turns is that of the timely ones', async (t) => {
  const clock = new ClockOffset();
  for (let s = 0; s < 120; s++) {
    t.equal(clock.correct(s * 1000, s * 1000 + 300), s * 1000);
    if (s > 20) t.equal(clock.correct(s * 1000 - 15_000, s * 1000 + 500), s * 1000 - 15_000);
  }
});

t.test('a clock that jumps with each report gives way to the arrival', async (t) => {
  const random = randomFrom(seedOf(t));
  const clock = new ClockOffset();
  for (let s = 0; s < 10; s++) clock.correct(s * 1000, s * 1000 + 300);
  let refused = 0;
  for (let s = 10; s < 300; s++) {
    const heldMs = clock.correct(s * 1000 - 1_800_000 * random(), s * 1000 + 300);
    if (Math.abs(heldMs - s * 1000) > 2_000) refused++;
  }
  t.ok(refused <= 10, `${refused} of 290 reports are judged by a wrong time`);
});

t.test('a clock that runs 2 % fast never makes a report early, nor late by more than its way', async (t) => {
  const clock = new ClockOffset();
  for (let s = 0; s < 600; s++) {
    const receivedMs = s * 1000 + 300;
    const lateMs = receivedMs - clock.correct(1e9 + s * 1020, receivedMs);
    t.ok(lateMs >= 0 && lateMs <= 400, `${lateMs} ms at ${s} s`);
  }
});

t.test('a clock that was set anew is learnt again', async (t) => {
  const clock = new ClockOffset();
  for (let s = 0; s < 10; s++) clock.correct(s * 1000, s * 1000);
  let late = 0;
  for (let s = 10; s < 30; s++) late = s * 1000 - clock.correct(s * 1000 - 3_600_000, s * 1000);
  t.ok(Math.abs(late) < 1000);
});

t.test('a clock that runs at another pace gives way to the arrival', async (t) => {
  for (const pace of [0.5, 2, 20, 1000]) {
    const clock = new ClockOffset();
    const offMs: number[] = [];
    for (let s = 0; s < 120; s++) {
      const receivedMs = 1e12 + (s * 1000) / pace;
      offMs.push(Math.abs(clock.correct(1e9 + s * 1000, receivedMs) - receivedMs));
    }
    t.equal(Math.max(...offMs.slice(60)), 0, `at pace ${pace} nothing is refused for its time`);
    t.ok(offMs.filter((ms) => ms > 2_000).length <= 40, `at pace ${pace} it is noticed soon`);
  }
});

t.test('after a fast replay a clock that keeps time is believed again', async (t) => {
  const clock = new ClockOffset();
  for (let s = 0; s < 60; s++) clock.correct(s * 1000, s * 50);
  let heldMs = 0;
  for (let s = 60; s < 90; s++) heldMs = clock.correct(s * 1000, 3_000 + (s - 60) * 1000 + (s % 2) * 300);
  t.ok(Math.abs(heldMs - 32_000) < 200, 'the offset, not the arrival');
});

t.test('a queue that empties does not pass for a clock', async (t) => {
  const clock = new ClockOffset();
  for (let s = 0; s < 10; s++) clock.correct(s * 1000, s * 1000 + 100);
  for (let s = 10; s < 60; s++) {
    const receivedMs = 60_000 + s;
    const heldMs = clock.correct(s * 1000, receivedMs);
    t.ok(receivedMs - heldMs > (59 - s) * 1000, `what was made at ${s} s is as old as it is`);
  }
});

t.test('seconds after the hour belong to the hour nearest to the reception', async (t) => {
  const hour = 1_680_364_800_000;
  t.equal(timeWithinHour(3599, hour + 1_000), hour - 1_000, 'sent before the hour, heard after it');
  t.equal(timeWithinHour(1, hour - 1_000), hour + 1_000, 'a clock a little ahead');
  t.equal(timeWithinHour(929.1, hour + 930_415), hour + 929_100);
  t.equal(timeWithinHour(3600, hour + 3_599_000), hour + 3_600_000, 'the upper bound is allowed');
});
