import type { Air } from '../flight/air.ts';
import type { Behaviour } from './behaviour.ts';
import { Land } from './land.ts';

/** Does one thing after another; what has flown as long as it can lands. */
export class Pilot {
  readonly #plan: Behaviour[];
  #at = 0;
  #land: Land | null = null;

  constructor(plan: readonly Behaviour[]) {
    this.#plan = [...plan];
  }

  steer(air: Air, i: number, atS: number): void {
    if ((air.flownS[i] as number) >= (air.limits[i]?.enduranceS ?? 0)) this.#land ??= new Land();
    if (this.#land) {
      this.#land.steer(air, i);
      return;
    }
    const behaviour = this.#plan[this.#at];
    if (behaviour?.steer(air, i, atS) && this.#at < this.#plan.length - 1) this.#at++;
  }
}
