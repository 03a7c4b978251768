import { effect, type ReadonlySignal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { needsSignIn, renewal, session, signedIn } from './session.ts';
import type { BoxTime } from './store.ts';

/**
 * Time before its end at which a session is renewed, ms. A failed renewal is repeated until the end, at the same
 * interval.
 */
const AHEAD_MS = 5 * 60_000;
const AGAIN_MS = 30_000;

/** Milliseconds until a session that ends at `expiresAt` is renewed; 0 where it is time. */
export function renewIn(expiresAt: string, nowMs: number): number {
  return Math.max(0, Date.parse(expiresAt) - AHEAD_MS - nowMs);
}

/**
 * Renews the session while the console is open, as long as the box allows. Ends of sessions are times of the box, so its own
 * clock is asked: a tablet whose clock is wrong would renew too late, or without end. Returns how to stop.
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
      // Refused (401) is shown by the request itself; a box that is away is asked again until the session ends.
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
