import type { Drive } from './drive.ts';

/** Looked at so often whether a step is due. */
const LOOK_MS = 20;
/** Of each look so much is spent on steps at most: the live world comes first. */
const SPEND_MS = 8;
/** What a box cannot keep up with is not made up for: time in the world then passes slower than it was asked to. */
const MOST_BEHIND_MS = 500;

/** What lets time pass in a world, a step at a time. */
export type Steps = Pick<Drive, 'nowMs' | 'step' | 'idle'>;

/** Lets the time of a world pass at a rate beside that of the box. */
export class Pacer {
  readonly #drive: Steps;
  readonly #realMs: () => number;
  readonly #isOver: () => boolean;
  readonly #ended: (fault: unknown) => void;
  #rate: number;
  #timer: NodeJS.Timeout | null = null;
  #lookedMs = 0;
  #owedMs = 0;
  #stepping = false;

  /** `ended` is told once: null where the world is over, else what stopped it. */
  constructor(parts: { drive: Steps; rate: number; realMs(): number; isOver(): boolean; ended(fault: unknown): void }) {
    this.#drive = parts.drive;
    this.#rate = parts.rate;
    this.#realMs = parts.realMs;
    this.#isOver = parts.isOver;
    this.#ended = parts.ended;
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
    this.#owedMs = 0;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
  }

  /** Resolves once no step is under way. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.#drive.idle();
  }

  async #look(): Promise<void> {
    const nowMs = this.#realMs();
    this.#owedMs = Math.min(this.#owedMs + (nowMs - this.#lookedMs) * this.#rate, MOST_BEHIND_MS * this.#rate);
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
      if (this.#owedMs <= 0) return;
      await this.#drive.step();
      this.#owedMs -= this.#drive.nowMs - beforeMs;
    }
  }

  async #end(fault: unknown): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#ended(fault);
  }
}
