import type { ChartPosition } from '../../geo/position.ts';
import type { ScenarioActor } from '../../model/scenario.ts';
import { apartM, turnRate, usualRadiusM } from './body.ts';
import type { Craft } from './craft.ts';

/** Flight height if the scenario gives none, m. */
const USUAL_UP_M = 60;
const LEAST_UP_M = 5;
const THERE_M = 2;

type Stop = { place: ChartPosition; speedMps: number | null; waitS: number };
type End = ScenarioActor['behaviour'];

/** Mission of an autopilot: the route of its scenario, flown until a command interrupts it. */
export class Route {
  readonly #stops: readonly Stop[];
  readonly #end: End;
  #next = 0;
  /** Remaining waiting time at the stop, s; null before the vehicle arrives there. */
  #waitsS: number | null = null;
  #isOrdered = false;

  constructor(actor: ScenarioActor) {
    let heightM = actor.start.height_m || USUAL_UP_M;
    this.#stops = actor.route.map(({ east_m, north_m, height_m, speed_mps, wait_s }) => {
      heightM = height_m ?? heightM;
      return { place: { eastM: east_m, northM: north_m, heightM }, speedMps: speed_mps ?? null, waitS: wait_s ?? 0 };
    });
    this.#end = actor.behaviour;
  }

  get isEmpty(): boolean {
    return this.#stops.length === 0 && this.#endPlace() === null;
  }

  /** Begins the route, or resumes it where a command interrupted it. */
  begin(): void {
    this.#isOrdered = false;
    this.#waitsS = null;
  }

  /** Continues the route. Returns `land` if the vehicle must land now. */
  step(craft: Craft, dtS: number): 'flies' | 'land' {
    const stop = this.#stops[this.#next];
    if (craft.manoeuvre.kind === 'takeoff') return 'flies';
    if (craft.isOnGround && this.#waitsS === null && (stop || this.#endPlace())) {
      const heightM = (stop?.place ?? this.#endPlace())?.heightM ?? 0;
      craft.takeOff(Math.max(heightM, LEAST_UP_M));
      return 'flies';
    }
    if (!stop) return this.#finish(craft);
    if (!this.#isOrdered) this.#order(craft, stop);
    if (this.#waitsS === null && isThere(craft, stop)) this.#arrive(craft, stop);
    if (this.#waitsS === null) return 'flies';
    this.#waitsS -= dtS;
    if (this.#waitsS <= 0) this.#goOn();
    return 'flies';
  }

  #order(craft: Craft, { place, speedMps }: Stop): void {
    this.#isOrdered = true;
    craft.speedMps = speedMps ?? craft.limits.cruiseMps;
    craft.do({ kind: 'goto', to: place, radiusM: 1, clockwise: true });
  }

  #arrive(craft: Craft, { place, waitS }: Stop): void {
    this.#waitsS = waitS;
    if (waitS > 0 && !craft.limits.hovers) craft.do({ kind: 'hold', heightM: place.heightM, at: place });
  }

  #goOn(): void {
    this.#waitsS = null;
    this.#isOrdered = false;
    this.#next++;
    if (this.#end?.kind === 'route' && this.#end.repeat && this.#next >= this.#stops.length) this.#next = 0;
  }

  #finish(craft: Craft): 'flies' | 'land' {
    if (this.#isOrdered) return 'flies';
    const end = this.#end;
    if (end?.kind === 'land') return 'land';
    this.#isOrdered = true;
    const place = this.#endPlace();
    const last = this.#stops.at(-1)?.place ?? craft.body;
    const radiusM = usualRadiusM(craft.limits, craft.speedMps);
    if ((end?.kind === 'approach' || end?.kind === 'orbit') && end.speed_mps) craft.speedMps = end.speed_mps;
    if (end?.kind === 'orbit' && place) {
      craft.do({ kind: 'circle', middle: place, radiusM: end.radius_m, clockwise: end.direction === 'clockwise' });
    } else if (end?.kind === 'loiter') {
      craft.do({ kind: 'circle', middle: { ...last }, radiusM: end.radius_m, clockwise: true });
    } else if (end?.kind === 'approach' && place) craft.do({ kind: 'goto', to: place, radiusM, clockwise: true });
    else craft.do({ kind: 'hold', heightM: last.heightM, at: { ...last } });
    return 'flies';
  }

  /**
   * Returns the destination after the last stop; null for none. A behaviour that refers to another actor gives
   * null, because a vehicle has no access to actors. The vehicle then holds.
   */
  #endPlace(): ChartPosition | null {
    const end = this.#end;
    if (end?.kind !== 'approach' && end?.kind !== 'orbit') return null;
    if ('actor' in end.target) return null;
    const { east_m, north_m, height_m } = end.target;
    const heightM = end.height_m ?? height_m ?? this.#stops.at(-1)?.place.heightM ?? USUAL_UP_M;
    return { eastM: east_m, northM: north_m, heightM };
  }
}

function isThere({ body, limits }: Craft, { place }: Stop): boolean {
  if (limits.hovers) return apartM(body, place) < THERE_M && Math.abs(body.heightM - place.heightM) < THERE_M;
  return apartM(body, place) < (1.3 * body.airMps) / turnRate(limits, body.airMps);
}
