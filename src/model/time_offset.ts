const MINUTE_MS = 60_000;
/**
 * Search range around a local time, ms. No local clock differs more from UTC, and no clock changes twice within this
 * range.
 */
const FARTHEST_MS = 26 * 60 * MINUTE_MS;

/**
 * Change of the local clock at `atMs` (UTC): its offsets from UTC before and after, ms. Both are equal if the clock
 * does not change.
 */
export type Change = { beforeMs: number; afterMs: number; atMs: number };

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the offset of a time zone from UTC, ms; positive if the zone is ahead of UTC. */
export function offsetMs(tz: string, utcMs: number): number {
  let format = formats.get(tz);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: tz, timeZoneName: 'longOffset' });
    formats.set(tz, format);
  }
  const name = format.formatToParts(utcMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ahead : ahead;
}

/** Finds the clock change near a local time. `localMs` is the local time, read as if it were UTC. */
export function changeNear(tz: string, localMs: number): Change {
  const beforeMs = offsetMs(tz, localMs - FARTHEST_MS);
  const afterMs = offsetMs(tz, localMs + FARTHEST_MS);
  if (beforeMs === afterMs) return { beforeMs, afterMs, atMs: localMs };
  let [low, high] = [localMs - FARTHEST_MS, localMs + FARTHEST_MS].map((ms) => Math.floor(ms / MINUTE_MS));
  while (high !== undefined && low !== undefined && high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(tz, middle * MINUTE_MS) === beforeMs) low = middle;
    else high = middle;
  }
  return { beforeMs, afterMs, atMs: (high ?? 0) * MINUTE_MS };
}
