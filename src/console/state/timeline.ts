import { type Signal, signal } from '@preact/signals';
import type { Alert } from '../../model/alert.ts';
import type { LogEvent } from '../../model/event.ts';
import type { ShownRow, Situation } from './store.ts';

export const SPAN_MIN = 30;
const MINUTE_MS = 60_000;

/** An alert or a log row on the timeline. */
export type Tick = {
  id: string;
  at: string;
  kind: 'alert' | 'log';
  severity: LogEvent['severity'];
  text: string;
  by: string;
  /** Whether a person or a script did it, and neither a rule nor the box. */
  isDeed: boolean;
  trackId: string | null;
  trackNumber: string | null;
  /** Time in the live world, for a row of that world while another world is shown; else null. */
  liveAt: string | null;
};

/** Begin of the minute that a person chose on the timeline, ms of world time; null for the whole log. */
export const chosenMinute: Signal<number | null> = signal(null);

/** Whether a row is a step that an alert took when it was raised: the row of the alert shows the worst of them. */
function firstStepsOf(log: readonly ShownRow[]): (row: ShownRow) => boolean {
  const keyOf = ({ at, subject }: ShownRow): string => `${at} ${subject?.id}`;
  const raised = new Set(log.filter(({ kind }) => kind === 'alert.raised').map(keyOf));
  return (row) => row.kind === 'alert.step' && row.subject !== null && raised.has(keyOf(row));
}

/** Alerts and log rows by their time, the oldest first. */
export function ticksOf(alerts: readonly Alert[], log: readonly ShownRow[], mode: Situation['mode'] = 'live'): Tick[] {
  const raised = alerts.map(
    ({ id, raised_at: at, severity, text, track_ids }): Tick => ({
      ...{ id, at, kind: 'alert', severity, text, by: '', isDeed: false, trackId: track_ids[0] ?? null },
      ...{ trackNumber: null, liveAt: null },
    }),
  );
  const isFirstStep = firstStepsOf(log);
  const shown = log.filter((row) => !isFirstStep(row));
  const rows = shown.map(({ id, at, kind, severity, text, actor, subject, provenance, shownAt = at }): Tick => {
    const track = subject?.type === 'track' ? subject : null;
    const liveAt = provenance === 'live' && mode !== 'live' ? at : null;
    return {
      ...{
        id,
        at: liveAt === null ? at : shownAt,
        kind: kind === 'alert.raised' ? 'alert' : 'log',
        severity,
        text: withName(text, actor),
        liveAt,
      },
      by: actor.type === 'system' ? '' : actor.name,
      isDeed: actor.type !== 'system' && actor.type !== 'rule',
      ...{ trackId: track?.id ?? null, trackNumber: track?.label ?? null },
    };
  });
  // An alert that also has a log row is shown by the log row, which has the text of that time.
  const logged = new Set(rows.flatMap(({ kind, at, trackId }) => (kind === 'alert' ? `${at} ${trackId}` : [])));
  const others = raised.filter(({ at, trackId }) => !logged.has(`${at} ${trackId}`));
  const named = new Map(rows.map(({ trackNumber, trackId }) => [trackNumber, trackId]));
  return [...others, ...rows].map((tick) => withTrack(tick, named)).sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** Text of a row that begins with the audit's name of a person (`open:anna`), with the plain name in its place. */
const withName = (text: string, { type, name }: LogEvent['actor']): string =>
  text.startsWith(`${type}:${name} `) ? text.slice(type.length + 1) : text;

/** Rows of `later`, and those of `earlier` that are not among them, each once. */
export function withEarlier(earlier: readonly ShownRow[], later: readonly ShownRow[]): ShownRow[] {
  const byId = new Map(earlier.map((row) => [row.id, row]));
  for (const row of later) byId.set(row.id, row);
  return [...byId.values()];
}

/** Adds the track to a tick without one, if its text names a track number that another row has. */
function withTrack(tick: Tick, named: ReadonlyMap<string | null, string | null>): Tick {
  if (tick.trackId !== null) return tick;
  const trackNumber = /\bT-\d{4,}\b/.exec(tick.text)?.[0] ?? null;
  const trackId = trackNumber === null ? null : (named.get(trackNumber) ?? null);
  return trackId === null ? tick : { ...tick, trackId, trackNumber };
}

const severities: readonly Tick['severity'][] = ['debug', 'info', 'notice', 'warning', 'critical'];

/** Ticks of at least a severity, and always the acts of persons; with `persons`, these acts alone. */
export function ticksFrom(ticks: readonly Tick[], least: Tick['severity'] | 'persons'): Tick[] {
  if (least === 'persons') return ticks.filter(({ isDeed }) => isDeed);
  const rank = severities.indexOf(least);
  return ticks.filter(({ severity, isDeed }) => isDeed || severities.indexOf(severity) >= rank);
}

/** Span of world time for which the strip draws one tick of a kind, ms: about the width of a tick. */
const DRAWN_MS = 5_000;

/** The most severe tick of each kind in each span of 5 s, so that a busy half hour is drawn to its beginning. */
export function drawnTicks(ticks: readonly Tick[]): Tick[] {
  const drawn = new Map<string, Tick>();
  for (const tick of ticks) {
    const key = `${tick.kind} ${Math.floor(Date.parse(tick.at) / DRAWN_MS)}`;
    const held = drawn.get(key);
    if (!held || severities.indexOf(tick.severity) > severities.indexOf(held.severity)) drawn.set(key, tick);
  }
  return [...drawn.values()];
}

/** Begin of the minute of a world time, ms. */
export function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/** Minutes between the times on the strip. */
const MARK_MIN = 10;
/**
 * Times are drawn only at places between these shares of the strip, so that no text is cut off. A text needs 36 px to
 * the right of its place.
 */
const [FIRST, LAST] = [0.03, 0.88];

/** Times that the strip shows, with their places on it from 0 (30 minutes ago) to 1 (now). */
export function marksOf(nowMs: number): { atMs: number; share: number }[] {
  const everyMs = MARK_MIN * MINUTE_MS;
  const spanMs = SPAN_MIN * MINUTE_MS;
  const last = Math.floor(nowMs / everyMs) * everyMs;
  const marks = Array.from({ length: SPAN_MIN / MARK_MIN }, (_, i) => last - i * everyMs);
  return marks
    .map((atMs) => ({ atMs, share: 1 - (nowMs - atMs) / spanMs }))
    .filter(({ share }) => share > FIRST && share < LAST);
}

export function ticksIn(ticks: readonly Tick[], minuteMs: number): Tick[] {
  return ticks.filter(({ at }) => minuteOf(Date.parse(at)) === minuteMs);
}

/** Minute of the next tick in the direction `by`; null where there is none. */
export function nextBusyMinute(
  ticks: readonly Tick[],
  chosenMs: number | null,
  by: 1 | -1,
  nowMs: number,
): number | null {
  const from = chosenMs ?? minuteOf(nowMs) + MINUTE_MS;
  const minutes = ticks.map(({ at }) => minuteOf(Date.parse(at)));
  const found = by < 0 ? minutes.filter((one) => one < from) : minutes.filter((one) => one > from);
  return found.length === 0 ? null : by < 0 ? Math.max(...found) : Math.min(...found);
}
