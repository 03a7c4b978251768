import type { ScenarioActor } from '../../../model/scenario.ts';
import { apartM, type Place } from './body.ts';
import type { Craft } from './craft.ts';
import { turnRate, usualRadiusM } from './turning.ts';

/** Where its scenario says no height. */
const USUAL_UP_M = 60;
const LEAST_UP_M = 5;
const THERE_M = 2;

type Stop = { place: Place; speedMps: number | null; waitS: number };
type End = ScenarioActor['behaviour'];

/** What its scenario has it fly as long as nobody commands it: its autopilot's mission. */
export class Route {
  readonly #stops: readonly Stop[];
  readonly #end: End;
  #next = 0;
  /** So long it still stays; null where it has not come there. */
  #waitsS: number | null = null;
  #isTold = false;

  constructor(actor: ScenarioActor) {
    let upM = actor.start.height_m || USUAL_UP_M;
    this.#stops = actor.route.map(({ east_m, north_m, height_m, speed_mps, wait_s }) => {
      upM = height_m ?? upM;
      return { place: { eastM: east_m, northM: north_m, upM }, speedMps: speed_mps ?? null, waitS: wait_s ?? 0 };
    });
    this.#end = actor.behaviour;
  }

  get isEmpty(): boolean {
    return this.#stops.length === 0 && this.#endPlace() === null;
  }

  /** Whoever took it off its way leaves it to fly on from there. */
  begin(): void {
    this.#isTold = false;
    this.#waitsS = null;
  }

  /** Flies on; `land` where it is to land now. */
  step(craft: Craft, dtS: number): 'flies' | 'land' {
    const stop = this.#stops[this.#next];
    if (craft.manoeuvre.kind === 'takeoff') return 'flies';
    if (craft.isOnGround && this.#waitsS === null && (stop || this.#endPlace())) {
      const upM = (stop?.place ?? this.#endPlace())?.upM ?? 0;
      craft.takeOff(Math.max(upM, LEAST_UP_M));
      return 'flies';
    }
    if (!stop) return this.#finish(craft);
    if (!this.#isTold) this.#tell(craft, stop);
    if (this.#waitsS === null && isThere(craft, stop)) this.#arrive(craft, stop);
    if (this.#waitsS === null) return 'flies';
    this.#waitsS -= dtS;
    if (this.#waitsS <= 0) this.#goOn();
    return 'flies';
  }

  #tell(craft: Craft, { place, speedMps }: Stop): void {
    this.#isTold = true;
    craft.speedMps = speedMps ?? craft.limits.cruiseMps;
    craft.do({ kind: 'goto', to: place, radiusM: 1, clockwise: true });
  }

  #arrive(craft: Craft, { place, waitS }: Stop): void {
    this.#waitsS = waitS;
    if (waitS > 0 && !craft.limits.hovers) craft.do({ kind: 'hold', upM: place.upM, at: place });
  }

  #goOn(): void {
    this.#waitsS = null;
    this.#isTold = false;
    this.#next++;
    if (this.#end?.kind === 'route' && this.#end.repeat && this.#next >= this.#stops.length) this.#next = 0;
  }

  #finish(craft: Craft): 'flies' | 'land' {
    if (this.#isTold) return 'flies';
    const end = this.#end;
    if (end?.kind === 'land') return 'land';
    this.#isTold = true;
    const place = this.#endPlace();
    const last = this.#stops.at(-1)?.place ?? craft.body;
    const radiusM = usualRadiusM(craft.limits, craft.speedMps);
    if ((end?.kind === 'approach' || end?.kind === 'orbit') && end.speed_mps) craft.speedMps = end.speed_mps;
    if (end?.kind === 'orbit' && place) {
      craft.do({ kind: 'circle', middle: place, radiusM: end.radius_m, clockwise: end.direction === 'clockwise' });
    } else if (end?.kind === 'loiter') {
      craft.do({ kind: 'circle', middle: { ...last }, radiusM: end.radius_m, clockwise: true });
    } else if (end?.kind === 'approach' && place) craft.do({ kind: 'goto', to: place, radiusM, clockwise: true });
    else craft.do({ kind: 'hold', upM: last.upM, at: { ...last } });
    return 'flies';
  }

  /** Where it goes once its stops are flown. A twin knows of no other actor: what is about one it leaves to those who command it. */
  #endPlace(): Place | null {
    const end = this.#end;
    if (end?.kind !== 'approach' && end?.kind !== 'orbit') return null;
    if ('actor' in end.target) return null;
    const { east_m, north_m, height_m } = end.target;
    const upM = end.height_m ?? height_m ?? this.#stops.at(-1)?.place.upM ?? USUAL_UP_M;
    return { eastM: east_m, northM: north_m, upM };
  }
}

function isThere({ body, limits }: Craft, { place }: Stop): boolean {
  if (limits.hovers) return apartM(body, place) < THERE_M && Math.abs(body.upM - place.upM) < THERE_M;
  return apartM(body, place) < (1.3 * body.airMps) / turnRate(limits, body.airMps);
}
