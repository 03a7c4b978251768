/** Time until an order shows in a heartbeat, and until a report of an earlier mode may arrive over a slow link, ms. */
const SHOWS_WITHIN_MS = 8_000;

/** Time after the acceptance of a mode within which a heartbeat may still show the mode before it (PX4), ms. */
const CHANGES_WITHIN_MS = 300;

/** A mode that the vehicle may show: the one it was in, or one that we ordered. */
type Step = { mode: number; ours: boolean; untilMs: number };

/** A change of mode that we did not order. */
export type Taken = {
  mode: number;
  atMs: number;
  /** The mode that the vehicle accepted but does not show; null where it showed ours, or accepted none. */
  accepted: number | null;
  /** The cause, where the vehicle reported one. */
  cause: string | null;
};

/**
 * Separates modes that we ordered from others. Our orders are kept in sequence. Each link shows that sequence from its
 * begin to its end, a slow link later than a fast one. Any other mode was ordered by another station or by the pilot.
 */
export class Custody {
  #steps: Step[] = [];
  /** The step that each link has shown last. */
  readonly #shown = new Map<string, number>();
  /** Time at which the latest step was first shown, ms. */
  #shownMs = 0;
  /** The order that the vehicle accepted last: later heartbeats must not show an earlier mode. */
  #accepted: { mode: number; atMs: number } | null = null;
  /** The mode that the vehicle is in by an order of ours; null where it is in none. */
  own: number | null = null;
  /** The last mode change that was not ours; null while the mode is ours, or was never changed under us. */
  taken: Taken | null = null;

  /** The mode that we ordered last; null where none of our orders is in force. */
  get left(): number | null {
    const last = this.#steps.at(-1);
    return last?.ours ? last.mode : null;
  }

  /** Notes an order that leads into a mode, before it is sent. `shown` is the mode of the last heartbeat. */
  order(mode: number, shown: number, nowMs: number): void {
    this.#expire(nowMs);
    if (this.#steps.length === 0) this.#begin({ mode: shown, ours: this.own === shown, untilMs: nowMs });
    const last = this.#steps.at(-1);
    const untilMs = nowMs + SHOWS_WITHIN_MS;
    if (last?.mode === mode) Object.assign(last, { ours: true, untilMs });
    else this.#steps.push({ mode, ours: true, untilMs });
    if (shown === mode) this.#own(mode);
  }

  /** Notes that the vehicle accepted an order that leads into a mode; `isOnlyLink`: no slower link may lag behind. */
  accept(mode: number, nowMs: number, isOnlyLink: boolean): void {
    if (isOnlyLink && this.#steps.at(-1)?.mode === mode) this.#accepted = { mode, atMs: nowMs };
  }

  /** Takes the mode of a heartbeat. Returns whether another controller has just changed it. */
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
    // An `accepted` mode equal to the shown one is of an earlier order: the acknowledgement of a later order was lost.
    this.taken = wasInUse ? { mode, atMs, accepted: accepted === mode ? null : accepted, cause: null } : null;
    return wasInUse;
  }

  /** True where a mode is one that we ordered, or the one before our orders. */
  isExpected(mode: number): boolean {
    return this.#steps.some((step) => step.mode === mode);
  }

  /** Ends our custody: no order of ours is in force. */
  release(): void {
    this.#steps = [];
    this.#shown.clear();
    this.#accepted = null;
    this.own = null;
    this.taken = null;
  }

  /** Index of the earliest step that a heartbeat may show now that the vehicle has accepted an order. */
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

  /** Drops orders whose mode never showed, and earlier modes that no link can still show. */
  #expire(nowMs: number): void {
    const reached = Math.max(0, ...this.#shown.values());
    while (this.#steps.length - 1 > reached && (this.#steps.at(-1)?.untilMs ?? 0) < nowMs) this.#steps.pop();
    if (reached === 0 || nowMs - this.#shownMs < SHOWS_WITHIN_MS) return;
    this.#steps.splice(0, reached);
    this.#shown.clear();
  }
}
