import type { LinkState } from './messages.ts';

/** Silence after which the picture is stale, s; a tick comes every 2 s. */
export const STALE_AFTER_S = 5;
/** Silence after which the connection counts as lost, s. A failed attempt before the first bytes counts at once. */
export const LOST_AFTER_S = 15;

/** State of the link from the age of the last bytes. `fault` is the sentence of the last failed attempt. */
export function linkStateOf(lastBytesMs: number | null, nowMs: number, fault: string | null): LinkState {
  if (lastBytesMs === null) return { state: fault === null ? 'connecting' : 'no_link', ageS: 0, cause: fault };
  const ageS = Math.max(0, Math.floor((nowMs - lastBytesMs) / 1_000));
  if (ageS >= LOST_AFTER_S) return { state: 'no_link', ageS, cause: fault ?? 'the box sends nothing' };
  if (ageS >= STALE_AFTER_S) return { state: 'stale', ageS, cause: fault };
  return { state: 'up_to_date', ageS, cause: null };
}

/**
 * Delay before attempt `attempt` (from 0), ms: 0.5 s, doubled up to 10 s. Each delay varies by ±25 % (`random` from 0
 * to 1), so that consoles do not all reconnect together.
 */
export function retryDelayMs(attempt: number, random: number): number {
  const base = Math.min(10_000, 500 * 2 ** Math.min(attempt, 10));
  return Math.round(base * (0.75 + 0.5 * random));
}
