import type { CoreEvents, CoreMaker } from '../../core/thread/handle.ts';
import type { CorePlace } from '../../core/thread/place.ts';
import { CoreStepped } from '../../core/thread/stepped.ts';
import type { RunExpectation, RunMetrics } from '../../model/run.ts';
import type { ScenarioActor, ScenarioSpec } from '../../model/scenario.ts';
import { parseTime } from '../../model/time.ts';
import type { Zone } from '../../model/zone.ts';
import type { PictureChange } from '../../picture/events.ts';
import { DrivenClock } from '../../world/driven/clock.ts';
import { Drive } from '../../world/driven/drive.ts';
import { Wires } from '../../world/driven/memory_wire.ts';
import type { World } from '../../world/world.ts';
import type { Driven } from '../../world/world_deps.ts';
import { Site } from '../kernel/site.ts';
import { type OrderService, Orders, type RefusedOrder } from '../scenarios/orders.ts';
import { LogHash } from '../score/log_hash.ts';
import { RunScorer } from '../score/run_scorer.ts';
import { Engine, type EngineDeps } from './engine.ts';

/** Number of frames that are delivered between two turns of the event loop. */
const PIECE = 32;

export type SimRunSettings = {
  scenario: ScenarioSpec;
  seed: number;
  performanceOf: EngineDeps['performanceOf'];
  /** Returns the time of the clock that paces publishing to viewers, ms. */
  reportMs(): number;
  /** Place in which the run's core computes; by default a separate thread. */
  corePlace?: CorePlace | undefined;
};

/** Services that are connected to a run once its world exists. */
export type PlaybackService = OrderService & {
  world: World;
  zones(): readonly Zone[];
  /** Asset ids of the scenario's own vehicles, by actor id. */
  assets: ReadonlyMap<string, string>;
  /** Evaluates the services. Called once per second of world time. */
  everySecond(): void;
};

export type RunResult = {
  metrics: RunMetrics;
  expect: RunExpectation[];
  /** Sentences about orders of the scenario that could not be carried out. */
  refused: string[];
  logHash: string;
  simulatedS: number;
};

const UNPLUGGED = 'the scenario interrupts this link (outage)';

/** One run of a scenario: the engine, the world that receives its bytes, and the scorer. */
export class SimRun {
  readonly clock: DrivenClock;
  readonly engine: Engine;
  /**
   * Parts that the run's world uses instead of the real ones: core, seed, links, a listener and the clock for
   * publishing.
   */
  readonly driven: Driven;
  readonly #wires: Wires;
  readonly #hash: LogHash;
  readonly #scenario: ScenarioSpec;
  readonly #beginMs: number;
  #down: ReadonlySet<string> = new Set();
  #core: CoreStepped | null = null;
  #score: RunScorer | null = null;
  #orders: Orders | null = null;
  readonly #refused: RefusedOrder[] = [];
  #service: PlaybackService | null = null;
  #drive: Drive | null = null;

  constructor({ scenario, seed, performanceOf, reportMs: publishMs, corePlace }: SimRunSettings) {
    this.#scenario = scenario;
    this.#beginMs = parseTime(scenario.starts_at) ?? 0;
    this.clock = new DrivenClock(this.#beginMs);
    this.engine = new Engine(scenario, seed, { performanceOf });
    this.#hash = new LogHash(this.#beginMs);
    this.#wires = new Wires({
      nowMs: () => this.clock.nowMs(),
      written: (name, to, bytes, atMs) => {
        this.#hash.command(name, to, bytes, atMs);
        this.engine.write(name, to, bytes, atMs);
      },
    });
    const core: CoreMaker = (begin, sensorIndex, nowMs, events) => {
      const output: CoreEvents['output'] = (output, tookMs) => {
        this.#hash.output(output);
        events.output(output, tookMs);
      };
      this.#core = new CoreStepped(begin, sensorIndex, nowMs, { ...events, output }, corePlace);
      return this.#core;
    };
    const changed = (change: PictureChange): void => this.#receive(change);
    this.driven = { core, seed: seedBytes(seed), open: this.#wires.open, changed, publishMs: publishMs };
  }

  /** Connects the services. Call this once the world has started. */
  begin(service: PlaybackService): void {
    const { world, assets } = service;
    this.#service = service;
    const actors = new Map([...assets].map(([actorId, assetId]) => [assetId, actorId]));
    const actorOf = (assetId: string): string | null => actors.get(assetId) ?? null;
    this.#score = new RunScorer(this.#scenario, { beginMs: this.#beginMs, zones: () => service.zones(), actorOf });
    const [score, site] = [this.#score, new Site(this.#scenario.origin)];
    this.#orders = new Orders(this.#scenario.orders, {
      service,
      trackOf: (actorId) => score.trackOf(actorId)?.id ?? null,
      assetOf: (actorId) => assets.get(actorId) ?? null,
      geodeticOf: (place) => site.geodeticOf(place),
      refused: (refusal) => {
        this.#refused.push(refusal);
        world.note('scenario.order_refused', 'warning', refusal.text);
      },
    });
    this.#drive = new Drive({
      ...{ world, clock: this.clock },
      core: () => this.#started(this.#core),
      feed: (toMs) => this.#feed(toMs),
      second: (nowMs) => this.#second(nowMs),
    });
  }

  get drive(): Drive {
    return this.#started(this.#drive);
  }

  get atS(): number {
    return (this.clock.nowMs() - this.#beginMs) / 1_000;
  }

  get isOver(): boolean {
    return this.atS >= this.#scenario.duration_s;
  }

  /** Adds an actor during the run. Throws a Fault if the actor cannot be added. */
  inject(actor: ScenarioActor): void {
    this.engine.inject(actor);
    this.#score?.add(actor);
  }

  /** Returns the result so far. */
  result(): RunResult {
    const refused = [...this.#refused, ...(this.#orders?.pending() ?? [])];
    const came = this.#started(this.#score).result(refused);
    return { ...came, refused: refused.map(({ text }) => text), logHash: this.#hash.text(), simulatedS: this.atS };
  }

  /**
   * Delivers the frames of a step. A link that comes up or goes down in this step still delivers all its frames of the
   * step.
   */
  *#feed(toMs: number): Iterable<void> {
    const frames = this.engine.advance(toMs);
    const down = this.engine.downLinks();
    this.#wires.setDown(new Set([...this.#down].filter((name) => down.has(name))), UNPLUGGED);
    for (const [at, { link, from, bytes, atMs }] of frames.entries()) {
      this.clock.set(atMs);
      this.#wires.get(link)?.arrive(bytes, from, atMs);
      if (at % PIECE === PIECE - 1) yield;
    }
    this.#wires.setDown(down, UNPLUGGED);
    this.#down = down;
  }

  #second(nowMs: number): void {
    const { world, everySecond } = this.#started(this.#service);
    everySecond();
    const [truth, tracks, threats] = [this.engine.truth(), world.tracks(), world.threats.list()];
    this.#score?.evaluate({ atMs: nowMs, truth, tracks, threats });
    this.#orders?.evaluate(this.atS);
  }

  #receive({ kind, body }: PictureChange): void {
    if (kind === 'alert' || kind === 'alert_update') this.#score?.alert(body, parseTime(body.updated_at) ?? 0);
    else if (kind === 'task_update') this.#score?.task(body, this.clock.nowMs());
    else if (kind === 'command_update') this.#score?.command(body, this.clock.nowMs());
  }

  #started<T>(part: T | null): T {
    if (part === null) throw new TypeError('the run has not begun');
    return part;
  }
}

function seedBytes(seed: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(4, seed);
  return bytes;
}
