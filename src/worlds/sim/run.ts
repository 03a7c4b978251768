import type { CoreEvents, CoreMaker } from '../../core/handle.ts';
import type { CorePlace } from '../../core/place.ts';
import { CoreStepped } from '../../core/stepped.ts';
import type { RunExpectation, RunMetrics } from '../../model/run.ts';
import type { ScenarioActor, ScenarioSpec } from '../../model/scenario.ts';
import { parseTime } from '../../model/time.ts';
import type { Zone } from '../../model/zone.ts';
import type { PictureChange } from '../../picture/picture.ts';
import { DrivenClock } from '../driven/clock.ts';
import { Drive } from '../driven/drive.ts';
import { Wires } from '../driven/wire.ts';
import type { World } from '../world.ts';
import type { Driven } from '../world_rim.ts';
import { Engine, type EngineRim } from './engine.ts';
import { type OrderDesk, Orders, type RefusedOrder } from './orders.ts';
import { ScoreKeeper } from './score/keeper.ts';
import { LogHash } from './score/log_hash.ts';
import { Site } from './site.ts';

/** Frames that are taken before others have a turn. */
const PIECE = 32;

export type SimRunSettings = {
  scenario: ScenarioSpec;
  seed: number;
  performanceOf: EngineRim['performanceOf'];
  /** The clock of those who watch. */
  tellMs(): number;
  /** Where its core runs: in a thread of its own where nothing is said. */
  corePlace?: CorePlace | undefined;
};

/** What joins a run once its world stands. */
export type SimDesk = OrderDesk & {
  world: World;
  zones(): readonly Zone[];
  /** The assets of the vehicles of ours that the scenario brought, by actor. */
  assets: ReadonlyMap<string, string>;
  /** What the desks look at once a second. */
  everySecond(): void;
};

export type RunResult = {
  metrics: RunMetrics;
  expect: RunExpectation[];
  /** Sentences: orders of the scenario that were not carried out, and why. */
  refused: string[];
  logHash: string;
  simulatedS: number;
};

const UNPLUGGED = 'the scenario has it unplugged';

/** A scenario on its way: what happens in it, the world that sees it, and the score that is kept. */
export class SimRun {
  readonly clock: DrivenClock;
  readonly engine: Engine;
  /** What its world is driven by. */
  readonly driven: Driven;
  readonly #wires: Wires;
  readonly #hash: LogHash;
  readonly #scenario: ScenarioSpec;
  readonly #beginMs: number;
  #down: ReadonlySet<string> = new Set();
  #core: CoreStepped | null = null;
  #score: ScoreKeeper | null = null;
  #orders: Orders | null = null;
  readonly #refused: RefusedOrder[] = [];
  #desk: SimDesk | null = null;
  #drive: Drive | null = null;

  constructor({ scenario, seed, performanceOf, tellMs, corePlace }: SimRunSettings) {
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
    const changed = (change: PictureChange): void => this.#hear(change);
    this.driven = { core, seed: seedBytes(seed), open: this.#wires.open, changed, tellMs };
  }

  /** Once its world has started. */
  begin(desk: SimDesk): void {
    const { world, assets } = desk;
    this.#desk = desk;
    const actors = new Map([...assets].map(([actorId, assetId]) => [assetId, actorId]));
    const actorOf = (assetId: string): string | null => actors.get(assetId) ?? null;
    this.#score = new ScoreKeeper(this.#scenario, { beginMs: this.#beginMs, zones: () => desk.zones(), actorOf });
    const [score, site] = [this.#score, new Site(this.#scenario.origin)];
    this.#orders = new Orders(this.#scenario.orders, {
      desk,
      trackOf: (actorId) => score.trackOf(actorId)?.id ?? null,
      assetOf: (actorId) => assets.get(actorId) ?? null,
      placeOf: (place) => {
        const { latDeg: lat, lonDeg: lon, altHaeM: alt_hae_m } = site.geodeticOf(place);
        return { lat, lon, alt_hae_m };
      },
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

  /** Puts somebody in while it runs. Throws a Fault where he does not fit. */
  inject(actor: ScenarioActor): void {
    this.engine.inject(actor);
    this.#score?.add(actor);
  }

  /** What came of it so far. */
  result(): RunResult {
    const refused = [...this.#refused, ...(this.#orders?.pending() ?? [])];
    const came = this.#started(this.#score).result(refused);
    return { ...came, refused: refused.map(({ text }) => text), logHash: this.#hash.text(), simulatedS: this.atS };
  }

  /** What is plugged in within it is heard of its first bytes on, and what is unplugged within it to its last. */
  *#feed(toMs: number): Iterable<void> {
    const frames = this.engine.advance(toMs);
    const down = this.engine.downLinks();
    this.#wires.setDown(new Set([...this.#down].filter((name) => down.has(name))), UNPLUGGED);
    for (const [at, { link, from, bytes, atMs }] of frames.entries()) {
      this.clock.set(atMs);
      this.#wires.arrive(link, bytes, from, atMs);
      if (at % PIECE === PIECE - 1) yield;
    }
    this.#wires.setDown(down, UNPLUGGED);
    this.#down = down;
  }

  #second(nowMs: number): void {
    const { world, everySecond } = this.#started(this.#desk);
    everySecond();
    const [truth, tracks, threats] = [this.engine.truth(), world.tracks(), world.threats.list()];
    this.#score?.look({ atMs: nowMs, truth, tracks, threats });
    this.#orders?.look(this.atS);
  }

  #hear({ kind, body }: PictureChange): void {
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
