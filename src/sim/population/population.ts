import { MOST_ACTORS, MOST_FLYING, type ScenarioActor, type ScenarioSpec } from '../../model/scenario.ts';
import { ABSENT, Air, FLYING, GROUNDED } from '../aircraft/flight/air.ts';
import { enter, fly, standStill } from '../aircraft/flight/fly.ts';
import { GUST_EVERY_STEPS, Weather } from '../aircraft/flight/wind.ts';
import { Heap } from '../kernel/heap.ts';
import type { SimulatedVehicle } from '../vehicles/simulated_vehicle.ts';
import { Actors, type ActorsDeps } from './actors.ts';
import type { Member } from './member.ts';

/** Steps between two decisions of a pilot. Pilots decide ten times a second. */
const STEER_EVERY_STEPS = 2;

/** Flies the actors of a scenario. Sensors are separate. */
export class Population {
  readonly air = new Air(MOST_FLYING + MOST_ACTORS);
  readonly weather: Weather;
  readonly actors: Actors;
  readonly members: Member[] = [];
  /** Members that a simulated pilot flies, and members that an autopilot flies. */
  readonly #pilots: Member[] = [];
  readonly #vehicles: Member[] = [];
  readonly #comings = new Heap<Member>();
  readonly #goings = new Heap<Member>();
  #steps = 0;

  constructor(wind: ScenarioSpec['wind'], deps: ActorsDeps) {
    this.weather = new Weather(wind);
    this.actors = new Actors(this.air, deps);
  }

  addAll(actors: readonly ScenarioActor[], vehicleOf: (actor: ScenarioActor) => SimulatedVehicle | null): Member[][] {
    const added = this.actors.addAll(actors, vehicleOf);
    for (const member of added.flat()) {
      this.members.push(member);
      if (member.pilot) this.#pilots.push(member);
      if (member.vehicle) this.#vehicles.push(member);
      this.#comings.add(member.appearsS * 1000, member);
      if (Number.isFinite(member.leavesS)) this.#goings.add(member.leavesS * 1000, member);
    }
    return added;
  }

  /** Makes members appear or leave at their times. */
  settle(atMs: number): void {
    for (const member of this.#comings.takeUpTo(atMs)) this.#appear(member, atMs / 1000);
    for (const member of this.#goings.takeUpTo(atMs)) this.#leave(member, atMs / 1000);
  }

  #appear({ body, pilot }: Member, atS: number): void {
    const { air } = this;
    air.state[body] = GROUNDED;
    if (air.flown[body] === 0 || (air.heightM[body] as number) <= 0) return;
    air.state[body] = FLYING;
    pilot?.(air, body, atS);
    enter(air, body, this.weather);
  }

  #leave({ body }: Member, atS: number): void {
    standStill(this.air, body, atS);
    this.air.state[body] = ABSENT;
  }

  /**
   * Advances all members by one step, which begins at scenario time `fromMs`. In every second step, all pilots decide
   * before any member moves. `beginMs` is the world time of the scenario's beginning, ms.
   */
  step(fromMs: number, stepMs: number, beginMs: number): void {
    const { air, weather } = this;
    const [atS, stepS] = [fromMs / 1000, stepMs / 1000];
    const step = this.#steps++;
    if (weather.isGusty && step % GUST_EVERY_STEPS === 0) this.#gusts(stepS * GUST_EVERY_STEPS);
    if (step % STEER_EVERY_STEPS === 0) this.#steer(atS);
    fly(air, weather, stepS, atS);
    for (const { vehicle, body } of this.#vehicles) {
      if (!vehicle || air.state[body] === ABSENT) continue;
      vehicle.step(beginMs + fromMs + stepMs, stepS, weather.at(air, body));
      this.#follow(vehicle, body, atS);
    }
    this.settle(fromMs + stepMs);
  }

  #steer(atS: number): void {
    const { air } = this;
    for (const { pilot, body } of this.#pilots) if (air.state[body] !== ABSENT) pilot?.(air, body, atS);
  }

  #gusts(sinceS: number): void {
    for (const { body, gusts } of this.members) {
      if (this.air.state[body] !== ABSENT) this.weather.gust(this.air, body, gusts, sinceS);
    }
  }

  #follow(vehicle: SimulatedVehicle, body: number, atS: number): void {
    const { air } = this;
    const { eastM, northM, heightM, eastMps, northMps, upMps, airborne } = vehicle.state();
    air.eastM[body] = eastM;
    air.northM[body] = northM;
    air.heightM[body] = heightM;
    air.eastMps[body] = eastMps;
    air.northMps[body] = northMps;
    air.climbMps[body] = upMps;
    if (!airborne && air.state[body] === FLYING) air.landedS[body] = atS;
    air.state[body] = airborne ? FLYING : GROUNDED;
  }
}
