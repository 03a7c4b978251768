import t from 'tap';
import type { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { nmeaFeed } from '../../../src/edge/feed/nmea.ts';
import { createNmeaCodec } from '../../../src/edge/wire/nmea/codec.ts';
import { createClock } from '../../../src/host/clock.ts';
import { GpsTime } from '../../../src/host/gps/gps_time.ts';
import { ggaAt, rmcAt, zdaAt } from '../../support/links/gnss_receiver.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const ERA = 1_024 * 7 * DAY;
const truth = Date.UTC(2026, 10, 27, 12);

/** A box whose true time passes by hand: its clocks, and receivers whose bytes take the way of a link. */
function box({ wall = truth, delayMs = 200, ranMs = 0 } = {}) {
  const hands = { mono: ranMs, wall: wall + ranMs, kept: false };
  const gps = new GpsTime({ wall: () => hands.wall, isKept: () => hands.kept });
  const clock = createClock({
    ...{ mono: () => hands.mono, wall: () => hands.wall, discipline: () => (hands.kept ? 'ntp' : null) },
    gps: (nowMs) => gps.state(nowMs),
  });
  const feeds = new Map<string, (text: string) => void>();
  const receiver = (name: string): ((text: string) => void) => {
    const link = {
      deps: {
        sensors: { moved: () => {} },
        timeReported: (utcMs: number, _from: string, atMs: number) => gps.take({ receiver: name, utcMs, atMs }),
      },
      ...{ admit: () => true, aliveSensor: () => 'sensor' },
    } as unknown as LinkFeed;
    const [codec, feed] = [createNmeaCodec(), nmeaFeed(link)];
    return (text) => codec.decode(Buffer.from(text), name, clock.nowMs(), (fix) => feed.take(fix, name, clock.nowMs()));
  };
  const steps: number[] = [];
  /** Lets seconds pass; each second `say` gives what a receiver sends, by the true time less the delay of its line. */
  const run = (seconds: number, say: Record<string, (utcMs: number) => string> = {}): void => {
    for (let second = 0; second < seconds; second++) {
      hands.mono += SECOND;
      hands.wall += SECOND;
      for (const [name, text] of Object.entries(say)) {
        const known = feeds.get(name) ?? receiver(name);
        feeds.set(name, known);
        known(text(truth + hands.mono - delayMs));
      }
      const { gpsStepMs } = clock.check();
      if (gpsStepMs !== null) steps.push(gpsStepMs);
    }
  };
  /** UTC of the box minus the true time, ms. */
  const errorMs = (): number => clock.utcMs(clock.nowMs()) - (truth + hands.mono);
  return { hands, gps, clock, run, steps, errorMs };
}

const good = { gps: rmcAt };

t.test('a box without a clock takes the time of a fix after 10 s, and no age changes', async (t) => {
  const { clock, run, steps, errorMs } = box({ wall: Date.UTC(1970, 0, 1) });
  t.equal(clock.trust(), 'none');
  const seenMs = clock.nowMs();
  run(8, good);
  t.equal(clock.trust(), 'none', 'a few sentences are no steady time');
  run(5, good);
  t.equal(clock.trust(), 'gps');
  t.ok(Math.abs(errorMs()) <= 200, `within the delay of the line: ${errorMs()} ms`);
  t.equal(clock.nowMs() - seenMs, 13 * SECOND, 'world time did not step');
  t.equal(steps.length, 1);
  t.match(clock.state().text, /set by satellites \(gps\); the system clock is \d+\.\d s behind GPS time/);
});

t.test('without a fix there is no time: RMC that says void, ZDA alone, GGA without a date', async (t) => {
  const { clock, gps, run } = box({ wall: Date.UTC(1970, 0, 1) });
  run(60, { gps: (utcMs) => rmcAt(utcMs, { fix: false }) + zdaAt(utcMs), other: zdaAt, third: ggaAt });
  t.equal(clock.trust(), 'none');
  t.equal(gps.state(clock.nowMs()).offsetMs, null);
  run(15, { gps: (utcMs) => ggaAt(utcMs) + zdaAt(utcMs) });
  t.equal(clock.trust(), 'gps', 'ZDA beside a fix has a date');
});

t.test('dates of a receiver that lost count of an era, or has none yet, are refused and named', async (t) => {
  for (const [shift, date] of [
    [-ERA, '2007-04-13'],
    [-2 * ERA, '1987-08-28'],
    [ERA, '2046-07-13'],
    [Date.UTC(1980, 0, 6) - truth, '1980-01-06'],
    [Date.UTC(2000, 0, 1) - truth, '2000-01-01'],
    [Date.UTC(2019, 3, 7) - truth, '2019-04-07'],
  ] as const) {
    const { clock, gps, run } = box();
    run(30, { gps: (utcMs) => rmcAt(utcMs + shift) });
    t.equal(clock.trust(), 'rtc', date);
    t.equal(gps.refused, 30);
    t.match(clock.state().text, new RegExp(`the receiver gps reports the date ${date}, which is out of range`));
  }
});

t.test('a system clock that agrees stays in use, and GPS confirms it', async (t) => {
  const { clock, run, steps } = box({ wall: truth + 700 });
  run(60, good);
  t.equal(clock.trust(), 'gps');
  t.equal(clock.state().usesGps, false);
  t.same(steps, []);
  t.match(clock.state().text, /confirmed by satellites \(gps\)/);
});

t.test('a date that changes late at midnight is an outlier', async (t) => {
  const { clock, run, errorMs } = box({ wall: truth - 3 * HOUR, ranMs: 12 * HOUR - 62 * SECOND });
  run(62, good);
  run(4, { gps: (utcMs) => rmcAt(utcMs, { dateMs: utcMs - 2 * SECOND }) });
  run(10, good);
  t.equal(clock.trust(), 'gps');
  t.equal(clock.state().fault, null);
  t.ok(Math.abs(errorMs()) < 500);
});

t.test('a jump is not believed: the time goes on, the fault is named, and ends with the jump', async (t) => {
  const { clock, run, errorMs } = box({ wall: Date.UTC(1970, 0, 1) });
  run(30, good);
  run(5, { gps: (utcMs) => rmcAt(utcMs + HOUR) });
  t.not(clock.trust(), 'gps');
  t.match(clock.state().fault, /^the GPS time of gps jumped by \+3600\.0 s and is not believed/);
  t.ok(Math.abs(errorMs()) < 500, 'UTC goes on by the time before the jump');
  run(20, good);
  t.equal(clock.state().fault, null);
  t.equal(clock.trust(), 'gps');
});

t.test('a system clock that agreed before speaks against a jump for ever', async (t) => {
  const { clock, run, errorMs } = box();
  run(30, good);
  run(4 * 3_600, { gps: (utcMs) => rmcAt(utcMs + HOUR) });
  t.equal(clock.trust(), 'rtc');
  t.match(clock.state().fault, /jumped by \+3600\.0 s/);
  t.ok(Math.abs(errorMs()) < 500);
});

t.test('a jump that nothing contradicts is believed after 15 min', async (t) => {
  const { clock, run, errorMs } = box({ wall: Date.UTC(1970, 0, 1) });
  run(1_000, { gps: (utcMs) => rmcAt(utcMs - DAY) });
  run(890, good);
  t.not(clock.trust(), 'gps');
  t.ok(Math.abs(errorMs()) > HOUR);
  run(30, good);
  t.equal(clock.trust(), 'gps');
  t.ok(Math.abs(errorMs()) < 500);
});

t.test('leap seconds that the almanac corrects are believed within a minute or two', async (t) => {
  const { clock, run, errorMs } = box({ wall: Date.UTC(1970, 0, 1) });
  run(300, { gps: (utcMs) => rmcAt(utcMs + 3 * SECOND) });
  run(90, good);
  t.equal(clock.trust(), 'gps');
  t.ok(Math.abs(errorMs()) < 500);
});

t.test('two receivers that disagree are both not believed; a third decides', async (t) => {
  const { clock, run } = box();
  const liar = (utcMs: number): string => rmcAt(utcMs - DAY);
  run(30, { gps: rmcAt, roof: liar });
  t.equal(clock.trust(), 'rtc');
  t.match(clock.state().fault, /^the GPS times of roof and gps differ by 86400\.0 s: neither is believed/);
  run(30, { gps: rmcAt, roof: liar, mast: rmcAt });
  t.equal(clock.trust(), 'gps');
  t.match(clock.state().fault, /differ by 86400\.0 s: that of gps and mast is used/);
});

t.test('a time that is dragged away slowly becomes a jump', async (t) => {
  const { clock, run, errorMs } = box({ wall: truth - DAY });
  run(1_000, good);
  let dragged = 0;
  const drag = (utcMs: number): string => {
    dragged += 20;
    return rmcAt(utcMs + dragged);
  };
  run(600, { gps: drag });
  t.match(clock.state().fault, /jumped by/);
  t.ok(Math.abs(errorMs()) < 500, `${errorMs()} ms`);
});

t.test('a time server goes before the satellites, and a difference is a fault', async (t) => {
  const { hands, clock, run, errorMs } = box();
  hands.kept = true;
  run(30, { gps: (utcMs) => rmcAt(utcMs + HOUR) });
  t.equal(clock.trust(), 'ntp');
  t.ok(Math.abs(errorMs()) < 500);
  t.match(clock.state().fault, /^the time server and the GPS time of gps differ by 3599\.8 s: the time server is used/);
});

t.test(
  'without reports the time is held, its trust ends after an hour, and a clock that is set then goes before',
  async (t) => {
    const { hands, clock, run, errorMs } = box({ wall: truth - DAY });
    run(30, good);
    run(3_500);
    t.equal(clock.trust(), 'gps');
    run(200);
    t.equal(clock.trust(), 'rtc');
    t.ok(Math.abs(errorMs()) < 500, 'held');
    hands.wall += DAY;
    run(2);
    t.equal(clock.state().usesGps, false);
    t.ok(Math.abs(errorMs()) < 500);
  },
);

t.test('a step of the system clock moves no UTC while the satellites are used', async (t) => {
  const { hands, clock, run, errorMs } = box({ wall: truth - DAY });
  run(30, good);
  hands.wall -= DAY;
  run(3, good);
  t.equal(clock.steps(), 1);
  t.match(clock.state().lastStep, { ms: -DAY });
  t.ok(Math.abs(errorMs()) < 500);
  t.ok(Math.abs(clock.believedMs() - (truth + hands.mono)) < 500, 'what prunes by age goes by the same time');
});
