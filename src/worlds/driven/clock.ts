import type { Clock } from '../../host/clock.ts';

/** The clock of a driven world: it shows what it was set to, and is never set back. */
export class DrivenClock implements Clock {
  #nowMs: number;

  constructor(beginMs: number) {
    this.#nowMs = beginMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  set(nowMs: number): void {
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
  }

  /** The world's own time is its UTC. */
  utcMs(worldMs: number): number {
    return worldMs;
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
