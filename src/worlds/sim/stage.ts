import { MOST_ACTORS, MOST_FLYING, type ScenarioActor, type ScenarioSpec } from '../../model/scenario.ts';
import { Agenda } from './agenda.ts';
import { Cast, type CastRim } from './cast.ts';
import { ABSENT, Air, FLYING, GROUNDED } from './flight/air.ts';
import { enter, fly, standStill } from './flight/fly.ts';
import { GUST_EVERY_STEPS, Weather } from './flight/wind.ts';
import type { Member } from './member.ts';
import { lies } from './spans.ts';
import type { Twin } from './twins/twin.ts';

/** Pilots think again ten times a second. */
const STEER_EVERY_STEPS = 2;

/** Who is in a scenario and where everybody is. Knows nothing of sensors. */
export class Stage {
  readonly air = new Air(MOST_FLYING + MOST_ACTORS);
  readonly weather: Weather;
  readonly cast: Cast;
  readonly members: Member[] = [];
  /** Who moves by himself, and who is moved by an autopilot. */
  readonly #pilots: Member[] = [];
  readonly #twins: Member[] = [];
  readonly #comings = new Agenda<Member>();
  readonly #goings = new Agenda<Member>();
  #steps = 0;

  constructor(wind: ScenarioSpec['wind'], rim: CastRim) {
    this.weather = new Weather(wind);
    this.cast = new Cast(this.air, rim);
  }

  /** Answers the members that each actor became. */
  addAll(actors: readonly ScenarioActor[], twinOf: (actor: ScenarioActor) => Twin | null): Member[][] {
    const added = this.cast.addAll(actors, twinOf);
    for (const member of added.flat()) {
      this.members.push(member);
      if (member.pilot) this.#pilots.push(member);
      if (member.twin) this.#twins.push(member);
      this.#comings.add(member.appearsS * 1000, member);
      if (Number.isFinite(member.leavesS)) this.#goings.add(member.leavesS * 1000, member);
    }
    return added;
  }

  /** Who comes and who goes until this moment. */
  settle(atMs: number): void {
    while (this.#comings.dueMs <= atMs) this.#appear(this.#comings.take() as Member, atMs / 1000);
    while (this.#goings.dueMs <= atMs) this.#leave(this.#goings.take() as Member, atMs / 1000);
  }

  #appear({ body, pilot }: Member, atS: number): void {
    const { air } = this;
    air.state[body] = GROUNDED;
    if (air.flown[body] === 0 || (air.heightM[body] as number) <= 0) return;
    air.state[body] = FLYING;
    pilot?.steer(air, body, atS);
    enter(air, body, this.weather);
  }

  #leave({ body }: Member, atS: number): void {
    standStill(this.air, body, atS);
    this.air.state[body] = ABSENT;
  }

  /** One step of everybody, from a moment of the scenario on. All decide by what was, then all move. */
  step(fromMs: number, stepMs: number, beginMs: number): void {
    const { air, weather } = this;
    const [atS, stepS] = [fromMs / 1000, stepMs / 1000];
    const step = this.#steps++;
    if (weather.isGusty && step % GUST_EVERY_STEPS === 0) this.#gusts(stepS * GUST_EVERY_STEPS);
    if (step % STEER_EVERY_STEPS === 0) this.#steer(atS);
    fly(air, weather, stepS, atS);
    for (const { twin, body } of this.#twins) {
      if (!twin || air.state[body] === ABSENT) continue;
      twin.step(beginMs + fromMs + stepMs, stepS, weather.at(air, body));
      this.#follow(twin, body, atS);
    }
    this.settle(fromMs + stepMs);
  }

  #steer(atS: number): void {
    const { air } = this;
    for (const { pilot, body } of this.#pilots) if (air.state[body] !== ABSENT) pilot?.steer(air, body, atS);
  }

  #gusts(sinceS: number): void {
    for (const { body, gusts } of this.members) {
      if (this.air.state[body] !== ABSENT) this.weather.gust(this.air, body, gusts, sinceS);
    }
  }

  #follow(twin: Twin, body: number, atS: number): void {
    const { air } = this;
    const { eastM, northM, upM, eastMps, northMps, upMps, airborne } = twin.state();
    air.eastM[body] = eastM;
    air.northM[body] = northM;
    air.heightM[body] = upM;
    air.eastMps[body] = eastMps;
    air.northMps[body] = northMps;
    air.climbMps[body] = upMps;
    if (!airborne && air.state[body] === FLYING) air.landedS[body] = atS;
    air.state[body] = airborne ? FLYING : GROUNDED;
  }

  isHidden(member: Member, atS: number): boolean {
    return member.hidden.length > 0 && lies(atS, member.hidden);
  }
}
