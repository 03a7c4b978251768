import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { AlertSeverity } from '../../model/firing.ts';
import { alertSeverities } from '../../model/zone.ts';

export type QuietHours = DecisionPolicy['alerts']['quiet_hours'];

const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns true if quiet hours suppress notices of this severity at this time. The hours are local time of the
 * configured time zone, also on days with a clock change.
 */
export function isHushed(quiet: QuietHours, severity: AlertSeverity, utcMs: number): boolean {
  if (!quiet || alertSeverities.indexOf(severity) >= alertSeverities.indexOf(quiet.at_least)) return false;
  const { from, to } = quiet;
  const now = clockTime(quiet.tz, utcMs);
  if (from < to) return now >= from && now < to;
  // The hours span midnight. Equal times mean the whole day.
  return now >= from || now < to;
}

function clockTime(tz: string, utcMs: number): string {
  let clock = clocks.get(tz);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', { timeZone: tz, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    clocks.set(tz, clock);
  }
  return clock.format(utcMs);
}
