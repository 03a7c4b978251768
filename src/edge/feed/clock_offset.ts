const LEARNING = 5;
const SLOW = 0.02;
/** A sample further off than this is not noise: the source's clock froze, ran backwards or was set anew. */
const OUTLIER_MS = 2_000;
/** Offsets up to here are transit time between agreeing clocks: the source's own time is taken as it is. */
const AGREE_MS = 2_000;
const RELEARN_SPAN_MS = 3_000;
const RELEARN_DRIFT_MS = 500;
/** Up to here a source that falls behind is taken to be held up on its way, not to have a slow clock. */
const HELD_UP_MS = 10_000;

type Stray = { atMs: number; sourceMs: number; offsetMs: number };

/**
 * What to add to a source's clock to get ours: the median of the first five reports, then followed slowly. A constant
 * offset, however large, is no fault: a capture replayed years later, or a box without a clock, still tracks. A clock
 * that is set anew is learnt again once five reports agree on the new offset; one that stands still never agrees. One
 * that runs at another pace, as a capture played faster than it was made, says nothing of when a report was made: the
 * arrival is taken instead until five reports agree again.
 */
export class ClockOffset {
  #samples: number[] = [];
  #offsetMs: number | null = null;
  #strays: Stray[] = [];
  #paceIsWrong = false;

  /** The learnt offset, milliseconds; null before the first report. */
  get offsetMs(): number | null {
    return this.#offsetMs;
  }

  /** Learns from one report and returns when, on our clock, it was made. */
  correct(sourceMs: number, receivedMs: number): number {
    this.#learn(sourceMs, receivedMs);
    if (this.#paceIsWrong) return receivedMs;
    const offsetMs = this.#offsetMs ?? 0;
    return Math.abs(offsetMs) <= AGREE_MS ? sourceMs : sourceMs + offsetMs;
  }

  #learn(sourceMs: number, receivedMs: number): void {
    const sampleMs = receivedMs - sourceMs;
    if (this.#offsetMs === null || this.#samples.length < LEARNING) {
      this.#samples.push(sampleMs);
      this.#offsetMs = median(this.#samples);
      return;
    }
    if (!this.#paceIsWrong && Math.abs(sampleMs - this.#offsetMs) <= OUTLIER_MS) {
      this.#offsetMs += SLOW * (sampleMs - this.#offsetMs);
      if (this.#strays.length > 0) this.#strays = [];
      return;
    }
    this.#strays = [...this.#strays, { atMs: receivedMs, sourceMs, offsetMs: sampleMs }].slice(-LEARNING);
    if (this.#straysAgree()) this.#relearn();
    else if (this.#paceIsWrong) this.#offsetMs = sampleMs;
    else this.#paceIsWrong = this.#strays.length === LEARNING && this.#straysRunAway(this.#offsetMs);
  }

  /**
   * Whether the source's clock goes on, and each stray is further off than the one before. What is late because it was
   * queued comes nearer while the queue empties, and nothing on its way makes a report early.
   */
  #straysRunAway(learntMs: number): boolean {
    return this.#strays.every(({ sourceMs, offsetMs }, i) => {
      const offMs = offsetMs - learntMs;
      if (offMs > 0 && offMs <= HELD_UP_MS) return false;
      const before = this.#strays[i - 1];
      if (!before) return true;
      const beforeMs = before.offsetMs - learntMs;
      return sourceMs > before.sourceMs && offMs * beforeMs > 0 && Math.abs(offMs) > Math.abs(beforeMs);
    });
  }

  #straysAgree(): boolean {
    const first = this.#strays[0];
    const last = this.#strays.at(-1);
    if (!first || !last || this.#strays.length < LEARNING) return false;
    const offsets = this.#strays.map((stray) => stray.offsetMs);
    return last.atMs - first.atMs >= RELEARN_SPAN_MS && Math.max(...offsets) - Math.min(...offsets) <= RELEARN_DRIFT_MS;
  }

  #relearn(): void {
    this.#samples = this.#strays.map((stray) => stray.offsetMs);
    this.#offsetMs = median(this.#samples);
    this.#strays = [];
    this.#paceIsWrong = false;
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

const HOUR_MS = 3_600_000;

/** The UTC milliseconds that `secondsAfterHour` means: the hour is the one that brings it nearest to the reception. */
export function timeWithinHour(secondsAfterHour: number, receivedMs: number): number {
  const hourStart = Math.floor(receivedMs / HOUR_MS) * HOUR_MS;
  const within = hourStart + secondsAfterHour * 1000;
  if (within - receivedMs > HOUR_MS / 2) return within - HOUR_MS;
  if (receivedMs - within > HOUR_MS / 2) return within + HOUR_MS;
  return within;
}
