import { setImmediate as turn } from 'node:timers/promises';
import type { CoreStepped } from '../../core/thread/stepped.ts';
import { Turns } from '../turns.ts';
import type { World } from '../world.ts';
import type { DrivenClock } from './clock.ts';

/** World time of one core step, ms. */
export const STEP_MS = 100;
export const SECOND_MS = 1_000;
/** Longest intake of input between two turns of the event loop, ms. */
const PIECE_MS = 5;
/** Interval of the ticks of a fleet. */
export const FLEET_MS = 50;

type DriveDeps = {
  world: World;
  core: () => CoreStepped;
  clock: DrivenClock;
  /** Delivers input until a time, and sets the clock to each moment of it; yields now and then. */
  feed(toMs: number): Iterable<void>;
  /** Called once a second of the world's time, after everything else. */
  second(nowMs: number): void;
};

/**
 * Advances a world step by step, in the same order each time: input, the core, then services once a second. Work planned
 * for the next turn of the event loop is done within the step that caused it.
 */
export class Drive {
  readonly #deps: DriveDeps;
  #secondMs: number;
  readonly #turns = new Turns();

  constructor(deps: DriveDeps) {
    this.#deps = deps;
    this.#secondMs = deps.clock.nowMs() + SECOND_MS;
  }

  get nowMs(): number {
    return this.#deps.clock.nowMs();
  }

  /** Runs one step, after the steps ordered before it. */
  step(): Promise<void> {
    return this.#turns.run(() => this.#step());
  }

  /** Resolves once no step is under way. */
  idle(): Promise<void> {
    return this.#turns.idle();
  }

  async #step(): Promise<void> {
    const { world, core, clock } = this.#deps;
    const toMs = clock.nowMs() + STEP_MS;
    for (let atMs = clock.nowMs() + FLEET_MS; atMs <= toMs; atMs += FLEET_MS) {
      await this.#feed(atMs);
      clock.set(atMs);
      world.fleet.tick();
      // Promises of sent messages settle before more input.
      await turn();
    }
    world.settle();
    await core().step(toMs);
    core().deliver();
    world.settle();
    if (toMs >= this.#secondMs) {
      this.#secondMs += SECOND_MS;
      world.everySecond();
      this.#deps.second(toMs);
      world.settle();
    }
    await turn();
  }

  /** Delivers the input until a time, in pieces: the live world runs in between. */
  async #feed(toMs: number): Promise<void> {
    let pieceMs = performance.now();
    for (const _ of this.#deps.feed(toMs)) {
      if (performance.now() - pieceMs < PIECE_MS) continue;
      await turn();
      pieceMs = performance.now();
    }
  }
}
