import { setImmediate as turn } from 'node:timers/promises';
import type { CoreStepped } from '../../core/thread/stepped.ts';
import { Turns } from '../turns.ts';
import type { World } from '../world.ts';
import type { DrivenClock } from './clock.ts';

/** World time of one core step, ms. */
export const STEP_MS = 100;
export const SECOND_MS = 1_000;
/** Longest real time for which input is delivered before the event loop gets a turn, ms. */
const PIECE_MS = 5;
/** World time between two ticks of the fleet, ms. */
export const FLEET_MS = 50;

type DriveDeps = {
  world: World;
  core: () => CoreStepped;
  clock: DrivenClock;
  /**
   * Delivers the input up to world time `toMs`, and sets the clock to the time of each input. Each yield permits a
   * pause.
   */
  feed(toMs: number): Iterable<void>;
  /** Called once per second of world time, after the services of the world. */
  second(nowMs: number): void;
};

/**
 * Advances a world in steps of 100 ms. Each step has the same order: input with the ticks of the fleet, the core, then
 * once per second the services. Work scheduled for the next turn of the event loop is done within the step that
 * scheduled it.
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

  /** Runs one step, after all steps requested earlier. Resolves once the step is done. */
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
      // Lets the promises of sent messages settle before more input is delivered.
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

  /**
   * Delivers the input up to world time `toMs`. The event loop gets a turn every 5 ms, because the live world shares
   * the process.
   */
  async #feed(toMs: number): Promise<void> {
    let pieceMs = performance.now();
    for (const _ of this.#deps.feed(toMs)) {
      if (performance.now() - pieceMs < PIECE_MS) continue;
      await turn();
      pieceMs = performance.now();
    }
  }
}
