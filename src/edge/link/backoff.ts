/** Shortest and longest wait before the next attempt, before jitter, and the jitter as a share of it. */
export const backoffMinMs = 500;
export const backoffMaxMs = 30_000;
export const backoffJitter = 0.2;

export type Backoff = {
  /** Milliseconds to wait before the next attempt; the attempt after that waits twice as long. */
  next(): number;
  /**
   * Rewards an opening that lasted: the wait shrinks by the time it was open, so a port that works for hours is tried
   * again at once and one that breaks as soon as it opens is not. Only bytes heard reset it: opening proves nothing.
   */
  closed(openForMs: number, received: boolean): void;
};

export function createBackoff(random: () => number): Backoff {
  let waitMs = backoffMinMs;
  return {
    next() {
      const jitter = 1 + backoffJitter * (2 * random() - 1);
      const delayMs = waitMs * jitter;
      waitMs = Math.min(waitMs * 2, backoffMaxMs);
      return delayMs;
    },
    closed(openForMs, heard) {
      waitMs = heard ? backoffMinMs : Math.max(backoffMinMs, waitMs - openForMs);
    },
  };
}
