import type { Drive } from './drive.ts';

/** Real time between two checks for due steps, ms. */
const STEP_MS = 20;
/** Real time that one check may spend on steps, ms. It is short because the live world has precedence. */
const SPEND_MS = 8;
/**
 * Largest backlog of due steps, ms of real time. A backlog beyond it is dropped: on an overloaded machine the world
 * runs slower than its rate.
 */
const MOST_BEHIND_MS = 500;

/** The part of a `Drive` that a pacer uses. */
export type Steps = Pick<Drive, 'nowMs' | 'step' | 'idle'>;

/** Runs a driven world at a rate relative to real time: at rate 2, two seconds of world time pass in a second. */
export class Pacer {
  readonly #drive: Steps;
  readonly #realMs: () => number;
  readonly #isOver: () => boolean;
  readonly #ended: (fault: unknown) => void;
  #rate: number;
  #timer: NodeJS.Timeout | null = null;
  #lookedMs = 0;
  #dueMs = 0;
  #stepping = false;

  /** `ended` is called once: with null at the end of the world, or with the error that stopped the world. */
  constructor(deps: { drive: Steps; rate: number; realMs(): number; isOver(): boolean; ended(fault: unknown): void }) {
    this.#drive = deps.drive;
    this.#rate = deps.rate;
    this.#realMs = deps.realMs;
    this.#isOver = deps.isOver;
    this.#ended = deps.ended;
  }

  get rate(): number {
    return this.#rate;
  }

  setRate(rate: number): void {
    this.#rate = rate;
  }

  start(): void {
    if (this.#timer) return;
    this.#lookedMs = this.#realMs();
    this.#dueMs = 0;
    this.#timer = setInterval(() => void this.#evaluate(), STEP_MS);
  }

  /** Resolves once no step is under way. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.#drive.idle();
  }

  async #evaluate(): Promise<void> {
    const nowMs = this.#realMs();
    this.#dueMs = Math.min(this.#dueMs + (nowMs - this.#lookedMs) * this.#rate, MOST_BEHIND_MS * this.#rate);
    this.#lookedMs = nowMs;
    if (this.#stepping) return;
    this.#stepping = true;
    try {
      await this.#spend(nowMs);
    } catch (fault) {
      await this.#end(fault);
    } finally {
      this.#stepping = false;
    }
  }

  async #spend(fromMs: number): Promise<void> {
    while (this.#timer && this.#realMs() - fromMs < SPEND_MS) {
      if (this.#isOver()) return this.#end(null);
      const beforeMs = this.#drive.nowMs;
      if (this.#dueMs <= 0) return;
      await this.#drive.step();
      this.#dueMs -= this.#drive.nowMs - beforeMs;
    }
  }

  async #end(fault: unknown): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#ended(fault);
  }
}
