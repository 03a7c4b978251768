import type { OutletMessage } from '../model/outlet_view.ts';
import type { OutletSession } from './kinds.ts';

/** Least interval of beats, ms: the outlet asks for them once a second, a little early or late. */
const LEAST_MS = 800;

/** A session that sends one message each second, by which a receiver knows that there is a source, and reads nothing. */
export function beats(beat: (utcMs: number) => OutletMessage): OutletSession {
  let nextMs = Number.NEGATIVE_INFINITY;
  return {
    received: () => {},
    due(nowMs, utcMs) {
      if (nowMs < nextMs) return [];
      nextMs = nowMs + LEAST_MS;
      return [beat(utcMs)];
    },
    mayBeQuiet: true,
  };
}
