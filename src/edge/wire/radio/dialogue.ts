/** Next action towards a receiver: bytes to send, the time of the next step, or why the receiver cannot be used. */
export type Step = { send: Uint8Array | null; againMs: number | null; failure: string | null };

/**
 * Set-up of a receiver at every opening of its link, one step after the other. The link's runner calls `begin`, then `step`
 * whenever bytes came or the time of the last step is there.
 */
export type Dialogue = {
  begin(nowMs: number): void;
  step(nowMs: number): Step;
};

/** Time without an answer after which the link is at fault, ms. */
export const ANSWER_LIMIT_MS = 5_000;

export const waiting = (againMs: number | null): Step => ({ send: null, againMs, failure: null });
