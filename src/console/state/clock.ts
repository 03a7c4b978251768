import { type Signal, signal } from '@preact/signals';

/**
 * World time on this screen: the time of the last event, continued by this machine's monotonic clock. This machine's
 * wall clock is never used for ages.
 */
export class WorldClock {
  /** Increases once a second, so that ages increase while no events arrive. */
  readonly second: Signal<number> = signal(0);
  #anchor: { worldMs: number; monotonicMs: number } | null = null;
  #isPaused = false;
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** Sets the clock to the time of the newest event. The clock can go back: a scenario may begin again. */
  set(at: string, isPaused: boolean): void {
    this.#isPaused = isPaused;
    const worldMs = Date.parse(at);
    if (Number.isNaN(worldMs)) return;
    this.#anchor = { worldMs, monotonicMs: this.#monotonicMs() };
  }

  /** World time now, ms since 1970; null before the first event. */
  nowMs(): number | null {
    if (this.#anchor === null) return null;
    const { worldMs, monotonicMs } = this.#anchor;
    return this.#isPaused ? worldMs : worldMs + this.#monotonicMs() - monotonicMs;
  }

  /** Age of a world time in whole seconds, never negative; null where it is unknown. Subscribes to `second`. */
  ageS(at: string | null): number | null {
    void this.second.value;
    const now = this.nowMs();
    return at === null || now === null ? null : Math.max(0, Math.floor((now - Date.parse(at)) / 1_000));
  }

  start(): void {
    setInterval(() => {
      this.second.value++;
    }, 1_000);
  }
}
