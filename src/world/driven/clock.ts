import type { Clock, ClockState } from '../../host/clock.ts';

/** Clock of a driven world: its driver sets it, never back. */
export class DrivenClock implements Clock {
  #nowMs: number;
  /** Offset from its time to UTC; zero except in a replay. */
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

  /** Notes that the wall clock of the world was set. */
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
    return { stepMs: null, gpsStepMs: null, trust: 'gps' };
  }

  believedMs(): number {
    return this.utcMs(this.#nowMs);
  }

  state(): ClockState {
    const unknown = { usesGps: false, systemMinusGpsMs: null, gpsAgeMs: null, lastStep: null };
    return { trust: 'gps', text: 'set by the driver of this world', fault: null, ...unknown };
  }
}
