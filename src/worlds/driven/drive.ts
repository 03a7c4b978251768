import { setImmediate as turn } from 'node:timers/promises';
import type { CoreStepped } from '../../core/stepped.ts';
import type { World } from '../world.ts';
import type { DrivenClock } from './clock.ts';

/** So much time of the world passes with one step of its core. */
export const STEP_MS = 100;
export const SECOND_MS = 1_000;
/** So long at a time what arrives is taken. */
const PIECE_MS = 5;
/** How often the fleet of a world looks what is due. */
export const FLEET_MS = 50;

export type DriveParts = {
  world: World;
  core: () => CoreStepped;
  clock: DrivenClock;
  /** Lets happen what happens until then, and sets the clock to each moment of it; yields now and then. */
  feed(toMs: number): Iterable<void>;
  /** Once a second of the world's time, after everything else. */
  second(nowMs: number): void;
};

/**
 * Lets time pass in a world, step by step, in the same order each time: what arrives, then the core, then those who look once a
 * second. What others planned for the next turn of the event loop is done within the step that caused it.
 */
export class Drive {
  readonly #parts: DriveParts;
  #secondMs: number;
  #busy: Promise<void> = Promise.resolve();

  constructor(parts: DriveParts) {
    this.#parts = parts;
    this.#secondMs = parts.clock.nowMs() + SECOND_MS;
  }

  get nowMs(): number {
    return this.#parts.clock.nowMs();
  }

  /** One step. Those that are asked for while one is under way follow it. */
  step(): Promise<void> {
    const next = this.#busy.then(() => this.#step());
    this.#busy = next.catch(() => {});
    return next;
  }

  /** Resolves once no step is under way. */
  async idle(): Promise<void> {
    await this.#busy;
  }

  async #step(): Promise<void> {
    const { world, core, clock } = this.#parts;
    const toMs = clock.nowMs() + STEP_MS;
    for (let atMs = clock.nowMs() + FLEET_MS; atMs <= toMs; atMs += FLEET_MS) {
      await this.#feed(atMs);
      clock.set(atMs);
      world.fleet.tick();
      // Promises of what was sent settle before more arrives.
      await turn();
    }
    world.settle();
    const answered = core().step(toMs);
    await answered;
    core().deliver();
    world.settle();
    if (toMs >= this.#secondMs) {
      this.#secondMs += SECOND_MS;
      world.everySecond();
      this.#parts.second(toMs);
      world.settle();
    }
    await turn();
  }

  /** A flood is taken in pieces: the live world has its turn in between. */
  async #feed(toMs: number): Promise<void> {
    let pieceMs = performance.now();
    for (const _ of this.#parts.feed(toMs)) {
      if (performance.now() - pieceMs < PIECE_MS) continue;
      await turn();
      pieceMs = performance.now();
    }
  }
}
