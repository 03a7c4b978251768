import { type Change, changeNear, offsetMs } from './time_offset.ts';
import { weekDays, type Zone } from './zone.ts';

export type Schedule = NonNullable<Zone['schedule']>;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** State of a schedule and the period in which it stays so. */
type Answer = { fromMs: number; untilMs: number; holds: boolean };
const answers = new WeakMap<Schedule, Answer>();
/** Many zones have the same hours, and every change of the site brings all of them anew. */
const answersByText = new Map<string, Answer>();
const MOST_TEXTS = 2_000;

/**
 * Tells whether a schedule holds at a moment: from the first moment at which the clocks of its zone show `from` on one of its
 * days to the last before they show `to`. An hour that clocks show twice therefore interrupts nothing, and one that they
 * leave out ends where they go on. Asked again before its next change it only compares.
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

/** Examines the days that may bear on the moment; the answer holds for a day at most. */
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

/** Beginning and end of the span that begins on a local day, given by its midnight as if it were UTC. */
function spanOf({ from, to, days, tz }: Schedule, localDayMs: number): [number, number] | null {
  const weekDay = weekDays[(new Date(localDayMs).getUTCDay() + 6) % 7];
  if (!weekDay || !days.includes(weekDay)) return null;
  const begins = localDayMs + minutesOf(from) * MINUTE_MS;
  const ends = localDayMs + minutesOf(to) * MINUTE_MS + (to < from ? DAY_MS : 0);
  const startMs = firstShown(changeNear(tz, begins), begins);
  const endMs = lastBefore(changeNear(tz, ends), ends);
  return endMs > startMs ? [startMs, endMs] : null;
}

/** The first moment at which clocks show a local time, or a later one. */
function firstShown({ beforeMs, afterMs, atMs }: Change, localMs: number): number {
  return localMs - beforeMs < atMs ? localMs - beforeMs : Math.max(atMs, localMs - afterMs);
}

/** The moment from which on they show it or a later one for good. */
function lastBefore({ beforeMs, afterMs, atMs }: Change, localMs: number): number {
  return localMs - afterMs > atMs ? localMs - afterMs : Math.min(atMs, localMs - beforeMs);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
