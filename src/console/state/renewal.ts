import { effect, type ReadonlySignal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { needsSignIn, renewal, session, signedIn } from './session.ts';
import type { BoxTime } from './store.ts';

/** Time before its end at which a session is renewed, and the interval of retries until the end, ms. */
const AHEAD_MS = 5 * 60_000;
const AGAIN_MS = 30_000;

/** Time until a session that ends at `expiresAt` is renewed, ms; 0 where it is due. */
export function renewIn(expiresAt: string, nowMs: number): number {
  return Math.max(0, Date.parse(expiresAt) - AHEAD_MS - nowMs);
}

/**
 * Renews the session while the console is open, as long as the daemon allows it. The end of a session is in the
 * daemon's time, so the daemon's clock is used from the first tick on: a tablet with a wrong clock would renew too
 * late, or all the time.
 * Returns a function that ends this.
 */
export function startRenewal(boxTime: ReadonlySignal<BoxTime | null>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let triedMs = Number.NEGATIVE_INFINITY;
  const boxMs = (time: BoxTime | null): number => (time === null ? Date.now() : Date.parse(time.box_at));
  const renew = async (): Promise<void> => {
    const { token, expiresAt } = session.peek();
    triedMs = performance.now();
    try {
      const renewed = await calls.renew();
      if (session.peek().token === token) signedIn(renewed);
    } catch {
      // The request itself shows a refusal (401). An unreachable daemon is tried again until the session ends.
      const isOver = expiresAt !== null && Date.parse(expiresAt) <= boxMs(boxTime.peek());
      if (isOver) needsSignIn.value = true;
      else if (!needsSignIn.peek() && session.peek().token === token) timer = setTimeout(begin, AGAIN_MS);
    }
  };
  const begin = (): void => {
    renewal.underWay = renew();
  };
  const stop = effect(() => {
    const { token, expiresAt } = session.value;
    clearTimeout(timer);
    const leftMs = expiresAt === null ? 0 : renewIn(expiresAt, boxMs(boxTime.value));
    if (token === null || expiresAt === null || needsSignIn.value) return;
    timer = setTimeout(begin, Math.max(leftMs, triedMs + AGAIN_MS - performance.now()));
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
