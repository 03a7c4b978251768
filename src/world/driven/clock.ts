import type { Clock, ClockState } from '../../host/clock.ts';

/**
 * Clock of a driven world, which is a simulation or a replay. The driver of the world sets the time. The time never
 * goes back.
 */
export class DrivenClock implements Clock {
  #nowMs: number;
  /** UTC minus world time, ms. Zero except in a replay. */
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

  /**
   * Sets UTC minus world time, ms. A replay calls this for each record, so that it repeats the steps of the wall clock
   * during the recording.
   */
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
