import type { PowerState } from '../../../edge/wire/mavlink/write_autopilot.ts';
import type { FlightLimits } from '../flight/limits.ts';
import { apartM } from './body.ts';
import type { Craft } from './craft.ts';

/** Of a battery that is full; on the ground, with its motors on, it draws so much of what it draws in flight. */
const IDLES = 0.05;
const [EMPTY_V, FULL_V] = [13.2, 16.8];
const FLIES_A = 20;
/** It returns at this, or as soon as the way home takes what is above the rest; below the other it lands where it is. */
const RETURNS_PCT = 10;
const REST_PCT = 4;
const LANDS_PCT = 3;

export type BatteryWord = 'enough' | 'return' | 'land';

/** What is left of a flight: it lasts as long as the aircraft's endurance says. */
export class Battery {
  readonly #enduranceS: number;
  pct: number;

  constructor({ enduranceS }: FlightLimits, pct: number) {
    this.#enduranceS = enduranceS;
    this.pct = pct;
  }

  step(draws: 'nothing' | 'idle' | 'flight', dtS: number): void {
    const share = draws === 'flight' ? 1 : draws === 'idle' ? IDLES : 0;
    this.pct = Math.max(0, this.pct - (100 * share * dtS) / this.#enduranceS);
  }

  get leftS(): number {
    return (this.pct / 100) * this.#enduranceS;
  }

  state(isFlying: boolean): PowerState {
    const volts = EMPTY_V + ((FULL_V - EMPTY_V) * this.pct) / 100;
    // Nothing says that it is used up before it is.
    return { energyPct: Math.ceil(this.pct), volts, amperes: isFlying ? FLIES_A : 0.5 };
  }

  /** What it tells the aircraft to do, by what the way home and down takes. */
  word({ limits, body, home }: Craft): BatteryWord {
    if (this.pct <= LANDS_PCT) return 'land';
    const wayS = apartM(body, home) / limits.cruiseMps + body.upM / Math.min(limits.descentMps, 2);
    const needsPct = Math.min(50, (100 * wayS) / this.#enduranceS) + REST_PCT;
    return this.pct <= Math.max(RETURNS_PCT, needsPct) ? 'return' : 'enough';
  }
}
