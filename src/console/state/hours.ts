import type { Zone } from '../../model/zone.ts';

type Schedule = NonNullable<Zone['schedule']>;

const week: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * Whether a time is within the hours of a zone, for drawing the zone. The daemon decides about alarms. Without a
 * schedule a zone is active at all times.
 */
export function isWithinHours(schedule: Schedule | null, utcMs: number): boolean {
  if (schedule === null) return true;
  const { from, to, days, tz } = schedule;
  const { day, time } = localTime(tz, utcMs);
  const began = (at: number): boolean => days.some((one) => one === week[(at + 7) % 7]);
  if (from < to) return began(day) && from <= time && time < to;
  return (began(day) && from <= time) || (began(day - 1) && time < to);
}

/** Day of the week, 0 for Sunday, and time of day as HH:MM in a time zone. */
function localTime(tz: string, utcMs: number): { day: number; time: string } {
  let clock = clocks.get(tz);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: tz, hourCycle: 'h23', weekday: 'short', hour: '2-digit', minute: '2-digit' },
    });
    clocks.set(tz, clock);
  }
  const parts = new Map(clock.formatToParts(utcMs).map(({ type, value }) => [type, value]));
  const day = week.indexOf(parts.get('weekday')?.toLowerCase() ?? '');
  return { day, time: `${parts.get('hour')}:${parts.get('minute')}` };
}
