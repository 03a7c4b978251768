import type { OutletMessage } from '../model/outlet_view.ts';
import type { OutletSession } from './kinds.ts';

/** Least interval of beats, ms. It is below 1 s, because the outlet asks once a second, a little early or late. */
const LEAST_MS = 800;

/**
 * Session that sends one beat message each second, so that the receiver knows the source is alive. Received bytes are
 * ignored.
 */
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
