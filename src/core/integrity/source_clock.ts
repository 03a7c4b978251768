import { Lately } from './lately.ts';

/**
 * Window over which a clock rate is checked. `spanS`: length; `apartS`: least time between compared reports; `leastS`:
 * least span that is judged. `restS`: least span that must be left after the greatest step is removed. `offPace`:
 * accepted deviation of the clock rate from 1.
 */
type Window = { spanS: number; apartS: number; leastS: number; restS: number; offPace: number };
const shortWindow: Window = { spanS: 5.5, apartS: 0.7, leastS: 3.5, restS: 2.5, offPace: 0.5 };
const longWindow: Window = { spanS: 40, apartS: 4, leastS: 30, restS: 25, offPace: 0.15 };
const LEAST_REPORTS = 4;

const RECEIVED = 0;
const SOURCE = 1;
const TICK_WIDTH = 2;

function ticksOf({ spanS, apartS }: Window): number {
  return Math.ceil(spanS / apartS) + 1;
}

/** A clock counts as frozen after `STANDS_AFTER` reports with the same source time over at least `STANDS_S`, s. */
const STANDS_AFTER = 3;
const STANDS_S = 1.4;
/** Columns of the latest source time: its value, the time of its first reception, and the number of reports with it. */
const STOOD = { sourceS: 0, sinceS: 1, reports: 2, width: 3 } as const;

export type ClockFault = 'frozen' | 'reversed' | 'drifting';

/**
 * Check `clock_inconsistent`: the source's clock stands still, runs backwards, or runs at a wrong rate. A constant
 * offset of any size is accepted, and so is a clock that is set once. For that, the check leaves out the greatest step
 * of the clock in each window: the source may have just acquired the time, or the link may have been delayed. A frozen
 * clock is found with the third report at the earliest. A reversed clock, or a rate below 0.5 or above 1.5, is found
 * within 5 s; a drift of more than 15 %, within 40 s.
 */
export class SourceClock {
  readonly #short: Pace;
  readonly #long: Pace;
  /** Count of numbers that the check stores in `values`. */
  static readonly numbers = STOOD.width + ticksOf(shortWindow) * TICK_WIDTH + ticksOf(longWindow) * TICK_WIDTH;
  readonly #values: Float64Array;
  readonly #from: number;
  #stands = false;

  constructor(values: Float64Array, from: number) {
    this.#values = values;
    this.#from = from;
    const ticksFrom = from + STOOD.width;
    this.#short = new Pace(shortWindow, values, ticksFrom);
    this.#long = new Pace(longWindow, values, ticksFrom + ticksOf(shortWindow) * TICK_WIDTH);
  }

  get fault(): ClockFault | null {
    return this.#stands ? 'frozen' : (this.#short.fault ?? this.#long.fault);
  }

  #stood(sourceS: number, receivedS: number): void {
    const [values, from] = [this.#values, this.#from];
    if (values[from + STOOD.sourceS] !== sourceS) {
      values[from + STOOD.sourceS] = sourceS;
      values[from + STOOD.sinceS] = receivedS;
      values[from + STOOD.reports] = 0;
    }
    const reports = (values[from + STOOD.reports] ?? 0) + 1;
    values[from + STOOD.reports] = reports;
    this.#stands = reports >= STANDS_AFTER && receivedS - (values[from + STOOD.sinceS] ?? receivedS) >= STANDS_S;
  }

  receive(sourceS: number, receivedS: number): void {
    if (!Number.isFinite(sourceS)) return;
    this.#stood(sourceS, receivedS);
    this.#short.take(sourceS, receivedS);
    this.#long.take(sourceS, receivedS);
  }
}

/** Rate of one source's clock over one window. */
class Pace {
  readonly #window: Window;
  readonly #ticks: Lately;
  fault: ClockFault | null = null;

  constructor(window: Window, values: Float64Array, from: number) {
    this.#window = window;
    this.#ticks = new Lately(TICK_WIDTH, ticksOf(window), values, from);
  }

  take(sourceS: number, receivedS: number): void {
    const ticks = this.#ticks;
    const { spanS, apartS } = this.#window;
    if (receivedS - ticks.last(RECEIVED) < apartS) return;
    while (ticks.length > 0 && receivedS - ticks.at(0, RECEIVED) > spanS) ticks.dropFirst();
    ticks.add();
    ticks.set(RECEIVED, receivedS);
    ticks.set(SOURCE, sourceS);
    this.fault = ticks.length < LEAST_REPORTS ? null : this.#judge();
  }

  /**
   * Compares the time that passed on the source's clock with the time on the service's clock. Leaves out the interval
   * between two reports in which the difference of the clocks changed most.
   */
  #judge(): ClockFault | null {
    const ticks = this.#ticks;
    const { leastS, restS, offPace } = this.#window;
    const passedS = ticks.last(RECEIVED) - ticks.at(0, RECEIVED);
    const offS = ticks.last(SOURCE) - ticks.at(0, SOURCE) - passedS;
    if (passedS < leastS || Math.abs(offS / passedS) <= offPace) return null;
    let [stepS, stepPassedS] = [0, 0];
    for (let i = 1; i < ticks.length; i++) {
      const oursS = ticks.at(i, RECEIVED) - ticks.at(i - 1, RECEIVED);
      const off = ticks.at(i, SOURCE) - ticks.at(i - 1, SOURCE) - oursS;
      if (Math.abs(off) > Math.abs(stepS)) [stepS, stepPassedS] = [off, oursS];
    }
    const restPassedS = passedS - stepPassedS;
    const without = (offS - stepS) / restPassedS;
    return restPassedS < restS || Math.abs(without) <= offPace ? null : paceFault(without);
  }
}

/** `off` is the clock rate minus 1. */
function paceFault(off: number): ClockFault {
  if (off < -1.2) return 'reversed';
  return off < -0.8 ? 'frozen' : 'drifting';
}
