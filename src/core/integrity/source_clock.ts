/** How long is looked at, how far the pace may be off 1 in it, and how little is too little to tell. */
const windows = [
  { lookS: 5.5, leastS: 3.5, restS: 2.5, offPace: 0.5 },
  { lookS: 40, leastS: 30, restS: 25, offPace: 0.15 },
] as const;
const APART_S = 0.4;
const LEAST_REPORTS = 4;
const LOOK_S = 40;

type Tick = { heardS: number; sourceS: number };
export type ClockFault = 'frozen' | 'reversed' | 'drifting';

/**
 * `clock_inconsistent`: a source's clock that stands still, runs backwards or at another pace, while ours goes on. Never a
 * constant offset, however large, and never one that is set once: of each window the greatest step is forgiven, so that a
 * receiver that finds the time, or a link that was held up, is no liar. A clock that stands, runs back or at half or one and a
 * half times its pace is found within 5 s, a slower drift (15 %) in half a minute.
 */
export class SourceClock {
  #ticks: Tick[] = [];
  #fault: ClockFault | null = null;

  get fault(): ClockFault | null {
    return this.#fault;
  }

  hear(sourceS: number, heardS: number): void {
    if (!Number.isFinite(sourceS)) return;
    const last = this.#ticks.at(-1);
    if (last && heardS - last.heardS < APART_S) return;
    this.#ticks.push({ heardS, sourceS });
    this.#ticks = this.#ticks.filter((tick) => heardS - tick.heardS <= LOOK_S);
    this.#fault = null;
    for (const window of windows) this.#fault ??= this.#judge(window);
  }

  #judge({ lookS, leastS, restS, offPace }: (typeof windows)[number]): ClockFault | null {
    const last = this.#ticks.at(-1);
    const from = this.#ticks.findIndex(({ heardS }) => (last?.heardS ?? 0) - heardS <= lookS);
    const ticks = this.#ticks.slice(from);
    if (ticks.length < LEAST_REPORTS) return null;
    const { heardS, offS, stepS, stepHeardS } = passed(ticks);
    const rest = { heardS: heardS - stepHeardS, offS: offS - stepS };
    if (heardS < leastS || rest.heardS < restS) return null;
    const [whole, without] = [offS / heardS, rest.offS / rest.heardS];
    if (Math.abs(whole) <= offPace || Math.abs(without) <= offPace) return null;
    return paceFault(without);
  }
}

/** What passed on our clock, how much more on the source's, and the part of it that one step between two reports made. */
function passed(ticks: readonly Tick[]): { heardS: number; offS: number; stepS: number; stepHeardS: number } {
  let [heardS, offS, stepS, stepHeardS] = [0, 0, 0, 0];
  for (let i = 1; i < ticks.length; i++) {
    const [before, now] = [ticks[i - 1], ticks[i]];
    if (!before || !now) continue;
    const ours = now.heardS - before.heardS;
    const off = now.sourceS - before.sourceS - ours;
    heardS += ours;
    offS += off;
    if (Math.abs(off) > Math.abs(stepS)) [stepS, stepHeardS] = [off, ours];
  }
  return { heardS, offS, stepS, stepHeardS };
}

/** `off` is the pace less 1. */
function paceFault(off: number): ClockFault {
  if (off < -1.2) return 'reversed';
  return off < -0.8 ? 'frozen' : 'drifting';
}
