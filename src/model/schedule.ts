import { type Change, changeNear, offsetMs } from './time_offset.ts';
import { weekDays, type Zone } from './zone.ts';

export type Schedule = NonNullable<Zone['schedule']>;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** State `holds` of a schedule, and the period in which the state does not change; `untilMs` is exclusive. */
type Answer = { fromMs: number; untilMs: number; holds: boolean };
const answers = new WeakMap<Schedule, Answer>();
/**
 * Answers shared by equal schedules. Many zones have the same hours, and each change of the site creates all zones
 * anew.
 */
const answersByText = new Map<string, Answer>();
const MOST_TEXTS = 2_000;

/**
 * Returns true if a schedule applies at a time. A period starts when clocks first show `from` on one of its days. It
 * ends when they show `to` for the last time, so an hour that clocks show twice does not interrupt it. If clocks skip
 * the hour of `to`, the period ends at the skip. The result is cached until it changes.
 */
export function holdsAt(schedule: Schedule, utcMs: number): boolean {
  const known = answers.get(schedule);
  if (known && isAbout(known, utcMs)) return known.holds;
  const { from, to, days, tz } = schedule;
  const text = `${from} ${to} ${days.join()} ${tz}`;
  const same = answersByText.get(text);
  const answer = same && isAbout(same, utcMs) ? same : answerAt(schedule, utcMs);
  answers.set(schedule, answer);
  if (answersByText.size >= MOST_TEXTS) answersByText.clear();
  answersByText.set(text, answer);
  return answer.holds;
}

function isAbout({ fromMs, untilMs }: Answer, utcMs: number): boolean {
  return utcMs >= fromMs && utcMs < untilMs;
}

/**
 * Computes the state of a schedule from the days around `utcMs`. Between periods the answer is valid for at most one
 * day, in a period until its end.
 */
function answerAt(schedule: Schedule, utcMs: number): Answer {
  const localDayMs = Math.floor((utcMs + offsetMs(schedule.tz, utcMs)) / DAY_MS) * DAY_MS;
  const answer = { fromMs: utcMs, untilMs: localDayMs + 2 * DAY_MS - offsetMs(schedule.tz, utcMs), holds: false };
  answer.untilMs = Math.min(answer.untilMs, utcMs + DAY_MS);
  const starts: number[] = [];
  for (let day = -2; day <= 2; day++) {
    const span = spanOf(schedule, localDayMs + day * DAY_MS);
    if (!span) continue;
    const [startMs, endMs] = span;
    if (utcMs >= startMs && utcMs < endMs) return { fromMs: startMs, untilMs: endMs, holds: true };
    if (startMs > utcMs) starts.push(startMs);
  }
  return { ...answer, untilMs: Math.min(answer.untilMs, ...starts) };
}

/**
 * Returns start and end of the period that starts on a local day, UTC ms; null if there is none. `localDayMs` is the
 * local midnight, read as if it were UTC.
 */
function spanOf({ from, to, days, tz }: Schedule, localDayMs: number): [number, number] | null {
  const weekDay = weekDays[(new Date(localDayMs).getUTCDay() + 6) % 7];
  if (!weekDay || !days.includes(weekDay)) return null;
  const begins = localDayMs + minutesOf(from) * MINUTE_MS;
  const ends = localDayMs + minutesOf(to) * MINUTE_MS + (to < from ? DAY_MS : 0);
  const startMs = firstShown(changeNear(tz, begins), begins);
  const endMs = lastBefore(changeNear(tz, ends), ends);
  return endMs > startMs ? [startMs, endMs] : null;
}

/** Returns the first time at which clocks show `localMs` or later, UTC ms. */
function firstShown({ beforeMs, afterMs, atMs }: Change, localMs: number): number {
  return localMs - beforeMs < atMs ? localMs - beforeMs : Math.max(atMs, localMs - afterMs);
}

/**
 * Returns the last time at which clocks reach `localMs`, UTC ms. If clocks are set back and show it twice, this is the
 * second time. If clocks skip it, this is the time of the skip.
 */
function lastBefore({ beforeMs, afterMs, atMs }: Change, localMs: number): number {
  return localMs - afterMs > atMs ? localMs - afterMs : Math.min(atMs, localMs - beforeMs);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
