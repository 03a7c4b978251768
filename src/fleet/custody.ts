/**
 * Longest time until an ordered mode shows in a heartbeat, ms. A slow link may still report an earlier mode for as
 * long.
 */
const SHOWS_WITHIN_MS = 8_000;

/** Time after an accepted mode change within which a heartbeat may still show the previous mode, ms. PX4 does this. */
const CHANGES_WITHIN_MS = 300;

/** A mode that heartbeats may show: the mode before our orders, or a mode that we ordered. */
type Step = { mode: number; ours: boolean; untilMs: number };

/** A mode change that we did not order. */
export type Taken = {
  mode: number;
  atMs: number;
  /** Mode that the vehicle accepted from us but does not show; null if there is none. */
  accepted: number | null;
  /** Cause that the vehicle reported; null if it reported none. */
  cause: string | null;
};

/**
 * Distinguishes modes that we ordered from other modes. The ordered modes are kept as a sequence. Each link shows this
 * sequence in order, a slow link later than a fast one. A mode outside the sequence was ordered by another station or
 * by the pilot.
 */
export class Custody {
  #steps: Step[] = [];
  /** Index of the last step shown by each link, by link id. */
  readonly #shown = new Map<string, number>();
  /** Time at which the latest shown step first appeared, ms. */
  #shownMs = 0;
  /** Last mode order that the vehicle accepted; null if none. Later heartbeats must not show an earlier mode. */
  #accepted: { mode: number; atMs: number } | null = null;
  /** Mode that the vehicle is in, if we ordered it; otherwise null. */
  own: number | null = null;
  /** Last mode change that we did not order; null while our mode is active, or if nobody changed it. */
  taken: Taken | null = null;

  /** Mode that we ordered last; null if no order of ours is active. */
  get left(): number | null {
    const last = this.#steps.at(-1);
    return last?.ours ? last.mode : null;
  }

  /** Records a mode order. Call it before the order is sent. `shown` is the mode of the last heartbeat. */
  order(mode: number, shown: number, nowMs: number): void {
    this.#expire(nowMs);
    if (this.#steps.length === 0) this.#begin({ mode: shown, ours: this.own === shown, untilMs: nowMs });
    const last = this.#steps.at(-1);
    const untilMs = nowMs + SHOWS_WITHIN_MS;
    if (last?.mode === mode) Object.assign(last, { ours: true, untilMs });
    else this.#steps.push({ mode, ours: true, untilMs });
    if (shown === mode) this.#own(mode);
  }

  /**
   * Records that the vehicle accepted a mode order. `isOnlyLink` is true if no second, slower link can still show an
   * earlier mode.
   */
  accept(mode: number, nowMs: number, isOnlyLink: boolean): void {
    if (isOnlyLink && this.#steps.at(-1)?.mode === mode) this.#accepted = { mode, atMs: nowMs };
  }

  /** Forgets a mode order that the vehicle refused, or that was not sent, unless heartbeats showed the mode. */
  withdraw(mode: number): void {
    const last = this.#steps.at(-1);
    const isReached = Math.max(0, ...this.#shown.values()) >= this.#steps.length - 1;
    if (last?.mode !== mode || isReached || this.#accepted?.mode === mode) return;
    this.#steps.pop();
  }

  /** Takes the mode of a heartbeat. Returns true if another controller has just changed the mode. */
  receive(mode: number, linkId: string, atMs: number, followsByItself: (from: number) => boolean): boolean {
    this.#expire(atMs);
    if (this.#steps.length === 0) {
      if (this.taken?.mode !== mode) this.taken = null;
      return false;
    }
    const from = Math.max(this.#shown.get(linkId) ?? 0, this.#acceptedBy(atMs));
    const at = this.#steps.findIndex((step, index) => index >= from && step.mode === mode);
    if (at >= 0) {
      this.#reach(linkId, at, atMs);
      return false;
    }
    const last = this.#steps.at(-1);
    if (last?.ours && followsByItself(last.mode)) {
      this.#begin({ mode, ours: true, untilMs: atMs });
      this.#own(mode);
      return false;
    }
    const wasInUse = this.own !== null || this.#steps.length > 1;
    const accepted = this.isExpected(mode) ? (this.#accepted?.mode ?? null) : null;
    this.release();
    // An accepted mode that equals the shown mode belongs to an earlier order. The acknowledgement of the later order
    // was then lost.
    this.taken = wasInUse ? { mode, atMs, accepted: accepted === mode ? null : accepted, cause: null } : null;
    return wasInUse;
  }

  /** Whether a mode is one that we ordered, or the mode before our orders. */
  isExpected(mode: number): boolean {
    return this.#steps.some((step) => step.mode === mode);
  }

  /** Clears all state: no order of ours is active. */
  release(): void {
    this.#steps = [];
    this.#shown.clear();
    this.#accepted = null;
    this.own = null;
    this.taken = null;
  }

  /** Index of the earliest step that a heartbeat may show after the vehicle accepted an order. */
  #acceptedBy(atMs: number): number {
    const accepted = this.#accepted;
    if (!accepted || atMs - accepted.atMs < CHANGES_WITHIN_MS) return 0;
    return Math.max(
      0,
      this.#steps.findLastIndex(({ mode }) => mode === accepted.mode),
    );
  }

  #begin(step: Step): void {
    this.#accepted = null;
    this.#steps = [step];
    this.#shown.clear();
  }

  #reach(linkId: string, at: number, atMs: number): void {
    const before = Math.max(0, ...this.#shown.values());
    this.#shown.set(linkId, at);
    if (at > before) this.#shownMs = atMs;
    const step = this.#steps[at];
    if (at >= before && step?.ours) this.#own(step.mode);
  }

  #own(mode: number): void {
    this.own = mode;
    this.taken = null;
  }

  /** Drops orders whose mode never appeared, and earlier modes that no link can still show. */
  #expire(nowMs: number): void {
    const reached = Math.max(0, ...this.#shown.values());
    while (this.#steps.length - 1 > reached && (this.#steps.at(-1)?.untilMs ?? 0) < nowMs) this.#steps.pop();
    if (reached === 0 || nowMs - this.#shownMs < SHOWS_WITHIN_MS) return;
    this.#steps.splice(0, reached);
    this.#shown.clear();
  }
}
