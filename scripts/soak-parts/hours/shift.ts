import { fakeClock } from '../../../test/support/daemon/fake_clock.ts';

const HOUR_MS = 3_600_000;
/** Sessions that a step ended may be found out so long after it. */
const RECENT_MS = 90_000;

/**
 * The wall clock of the daemon, which is set forward by whole hours while it runs. The monotonic clock goes on as it is, so ages
 * and deadlines do not change; days, sessions and retention do.
 */
export class Shift {
  hours = 0;
  readonly env: NodeJS.ProcessEnv;
  readonly #setMs: (ms: number) => void;
  #steppedMs = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    const { env, setMs } = fakeClock(folder);
    const { FAKETIME_NO_CACHE: _, ...kept } = env;
    // The offset is read once a second and not at each call, which would cost more than the daemon.
    this.env = { ...kept, FAKETIME_CACHE_DURATION: '1' };
    this.#setMs = setMs;
  }

  forward(hours: number): void {
    this.hours += hours;
    this.#steppedMs = performance.now();
    this.#setMs(this.hours * HOUR_MS);
  }

  isRecent(): boolean {
    return performance.now() - this.#steppedMs < RECENT_MS;
  }
}
