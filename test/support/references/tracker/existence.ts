import { at } from './matrix.ts';
import { settings } from './settings.ts';

/** Odds that each track is there and can be seen, and that it is there and cannot; see native/tracker/track.h. */
export class Existence {
  readonly shown: Float64Array;
  readonly hidden: Float64Array;
  /** Times of the odds, s. */
  readonly times: Float64Array;

  constructor(slots: number) {
    this.shown = new Float64Array(slots);
    this.hidden = new Float64Array(slots);
    this.times = new Float64Array(slots);
  }

  begin(slot: number, timeS: number, shown: number): void {
    this.times[slot] = timeS;
    this.shown[slot] = shown;
    this.hidden[slot] = 0;
  }

  of(slot: number): number {
    return at(this.shown, slot) + at(this.hidden, slot);
  }

  /** Lets the odds drift to `timeS`. */
  age(slot: number, timeS: number): void {
    const dt = timeS - at(this.times, slot);
    if (!(dt > 0)) return;
    const hide = 1 - Math.exp(-settings.hidePerS * dt);
    const show = 1 - Math.exp(-settings.showPerS * dt);
    const shown = at(this.shown, slot) * Math.exp(-settings.endPerS * dt);
    const hidden = at(this.hidden, slot) * Math.exp(-settings.endHiddenPerS * dt);
    this.times[slot] = timeS;
    this.shown[slot] = shown * (1 - hide) + hidden * show;
    this.hidden[slot] = hidden * (1 - show) + shown * hide;
  }

  /** A look found it: what it saw is `ratio` times likelier with the aircraft than without. */
  weigh(slot: number, ratio: number): void {
    const shown = at(this.shown, slot);
    const hidden = at(this.hidden, slot);
    const gone = Math.max(1 - shown - hidden, 1e-9);
    const sum = shown * ratio + hidden + gone;
    this.shown[slot] = (shown * ratio) / sum;
    this.hidden[slot] = hidden / sum;
  }
}
