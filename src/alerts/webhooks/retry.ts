import type { Outcome } from './send.ts';

/** Next step after an attempt. */
export type Next = { do: 'done' } | { do: 'again'; inMs: number } | { do: 'give_up' } | { do: 'disable' };

const FIRST_MS = 1_000;
const MOST_MS = 600_000;
const GIVE_UP_MS = 86_400_000;
/** Limit of the attempts for a request that the endpoint rejects as wrong, which a retry seldom mends. */
const TRIES_OF_WRONG = 3;
/** Client errors that may pass with time. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Next step after an attempt; `attempts` includes this attempt. The delay doubles from 1 s to 10 min. A random part of
 * up to a half is taken off each delay, so deliveries that failed together are not repeated together.
 */
export function nextOf(
  { status, refused, retryAfterS }: Outcome,
  { attempts, ageMs }: { attempts: number; ageMs: number },
  random: () => number,
): Next {
  if (status !== null && status >= 200 && status < 300) return { do: 'done' };
  if (status === 410) return { do: 'disable' };
  const isWrong = refused || (status !== null && status < 500 && !passing.has(status));
  if (isWrong && attempts >= TRIES_OF_WRONG) return { do: 'give_up' };
  const full = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(attempts - 1, 20));
  const asked = Math.min(MOST_MS, (retryAfterS ?? 0) * 1000);
  const inMs = Math.max(asked, Math.round(full * (1 - random() / 2)));
  return ageMs + inMs > GIVE_UP_MS ? { do: 'give_up' } : { do: 'again', inMs };
}
