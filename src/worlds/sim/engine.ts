import { Fault } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import type { ScenarioActor, ScenarioSpec } from '../../model/scenario.ts';
import type { SensorSpec } from '../../model/sensor.ts';
import { parseTime } from '../../model/time.ts';
import { Chance, seedFor } from './chance.ts';
import { Schedule } from './schedule.ts';
import { Observers } from './sensors/observers.ts';
import { Post, type SimFrame } from './sensors/post.ts';
import { RECEIVER } from './sensors/receivers.ts';
import { Sky } from './sensors/sky.ts';
import type { Station } from './sensors/station.ts';
import { Site } from './site.ts';
import { Stage } from './stage.ts';
import { type TruthPoint, truthOf } from './truth.ts';
import { type TwinFacts, twinSysids } from './twins/facts.ts';
import { Twin } from './twins/twin.ts';
import { twinLink } from './wire/link_specs.ts';
import { serialOf } from './wire/remote_id.ts';

export type { SimFrame } from './sensors/post.ts';
export type { TruthPoint } from './truth.ts';
export type { TwinFacts } from './twins/facts.ts';

/** The flight goes in steps of so much; sensors look whenever they look. */
const STEP_MS = 50;

export type EngineRim = {
  /** What the catalog says of a model; null where it does not know it. */
  performanceOf(catalogName: string): PlatformPerformance | null;
};

/** A sensor that its link declares when it is heard: `receiver` is what the feed calls it there. */
export type LinkSensor = { link: string; receiver: string; spec: SensorSpec };

/**
 * What flies, what sees it, and the bytes that say so. All of it follows from the scenario, the seed, and what was written
 * and put in when: however time is cut into calls of `advance`.
 */
export class Engine {
  readonly links: readonly LinkSpec[];
  readonly sensors: readonly SensorSpec[];
  readonly linkSensors: readonly LinkSensor[];
  readonly twins: readonly TwinFacts[];
  readonly #scenario: ScenarioSpec;
  readonly #rim: EngineRim;
  readonly #seed: number;
  readonly #beginMs: number;
  readonly #site: Site;
  readonly #stage: Stage;
  readonly #sky: Sky;
  readonly #schedule = new Schedule();
  readonly #post = new Post();
  readonly #observers: Observers;
  readonly #twinOfLink = new Map<string, Twin>();
  /** Steps flown. */
  #steps = 0;
  /** Of the scenario. */
  #nowMs = 0;

  constructor(scenario: ScenarioSpec, seed: number, rim: EngineRim) {
    this.#scenario = scenario;
    this.#rim = rim;
    this.#seed = seed;
    this.#beginMs = parseTime(scenario.starts_at) ?? 0;
    this.#site = new Site(scenario.origin);
    const performanceOf = (actor: ScenarioActor): PlatformPerformance => this.#performanceOf(actor);
    this.#stage = new Stage(scenario.wind, { seed, performanceOf });
    this.#sky = new Sky(this.#stage, this.#site);
    const stationRim = { site: this.#site, seed, beginMs: this.#beginMs, post: this.#post };
    this.#observers = new Observers(scenario.sensors, this.#sky, this.#schedule, stationRim);
    const { stations } = this.#observers;
    this.#cast(withSysids(scenario.actors));
    this.twins = [...this.#twinOfLink.values()].map(({ facts }) => facts);
    this.links = [...stations.map(({ link }) => link), ...[...this.#twinOfLink.keys()].map(twinLink)];
    const names = this.links.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice) throw new Fault('invalid_input', `two of the scenario would be heard on one link, '${twice}'`);
    this.sensors = stations
      .filter((station) => receiverOf(station) === null)
      .map((one) => one.declaration(one.spec.id));
    this.linkSensors = stations.flatMap((station) => {
      const receiver = receiverOf(station);
      return receiver === null
        ? []
        : [{ link: station.link.name, receiver, spec: station.declaration(station.spec.id) }];
    });
  }

  #cast(actors: readonly ScenarioActor[], fromS = 0): void {
    const told = actors.map((actor) => this.#withSerial(actor));
    const members = this.#stage.addAll(told, (actor) => this.#twinOf(actor));
    told.forEach((actor, at) => {
      this.#observers.listenTo(actor, members[at] ?? [], fromS);
    });
    this.#stage.settle(fromS * 1000);
  }

  #performanceOf({ id, catalog, performance }: ScenarioActor): PlatformPerformance {
    const ofModel = catalog === undefined ? {} : this.#rim.performanceOf(catalog);
    if (!ofModel) throw new Fault('invalid_input', `'${id}' is a '${catalog}', and the catalog has none of that name`);
    return { ...ofModel, ...performance };
  }

  /** What is made of the seed must be known to whoever declares it: one of ours is known by its serial. */
  #withSerial(actor: ScenarioActor): ScenarioActor {
    if (!actor.mavlink || !actor.remote_id || actor.remote_id.serial !== undefined) return actor;
    const serial = serialOf(new Chance(seedFor(this.#seed, 'serial', actor.id)));
    return { ...actor, remote_id: { ...actor.remote_id, serial } };
  }

  #twinOf(actor: ScenarioActor): Twin | null {
    if (actor.kind !== 'asset' || !actor.mavlink) return null;
    const chance = new Chance(seedFor(this.#seed, 'twin', actor.id));
    const twin = new Twin(actor, this.#performanceOf(actor), {
      random: () => chance.uniform(),
      groundAltHaeM: this.#site.groundAltHaeM,
      origin: this.#scenario.origin,
      beginMs: this.#beginMs,
    });
    this.#twinOfLink.set(twin.facts.link, twin);
    return twin;
  }

  /** Everything that arrives until then, in the order of time. World milliseconds. */
  advance(toMs: number): readonly SimFrame[] {
    const untilMs = toMs - this.#beginMs;
    for (let next = this.#nextStepMs; next <= untilMs; next = this.#nextStepMs) {
      this.#observe(next - 1);
      this.#step();
    }
    this.#observe(untilMs);
    this.#nowMs = Math.max(this.#nowMs, untilMs);
    this.#sky.at(this.#nowMs / 1000, (this.#nowMs - this.#steps * STEP_MS) / 1000);
    return this.#post.arrivedBy(toMs);
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
    this.#stage.step(this.#steps * STEP_MS, STEP_MS, this.#beginMs);
    this.#steps++;
    const atMs = this.#beginMs + this.#steps * STEP_MS;
    for (const [link, twin] of this.#twinOfLink) {
      for (const bytes of twin.take()) this.#post.send({ link, from: link, bytes, atMs });
    }
  }

  /** Which links are unplugged now: outages of sensors. */
  downLinks(): ReadonlySet<string> {
    const down = this.#observers.stations.filter((station) => station.isDown(this.#nowMs / 1000));
    return new Set(down.map(({ link }) => link.name));
  }

  /** What we wrote to a link. Sensors do not listen. */
  write(link: string, _to: string | undefined, bytes: Uint8Array, atMs: number): void {
    this.#twinOfLink.get(link)?.hear(bytes, atMs);
  }

  /** At the time of the last advance. */
  truth(): readonly TruthPoint[] {
    return truthOf(this.#sky);
  }

  /** Puts somebody in while it runs, from now on or when he says. */
  inject(actor: ScenarioActor): void {
    if (this.#stage.cast.has(actor.id))
      throw new Fault('conflict', `there is an actor '${actor.id}' in the scenario already`);
    if (actor.mavlink) {
      throw new Fault(
        'conflict',
        `'${actor.id}' has an autopilot: our own vehicles are in a scenario from its beginning`,
      );
    }
    for (const id of referredBy(actor)) if (id !== actor.id) this.#stage.cast.bodyOf(id);
    this.#cast([actor], this.#nowMs / 1000);
  }
}

/** What the feed calls what a link's bytes are of; null where they name their sensor themselves. */
function receiverOf({ spec }: Station): string | null {
  if (spec.modality === 'remote_id') return `${RECEIVER.sysid}/${RECEIVER.compid}`;
  return spec.modality === 'adsb' ? '' : null;
}

/** Whom an actor's behaviour is about. */
function referredBy({ behaviour }: ScenarioActor): string[] {
  if (behaviour?.kind === 'evade') return [behaviour.from];
  if (behaviour?.kind === 'formation') return [behaviour.with];
  if (behaviour?.kind !== 'approach' && behaviour?.kind !== 'orbit') return [];
  return 'actor' in behaviour.target ? [behaviour.target.actor] : [];
}

/** Gives each of our vehicles that names none a MAVLink system id of its own. */
function withSysids(actors: readonly ScenarioActor[]): ScenarioActor[] {
  const sysids = twinSysids(actors);
  return actors.map((actor) => {
    const sysid = sysids.get(actor.id);
    return actor.mavlink && sysid !== undefined ? { ...actor, mavlink: { ...actor.mavlink, sysid } } : actor;
  });
}
