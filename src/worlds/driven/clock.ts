import type { Clock } from '../../host/clock.ts';

/** The clock of a driven world: it shows what it was set to, and is never set back. */
export class DrivenClock implements Clock {
  #nowMs: number;
  /** What is added to its time for UTC: nothing, but where another world's time passes again. */
  #utcOffsetMs: number;

  constructor(beginMs: number, utcOffsetMs = 0) {
    this.#nowMs = beginMs;
    this.#utcOffsetMs = utcOffsetMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  set(nowMs: number): void {
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
  }

  /** The wall clock of the world was set. */
  setUtcOffset(offsetMs: number): void {
    this.#utcOffsetMs = offsetMs;
  }

  utcMs(worldMs: number): number {
    return worldMs + this.#utcOffsetMs;
  }

  trust(): ReturnType<Clock['trust']> {
    return 'gps';
  }

  steps(): number {
    return 0;
  }

  check(): ReturnType<Clock['check']> {
    return { stepMs: null, trust: 'gps' };
  }
}
