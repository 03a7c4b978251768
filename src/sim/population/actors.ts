import { invalidInput } from '../../model/fault.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import type { ScenarioActor } from '../../model/scenario.ts';
import { orbit } from '../aircraft/behaviour/aim.ts';
import { NO_SHIFT, type Shift } from '../aircraft/behaviour/behaviour.ts';
import { type Pilot, pilotOf, planOf } from '../aircraft/behaviour/plan.ts';
import type { Air } from '../aircraft/flight/air.ts';
import { type FlightType, limitsOf, typeOf } from '../aircraft/flight/limits.ts';
import { Chance, seedFor } from '../kernel/chance.ts';
import type { SimulatedVehicle } from '../vehicles/simulated_vehicle.ts';
import type { Member } from './member.ts';

/** Flight height if the scenario gives none, m. */
const HEIGHT_M: Record<ScenarioActor['kind'], number> = {
  ...{ drone: 60, swarm: 60, asset: 60, spoofer: 60 },
  ...{ bird: 40, aircraft: 500 },
};
const SIZE_M: Record<ScenarioActor['kind'], number> = {
  ...{ drone: 0.4, swarm: 0.4, asset: 0.4, spoofer: 0.4 },
  ...{ bird: 0.2, aircraft: 10 },
};

/**
 * A ghost (an aircraft that a spoofer invents) without route and behaviour flies a random circle. Ranges of the
 * distance from the ghost's start to the circle's centre, of the radius and of the height, m.
 */
const GHOST_AWAY_M = [100, 900] as const;
const GHOST_RADIUS_M = [40, 160] as const;
const GHOST_HEIGHT_M = [40, 120] as const;

export type ActorsDeps = {
  seed: number;
  performanceOf(actor: ScenarioActor): PlatformPerformance;
};

/** Creates the bodies and pilots of actors. */
export class Actors {
  readonly #air: Air;
  readonly #deps: ActorsDeps;
  /** Index of each actor's first body, by actor id. */
  readonly #bodies = new Map<string, number>();

  constructor(air: Air, deps: ActorsDeps) {
    this.#air = air;
    this.#deps = deps;
  }

  has(actorId: string): boolean {
    return this.#bodies.has(actorId);
  }

  bodyOf(actorId: string): number {
    const body = this.#bodies.get(actorId);
    if (body === undefined) throw invalidInput(`there is no actor '${actorId}' in the scenario`);
    return body;
  }

  /**
   * Adds actors. All actors are placed before pilots are made, because a behaviour may refer to an actor further down
   * the list. Returns the members of each actor; a swarm or spoofer may have several.
   */
  addAll(actors: readonly ScenarioActor[], vehicleOf: (actor: ScenarioActor) => SimulatedVehicle | null): Member[][] {
    const taken = actors.map((actor) => this.#place(actor, vehicleOf(actor)));
    taken.forEach((members, at) => {
      const actor = actors[at] as ScenarioActor;
      for (const [nth, member] of members.entries()) member.pilot = this.#pilotOf(actor, member, nth);
    });
    return taken;
  }

  #place(actor: ScenarioActor, vehicle: SimulatedVehicle | null): Member[] {
    const count = actor.kind === 'swarm' ? (actor.count ?? 1) : 1;
    const ghosts = actor.kind === 'spoofer' ? (actor.count ?? 1) : 0;
    if (this.#air.count + count + ghosts > this.#air.capacity) {
      throw invalidInput(
        `'${actor.id}' cannot be added: the scenario may have at most ${this.#air.capacity} aircraft and objects`,
      );
    }
    // An unknown model throws here, before the actor gets an entry in `#bodies`. The entry would otherwise point at the
    // body of the next actor.
    this.#deps.performanceOf(actor);
    const first = this.#air.count;
    this.#bodies.set(actor.id, first);
    const members: Member[] = [];
    for (let n = 0; n < count; n++) members.push(this.#member(actor, n, vehicle, false));
    for (let n = 0; n < ghosts; n++) members.push({ ...this.#member(actor, n, null, true), radio: first });
    return members;
  }

  #member(actor: ScenarioActor, nth: number, vehicle: SimulatedVehicle | null, isGhost: boolean): Member {
    const { kind, start } = actor;
    const said = this.#deps.performanceOf(actor);
    const type: FlightType = typeOf(actor, said);
    const numbered = kind === 'swarm' || isGhost;
    const id = numbered ? `${actor.id}-${nth + 1}` : actor.id;
    const shift = numbered ? shiftOf(actor, nth) : NO_SHIFT;
    const place = {
      eastM: start.east_m + shift.eastM,
      northM: start.north_m + shift.northM,
      heightM: start.height_m ?? 0,
    };
    // A ghost is in the air from the beginning, even if its transmitter is on the ground.
    if (isGhost) place.heightM = actor.route[0]?.height_m ?? HEIGHT_M.spoofer;
    const moves = isGhost || (vehicle === null && kind !== 'spoofer' && fliesItself(actor));
    const body = this.#air.add(limitsOf(actor, said), place, moves);
    const seed = seedFor(this.#deps.seed, 'actor', id);
    return {
      gusts: new Chance(seedFor(seed, 'gusts')),
      ...{ body, id, kind, type, seed, vehicle: vehicle, isGhost },
      pilot: null,
      appearsS: actor.appears_s,
      leavesS: actor.leaves_s ?? Number.POSITIVE_INFINITY,
      hidden: actor.hidden,
      sizeM: actor.size_m ?? SIZE_M[kind],
      radio: body,
      transmits: !isGhost && hasRadio(actor),
    };
  }

  #pilotOf(actor: ScenarioActor, member: Member, nth: number): Pilot | null {
    if (this.#air.flown[member.body] === 0) return null;
    const chance = new Chance(seedFor(member.seed, 'pilot'));
    if (member.isGhost && !fliesItself(actor)) return this.#wander(member.body, chance);
    const shift = actor.kind === 'swarm' || member.isGhost ? shiftOf(actor, nth) : NO_SHIFT;
    const { height_m = 0 } = actor.start;
    const goes = actor.route.length > 0 || (actor.behaviour !== undefined && actor.behaviour.kind !== 'land');
    const heightM = height_m > 0 || !goes ? height_m : HEIGHT_M[actor.kind];
    return pilotOf(planOf(actor, { bodyOf: (id) => this.bodyOf(id), shift, heightM, chance }));
  }

  /** Creates a pilot that circles a random place near the transmitter. */
  #wander(body: number, chance: Chance): Pilot {
    const air = this.#air;
    const [away, course] = [chance.between(...GHOST_AWAY_M), chance.between(0, 2 * Math.PI)];
    const eastM = (air.eastM[body] as number) + away * Math.sin(course);
    const northM = (air.northM[body] as number) + away * Math.cos(course);
    const radiusM = chance.between(...GHOST_RADIUS_M);
    const heightM = chance.between(...GHOST_HEIGHT_M);
    air.eastM[body] = eastM;
    air.northM[body] = northM + radiusM;
    air.heightM[body] = heightM;
    const clockwise = chance.uniform() < 0.5;
    const speedMps = chance.between(6, 14);
    const aim = { place: { east_m: eastM, north_m: northM } };
    return pilotOf([orbit(aim, { radiusM, clockwise, speedMps, heightM }, NO_SHIFT)]);
  }
}

/**
 * False for an asset or spoofer without route and behaviour. It stands still unless an autopilot moves it; the spoofer
 * transmits nevertheless.
 */
function fliesItself({ kind, route, behaviour }: ScenarioActor): boolean {
  const isPlaced = route.length > 0 || behaviour !== undefined;
  return kind === 'asset' || kind === 'spoofer' ? isPlaced : true;
}

/** True if direction finders can receive the actor. A drone has a control link, even if it broadcasts nothing. */
function hasRadio({ kind, remote_id, mavlink }: ScenarioActor): boolean {
  return kind === 'drone' || kind === 'swarm' || kind === 'spoofer' || remote_id !== undefined || mavlink !== undefined;
}

/** Returns the offset of the nth of `count` members, which are placed in a square grid. */
function shiftOf({ count = 1, spacing_m }: ScenarioActor, nth: number): Shift {
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const [column, row] = [nth % columns, Math.floor(nth / columns)];
  return { eastM: (column - (columns - 1) / 2) * spacing_m, northM: ((rows - 1) / 2 - row) * spacing_m, upM: 0 };
}
