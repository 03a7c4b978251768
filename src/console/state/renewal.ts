import { effect } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { needsSignIn, session, signedIn } from './session.ts';

/** A session is renewed so long before its end; what fails then is tried again until the end. */
const AHEAD_MS = 5 * 60_000;
const AGAIN_MS = 30_000;

/** Milliseconds until a session that ends at `expiresAt` is renewed; 0 where it is time. */
export function renewIn(expiresAt: string, nowMs: number): number {
  return Math.max(0, Date.parse(expiresAt) - AHEAD_MS - nowMs);
}

/** Renews the session while the console is open, as long as the box allows. Returns how to stop. */
export function startRenewal(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = async (): Promise<void> => {
    const { token, expiresAt } = session.peek();
    try {
      const renewed = await calls.renew();
      if (session.peek().token === token) signedIn(renewed);
    } catch {
      // Refused (401) is shown by the request itself; a box that is away is asked again until the session ends.
      const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
      if (isOver) needsSignIn.value = true;
      else if (!needsSignIn.peek() && session.peek().token === token) timer = setTimeout(() => void renew(), AGAIN_MS);
    }
  };
  const stop = effect(() => {
    const { token, expiresAt } = session.value;
    clearTimeout(timer);
    if (token !== null && expiresAt !== null) timer = setTimeout(() => void renew(), renewIn(expiresAt, Date.now()));
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
