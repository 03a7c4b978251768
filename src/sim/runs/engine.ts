import { conflict, invalidInput } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import type { ScenarioActor, ScenarioSpec } from '../../model/scenario.ts';
import type { SensorSpec } from '../../model/sensor.ts';
import { parseTime } from '../../model/time.ts';
import { ABSENT, FLYING } from '../aircraft/flight/air.ts';
import { Chance, seedFor } from '../kernel/chance.ts';
import { Heap } from '../kernel/heap.ts';
import { Schedule } from '../kernel/schedule.ts';
import { Site } from '../kernel/site.ts';
import { lies } from '../kernel/spans.ts';
import type { Member } from '../population/member.ts';
import { Population } from '../population/population.ts';
import type { TruePlace } from '../score/truth.ts';
import { Observers, RECEIVER } from '../sensors/observers.ts';
import { Sky } from '../sensors/sky.ts';
import type { SimFrame, Station } from '../sensors/station.ts';
import { type VehicleFacts, vehicleSysids } from '../vehicles/facts.ts';
import { SimulatedVehicle } from '../vehicles/simulated_vehicle.ts';
import { vehicleLink } from '../wire/link_specs.ts';
import { serialOf } from '../wire/remote_id.ts';

export type { TruePlace } from '../score/truth.ts';
export type { SimFrame } from '../sensors/station.ts';
export type { VehicleFacts } from '../vehicles/facts.ts';

/** Step of the flight, ms. Sensors scan at times of their own. */
const STEP_MS = 50;

export type EngineDeps = {
  /** Returns the performance of a catalog model; null if the catalog has no model of that name. */
  performanceOf(catalogName: string): PlatformPerformance | null;
};

/**
 * A sensor for Remote ID or ADS-B. The messages on its link do not name the sensor, so the world declares it together
 * with the link. `receiver` is the sensor's name in the feed.
 */
type LinkSensor = { link: string; receiver: string; spec: SensorSpec };

/**
 * Simulates flight, sensors and the bytes that they send. The result depends on the scenario, the seed, and the writes
 * and injections with their times. It does not depend on how `advance` divides the time.
 */
export class Engine {
  readonly links: readonly LinkSpec[];
  readonly sensors: readonly SensorSpec[];
  readonly linkSensors: readonly LinkSensor[];
  readonly vehicles: readonly VehicleFacts[];
  readonly #scenario: ScenarioSpec;
  readonly #deps: EngineDeps;
  readonly #seed: number;
  readonly #beginMs: number;
  readonly #site: Site;
  readonly #population: Population;
  readonly #sky: Sky;
  readonly #schedule = new Schedule();
  readonly #sent = new Heap<SimFrame>();
  readonly #observers: Observers;
  readonly #vehicleOfLink = new Map<string, SimulatedVehicle>();
  #steps = 0;
  /** Scenario time, ms. */
  #nowMs = 0;

  constructor(scenario: ScenarioSpec, seed: number, deps: EngineDeps) {
    this.#scenario = scenario;
    this.#deps = deps;
    this.#seed = seed;
    this.#beginMs = parseTime(scenario.starts_at) ?? 0;
    this.#site = new Site(scenario.origin);
    const performanceOf = (actor: ScenarioActor): PlatformPerformance => this.#performanceOf(actor);
    this.#population = new Population(scenario.wind, { seed, performanceOf });
    this.#sky = new Sky(this.#population, this.#site);
    const stationDeps = { site: this.#site, seed, beginMs: this.#beginMs, sent: this.#sent };
    this.#observers = new Observers(scenario.sensors, this.#sky, this.#schedule, stationDeps);
    const { stations } = this.#observers;
    this.#actors(withSysids(scenario.actors));
    this.vehicles = [...this.#vehicleOfLink.values()].map(({ facts }) => facts);
    this.links = [...stations.map(({ link }) => link), ...[...this.#vehicleOfLink.keys()].map(vehicleLink)];
    const names = this.links.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice) throw invalidInput(`two sensors of the scenario would share one link, '${twice}'`);
    this.sensors = stations.filter((one) => receiverOf(one) === null).map((one) => one.declaration());
    this.linkSensors = stations.flatMap((station) => {
      const receiver = receiverOf(station);
      return receiver === null ? [] : [{ link: station.link.name, receiver, spec: station.declaration() }];
    });
  }

  #actors(actors: readonly ScenarioActor[], fromS = 0): void {
    const identified = actors.map((actor) => this.#withSerial(actor));
    const members = this.#population.addAll(identified, (actor) => this.#vehicleOf(actor));
    for (const [at, actor] of identified.entries()) this.#observers.listenTo(actor, members[at] ?? [], fromS);
    this.#population.settle(fromS * 1000);
  }

  #performanceOf({ id, catalog, performance }: ScenarioActor): PlatformPerformance {
    const ofModel = catalog === undefined ? {} : this.#deps.performanceOf(catalog);
    if (!ofModel) throw invalidInput(`the actor '${id}' has the model '${catalog}', which is not in the catalog`);
    return { ...ofModel, ...performance };
  }

  /**
   * Gives an actor with autopilot and Remote ID a serial derived from the seed if the scenario gives none. Its asset
   * must be declared with the same serial.
   */
  #withSerial(actor: ScenarioActor): ScenarioActor {
    if (!actor.mavlink || !actor.remote_id || actor.remote_id.serial !== undefined) return actor;
    const serial = serialOf(new Chance(seedFor(this.#seed, 'serial', actor.id)));
    return { ...actor, remote_id: { ...actor.remote_id, serial } };
  }

  #vehicleOf(actor: ScenarioActor): SimulatedVehicle | null {
    if (actor.kind !== 'asset' || !actor.mavlink) return null;
    const chance = new Chance(seedFor(this.#seed, 'twin', actor.id));
    const vehicle = new SimulatedVehicle(actor, this.#performanceOf(actor), {
      random: () => chance.uniform(),
      groundAltHaeM: this.#site.groundAltHaeM,
      origin: this.#scenario.origin,
      beginMs: this.#beginMs,
    });
    this.#vehicleOfLink.set(vehicle.facts.link, vehicle);
    return vehicle;
  }

  /** Advances the simulation to world time `toMs`. Returns the frames that arrive until then, sorted by time. */
  advance(toMs: number): readonly SimFrame[] {
    const untilMs = toMs - this.#beginMs;
    for (let next = this.#nextStepMs; next <= untilMs; next = this.#nextStepMs) {
      this.#observe(next - 1);
      this.#step();
    }
    this.#observe(untilMs);
    this.#nowMs = Math.max(this.#nowMs, untilMs);
    this.#sky.at(this.#nowMs / 1000, (this.#nowMs - this.#steps * STEP_MS) / 1000);
    return [...this.#sent.takeUpTo(toMs)];
  }

  get #nextStepMs(): number {
    return (this.#steps + 1) * STEP_MS;
  }

  #observe(untilMs: number): void {
    for (let { dueMs } = this.#schedule; dueMs <= untilMs; dueMs = this.#schedule.dueMs) {
      this.#sky.at(dueMs / 1000, (dueMs - this.#steps * STEP_MS) / 1000);
      this.#schedule.run();
    }
  }

  #step(): void {
    this.#population.step(this.#steps * STEP_MS, STEP_MS, this.#beginMs);
    this.#steps++;
    const atMs = this.#beginMs + this.#steps * STEP_MS;
    for (const [link, vehicle] of this.#vehicleOfLink) {
      for (const bytes of vehicle.take()) this.#sent.add(atMs, { link, from: link, bytes, atMs });
    }
  }

  /** Returns the links that are down now because of outages of their sensors. */
  downLinks(): ReadonlySet<string> {
    const down = this.#observers.stations.filter((station) => station.isDown(this.#nowMs / 1000));
    return new Set(down.map(({ link }) => link.name));
  }

  /** Receives bytes that the world wrote to a link. Vehicles read them; sensors ignore them. */
  write(link: string, _to: string | undefined, bytes: Uint8Array, atMs: number): void {
    this.#vehicleOfLink.get(link)?.receive(bytes, atMs);
  }

  /** Returns the true positions at the time of the last `advance`. Ghosts are left out. */
  truth(): readonly TruePlace[] {
    const real = this.#population.members.filter(({ isGhost }) => !isGhost);
    return real.map((member) => truthOf(member, this.#sky));
  }

  /** Adds an actor during the run. It appears now, or at its own time of appearance. */
  inject(actor: ScenarioActor): void {
    if (this.#population.actors.has(actor.id))
      throw conflict(`there is an actor '${actor.id}' in the scenario already`);
    const sentence = `'${actor.id}' cannot be added during a run, because it has an autopilot: add it to the scenario`;
    if (actor.mavlink) throw conflict(sentence);
    for (const id of referredBy(actor)) if (id !== actor.id) this.#population.actors.bodyOf(id);
    this.#actors([actor], this.#nowMs / 1000);
  }
}

/** Returns the name of a link's receiver in the feed; null if each row of the link names its sensor. */
function receiverOf({ spec }: Station): string | null {
  if (spec.modality === 'remote_id') return `${RECEIVER.sysid}/${RECEIVER.compid}`;
  return spec.modality === 'adsb' ? '' : null;
}

/** Returns the ids of the actors to which a behaviour refers. */
function referredBy({ behaviour }: ScenarioActor): string[] {
  if (behaviour?.kind === 'evade') return [behaviour.from];
  if (behaviour?.kind === 'formation') return [behaviour.with];
  if (behaviour?.kind !== 'approach' && behaviour?.kind !== 'orbit') return [];
  return 'actor' in behaviour.target ? [behaviour.target.actor] : [];
}

/** Assigns a MAVLink system id of its own to each vehicle that has none. */
function withSysids(actors: readonly ScenarioActor[]): ScenarioActor[] {
  const sysids = vehicleSysids(actors);
  return actors.map((actor) => {
    const sysid = sysids.get(actor.id);
    return actor.mavlink && sysid !== undefined ? { ...actor, mavlink: { ...actor.mavlink, sysid } } : actor;
  });
}

function truthOf(member: Member, sky: Sky): TruePlace {
  const { body, id, kind } = member;
  const { air, site } = sky;
  const { latDeg, lonDeg, altHaeM } = site.placeOf(sky.eastM(body), sky.northM(body), sky.heightM(body));
  const [east, north] = [air.eastMps[body] as number, air.northMps[body] as number];
  const turn = site.northAt(latDeg, lonDeg);
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  return {
    ...{ id, kind, latDeg, lonDeg, altHaeM },
    eastMps: east * cos - north * sin,
    northMps: east * sin + north * cos,
    upMps: air.climbMps[body] as number,
    airborne: air.state[body] === FLYING,
    visible: air.state[body] !== ABSENT && !lies(sky.atS, member.hidden),
  };
}
