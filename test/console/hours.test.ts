import t from 'tap';
import { isWithinHours } from '../../src/console/state/hours.ts';
import { holdsAt } from '../../src/model/schedule.ts';
import { weekDays } from '../../src/model/zone.ts';

const everyDay = [...weekDays];
const at = (text: string): number => Date.parse(text);

t.test('a zone of the night is active over midnight, on the days on which it begins', async (t) => {
  const night = { from: '22:00', to: '06:00', days: ['fri' as const], tz: 'Europe/Zurich' };
  t.equal(isWithinHours(night, at('2026-06-05T21:00:00Z')), true, 'Friday, 23:00 there');
  t.equal(isWithinHours(night, at('2026-06-06T03:59:00Z')), true, 'Saturday, 05:59 there');
  t.equal(isWithinHours(night, at('2026-06-06T04:00:00Z')), false, 'Saturday, 06:00 there');
  t.equal(isWithinHours(night, at('2026-06-06T21:00:00Z')), false, 'Saturday, 23:00 there');
  t.equal(isWithinHours(null, at('2026-06-06T21:00:00Z')), true, 'a zone without hours');
});

t.test('the map and the box agree about the hours of a zone, each half hour of a week', async (t) => {
  const schedules = [
    { from: '08:00', to: '18:00', days: everyDay, tz: 'UTC' },
    { from: '22:30', to: '05:00', days: ['mon' as const, 'sat' as const], tz: 'America/New_York' },
    { from: '00:00', to: '12:00', days: ['sun' as const], tz: 'Asia/Kolkata' },
  ];
  const from = at('2026-06-01T00:00:00Z');
  for (const schedule of schedules)
    for (let half = 0; half < 7 * 48; half++) {
      const utcMs = from + half * 1_800_000;
      const [map, box] = [isWithinHours(schedule, utcMs), holdsAt(schedule, utcMs)];
      if (map !== box) t.fail(`${schedule.from} to ${schedule.to} at ${new Date(utcMs).toISOString()}: ${map}, ${box}`);
    }
  t.pass('compared');
});
