import fc from 'fast-check';
import t from 'tap';
import { holdsAt, type Schedule } from '../../src/model/schedule.ts';
import { weekDays } from '../../src/model/zone.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const every = [...weekDays];

/** What a clock on the wall shows, minute by minute: sorts as text. */
function wall(tz: string): (utcMs: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: tz, dateStyle: 'short', timeStyle: 'short' });
  return (utcMs) => format.format(utcMs);
}

/** The same by looking at the clock in every minute of the days round it. */
function slowly({ from, to, days, tz }: Schedule, utcMs: number): boolean {
  const shows = wall(tz);
  const minute = Math.floor(utcMs / MINUTE_MS) * MINUTE_MS;
  const clock: [number, string][] = [];
  for (let at = minute - 3 * DAY_MS; at <= minute + 3 * DAY_MS; at += MINUTE_MS) clock.push([at, shows(at)]);
  for (let day = -2; day <= 2; day++) {
    // Noon of the day, so that no change of clocks reaches it.
    const date = new Date(Date.parse(`${shows(minute).slice(0, 10)}T12:00:00Z`) + day * DAY_MS);
    const named = weekDays[(date.getUTCDay() + 6) % 7];
    if (!named || !days.includes(named)) continue;
    const next = new Date(date.getTime() + (to < from ? DAY_MS : 0));
    const [begins, ends] = [`${date.toISOString().slice(0, 10)} ${from}`, `${next.toISOString().slice(0, 10)} ${to}`];
    const first = clock.find(([, text]) => text >= begins)?.[0] ?? Number.POSITIVE_INFINITY;
    const last = clock.findLast(([, text]) => text < ends)?.[0] ?? Number.NEGATIVE_INFINITY;
    if (minute >= first && minute <= last) return true;
  }
  return false;
}

const zones = [
  'UTC',
  'Europe/Vienna',
  'America/New_York',
  'America/Havana',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Chatham',
  'Africa/Casablanca',
  'America/St_Johns',
  'Asia/Beirut',
  'Atlantic/Azores',
  'Pacific/Apia',
];

/** Every moment near which clocks are set, and as many others. */
function moments(): number[] {
  const found: number[] = [];
  for (const tz of zones) {
    const shows = wall(tz);
    const isSetIn = (at: number, ms: number): boolean =>
      Date.parse(`${shows(at + ms)}Z`) - Date.parse(`${shows(at)}Z`) !== ms;
    for (let day = Date.UTC(2011, 11, 1); day < Date.UTC(2027, 0, 1); day += DAY_MS) {
      if (!isSetIn(day, DAY_MS)) continue;
      for (let at = day; at < day + DAY_MS; at += HOUR_MS * 6) if (isSetIn(at, HOUR_MS * 6)) found.push(at);
    }
  }
  return found;
}

t.test('a schedule says what a clock on the wall says, whenever and wherever clocks are set', async (t) => {
  const time = fc
    .tuple(
      fc.oneof(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 1, 2, 3)),
      fc.constantFrom(0, 1, 15, 30, 45, 59),
    )
    .map(([hours, minutes]) => `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`);
  const schedule = fc
    .record({ from: time, to: time, days: fc.subarray(every, { minLength: 1 }), tz: fc.constantFrom(...zones) })
    .filter(({ from, to }) => from !== to);
  const near = moments();
  const moment = fc.tuple(
    fc.oneof(fc.constantFrom(...near), fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) })),
    fc.integer({ min: -30 * 60, max: 30 * 60 }),
  );
  fc.assert(
    fc.property(schedule, moment, (schedule, [near, minutes]) => {
      const utcMs = near + minutes * MINUTE_MS + 12_345;
      return holdsAt({ ...schedule }, utcMs) === slowly(schedule, utcMs);
    }),
    { seed: seedOf(t), numRuns: sized(250) },
  );
  t.pass();
});

let asks = 0;
/** The same, in words that were not used before. */
function unasked(schedule: Schedule): Schedule {
  const days = [...schedule.days];
  for (let i = ++asks; i > 0; i >>= 1) days.push(days[i & 1] ?? 'fri');
  return { ...schedule, days };
}

t.test('what was found before changes no answer, forwards, backwards and in leaps', async (t) => {
  const schedule: Schedule = { from: '22:00', to: '06:00', days: ['fri', 'sat'], tz: 'Europe/Vienna' };
  const leap = fc.integer({ min: -3 * 24 * 60, max: 9 * 24 * 60 });
  fc.assert(
    fc.property(fc.array(leap, { maxLength: 60 }), (leaps) => {
      const asked = { ...schedule };
      let at = Date.UTC(2026, 2, 20);
      return leaps.every((minutes) => {
        at += minutes * MINUTE_MS;
        return holdsAt(asked, at) === holdsAt(unasked(schedule), at);
      });
    }),
    { seed: seedOf(t), numRuns: sized(100) },
  );
  t.pass();
});

t.test('what schedules mean can be read off', async (t) => {
  const at = (schedule: Partial<Schedule>, text: string): boolean =>
    holdsAt({ from: '08:00', to: '18:00', days: every, tz: 'Europe/Vienna', ...schedule }, Date.parse(text));
  t.ok(at({}, '2026-06-01T06:00:00Z'), 'it begins with the minute');
  t.notOk(at({}, '2026-06-01T05:59:59.999Z'));
  t.ok(at({}, '2026-06-01T15:59:59.999Z'));
  t.notOk(at({}, '2026-06-01T16:00:00Z'), 'its end is not in it');
  const night = { from: '22:00', to: '06:00', days: ['fri' as const] };
  t.ok(at(night, '2026-06-05T20:00:00Z'), 'Friday night');
  t.ok(at(night, '2026-06-06T03:59:00Z'), 'of which Saturday morning is a part');
  t.notOk(at(night, '2026-06-05T03:00:00Z'), 'as Friday morning is none');
  t.notOk(at(night, '2026-06-06T20:00:00Z'));
  const twice = { from: '02:30', to: '06:00' };
  t.notOk(at(twice, '2026-10-25T00:29:00Z'));
  t.ok(at(twice, '2026-10-25T00:30:00Z'), 'half past two in summer time');
  t.ok(at(twice, '2026-10-25T01:10:00Z'), 'and on through the hour that comes again');
  t.ok(at({ from: '01:00', to: '02:30' }, '2026-10-25T01:29:00Z'), 'it ends with the second half past two');
  t.notOk(at({ from: '01:00', to: '02:30' }, '2026-10-25T01:30:00Z'));
  t.notOk(at(twice, '2026-03-29T00:59:00Z'));
  t.ok(at(twice, '2026-03-29T01:00:00Z'), 'an hour that is left out: from where clocks go on');
});
