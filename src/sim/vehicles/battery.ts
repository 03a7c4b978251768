import type { PowerState } from '../../edge/wire/mavlink/write_autopilot.ts';
import type { FlightLimits } from '../aircraft/flight/limits.ts';
import { apartM } from './body.ts';
import type { Craft } from './craft.ts';

/** Current on the ground with motors on, as a share of the current in flight. */
const IDLES = 0.05;
const [EMPTY_V, FULL_V] = [13.2, 16.8];
const FLIES_A = 20;
/**
 * Charge at which the vehicle returns home, %. It returns earlier if less than `REST_PCT` would remain at home. At
 * `LANDS_PCT` it lands at once.
 */
const RETURNS_PCT = 10;
const REST_PCT = 4;
const LANDS_PCT = 3;

export type BatteryWord = 'enough' | 'return' | 'land';

/** Battery of a vehicle. A full charge lasts for the endurance of the aircraft. */
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
    // The charge is rounded up, so that 0 % is reported only for an empty battery.
    return { energyPct: Math.ceil(this.pct), volts, amperes: isFlying ? FLIES_A : 0.5 };
  }

  /** Returns the action that the charge requires. It depends on the energy that the return and the descent need. */
  word({ limits, body, home }: Craft): BatteryWord {
    if (this.pct <= LANDS_PCT) return 'land';
    const wayS = apartM(body, home) / limits.cruiseMps + body.heightM / Math.min(limits.descentMps, 2);
    const needsPct = Math.min(50, (100 * wayS) / this.#enduranceS) + REST_PCT;
    return this.pct <= Math.max(RETURNS_PCT, needsPct) ? 'return' : 'enough';
  }
}
