import type { LogEvent } from '../../model/event.ts';

/** A silence of a sensor that is over, in world time. */
export type Silence = { from: string; to: string };
/** Silences of a sensor within a day: how many, and the latest. */
export type Silences = { count: number; last: Silence };

/** Fields of a log row about a silence or its end. */
export type SilenceRow = Pick<LogEvent, 'id' | 'at' | 'kind' | 'subject'>;

const SPAN_MS = 86_400_000;
/**
 * Silences that ended within the last day, by sensor. Without them, a sensor that is operational again would look as if
 * nothing had happened. Rows may come in any order and more than once.
 */
export function silencesOf(rows: readonly SilenceRow[], nowMs: number): ReadonlyMap<string, Silences> {
  const begun = new Map<string, string>();
  const found = new Map<string, Silences>();
  const distinct = new Map(rows.map((row) => [row.id, row]));
  for (const { at, kind, subject } of [...distinct.values()].sort((a, b) => (a.at < b.at ? -1 : 1))) {
    if (subject?.type !== 'sensor') continue;
    const from = begun.get(subject.id);
    if (kind === 'sensor.silent') begun.set(subject.id, from ?? at);
    else if (isEnd(kind) && from !== undefined) {
      begun.delete(subject.id);
      if (nowMs - Date.parse(at) > SPAN_MS) continue;
      found.set(subject.id, { count: (found.get(subject.id)?.count ?? 0) + 1, last: { from, to: at } });
    }
  }
  return found;
}

const isEnd = (kind: string): boolean => kind === 'sensor.heard' || kind === 'sensor.not_silent';
