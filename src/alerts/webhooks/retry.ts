import type { Outcome } from './send.ts';

/** Next step after an attempt: delivered, retry after `inMs`, give up this delivery, or disable the webhook. */
export type Next = { do: 'done' } | { do: 'again'; inMs: number } | { do: 'give_up' } | { do: 'disable' };

const FIRST_MS = 1_000;
const MOST_MS = 600_000;
const GIVE_UP_MS = 86_400_000;
/**
 * Limit of the attempts if the endpoint redirects or rejects the request (3xx, or 4xx except `passing`), or this
 * service refuses to send: a retry rarely succeeds then.
 */
const TRIES_OF_WRONG = 3;
/** HTTP client errors that may succeed on a later attempt: request timeout, too early, too many requests. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Returns the next step after an attempt. `attempts` includes this attempt; `ageMs` is the age of the delivery. The
 * delay doubles from 1 s to 10 min. Each delay is shortened by a random share of up to one half, so that deliveries
 * that failed together are not repeated together. A longer delay that the endpoint requests applies, up to 10 min. A
 * delivery that would become older than 24 h is given up.
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
