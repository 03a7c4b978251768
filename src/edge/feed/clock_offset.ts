const LEARNING = 5;
const SLOW = 0.02;
/** A sample further off than this is not noise: the source's clock froze, ran backwards or was set anew. */
const OUTLIER_MS = 2_000;
/** Offsets up to here are transit time between agreeing clocks: the source's own time is taken as it is. */
const AGREE_MS = 2_000;
const RELEARN_SPAN_MS = 3_000;
const RELEARN_DRIFT_MS = 500;

/**
 * What to add to a source's clock to get ours: the median of the first five reports, then followed slowly. A constant
 * offset, however large, is no fault: a capture replayed years later, or a box without a clock, still tracks. A clock
 * that is set anew is learnt again once five reports agree on the new offset; one that stands still never agrees.
 */
export class ClockOffset {
  #samples: number[] = [];
  #offsetMs: number | null = null;
  #strays: { atMs: number; offsetMs: number }[] = [];

  /** The learnt offset, milliseconds; null before the first report. */
  get offsetMs(): number | null {
    return this.#offsetMs;
  }

  /** Learns from one report and returns when, on our clock, it was made. */
  correct(sourceMs: number, receivedMs: number): number {
    this.#learn(receivedMs - sourceMs, receivedMs);
    const offsetMs = this.#offsetMs ?? 0;
    return Math.abs(offsetMs) <= AGREE_MS ? sourceMs : sourceMs + offsetMs;
  }

  #learn(sampleMs: number, receivedMs: number): void {
    if (this.#offsetMs === null || this.#samples.length < LEARNING) {
      this.#samples.push(sampleMs);
      this.#offsetMs = median(this.#samples);
      return;
    }
    if (Math.abs(sampleMs - this.#offsetMs) <= OUTLIER_MS) {
      this.#offsetMs += SLOW * (sampleMs - this.#offsetMs);
      if (this.#strays.length > 0) this.#strays = [];
      return;
    }
    this.#strays = [...this.#strays, { atMs: receivedMs, offsetMs: sampleMs }].slice(-LEARNING);
    if (this.#straysAgree()) this.#relearn();
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
