import { nmea } from './line_feeding.ts';

const PLACE = '4711.9220,N,00843.8120,E';

const two = (value: number): string => String(value).padStart(2, '0');

function clockOf(utcMs: number): string {
  const at = new Date(utcMs);
  const ms = String(at.getUTCMilliseconds()).padStart(3, '0');
  return `${two(at.getUTCHours())}${two(at.getUTCMinutes())}${two(at.getUTCSeconds())}.${ms}`;
}

/** RMC of a receiver that believes it is `utcMs`; `dateMs` where its date is another than that of its time. */
export function rmcAt(utcMs: number, { fix = true, dateMs = utcMs }: { fix?: boolean; dateMs?: number } = {}): string {
  const day = new Date(dateMs);
  const date = `${two(day.getUTCDate())}${two(day.getUTCMonth() + 1)}${two(day.getUTCFullYear() % 100)}`;
  return nmea(
    fix ? `GNRMC,${clockOf(utcMs)},A,${PLACE},0.0,,${date},,,A` : `GNRMC,${clockOf(utcMs)},V,,,,,,,${date},,,N`,
  );
}

/** GGA: a fix and a time without a date. */
export function ggaAt(utcMs: number): string {
  return nmea(`GNGGA,${clockOf(utcMs)},${PLACE},1,09,0.9,432.0,M,47.5,M,,`);
}

/** ZDA: date and time without a fix state. */
export function zdaAt(utcMs: number): string {
  const at = new Date(utcMs);
  const day = `${two(at.getUTCDate())},${two(at.getUTCMonth() + 1)},${at.getUTCFullYear()}`;
  return nmea(`GNZDA,${clockOf(utcMs)},${day},00,00`);
}
