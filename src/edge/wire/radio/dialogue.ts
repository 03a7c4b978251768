/**
 * Next action of a dialogue. `send`: bytes for the receiver, null for none. `againMs`: world time of the next step in
 * ms, null for none. `failure`: the reason why the receiver cannot be used, null for none.
 */
export type Step = { send: Uint8Array | null; againMs: number | null; failure: string | null };

/**
 * Sets up a receiver, step by step, each time its link opens. The link's runner calls `begin`, then `step` whenever
 * bytes arrived or the time of the next step has come.
 */
export type Dialogue = {
  begin(nowMs: number): void;
  step(nowMs: number): Step;
};

/** Time without an answer after which the link is at fault, ms. */
export const ANSWER_LIMIT_MS = 5_000;

export const waiting = (againMs: number | null): Step => ({ send: null, againMs, failure: null });
