import { sentenceOf } from '../../model/fault.ts';
import type { Run } from '../../model/run.ts';
import type { RunChange, Runs } from '../../registry/runs.ts';

/** How often a disk that refused what a run came to is asked again. */
const AGAIN_MS = 1_000;

/** Writes down what runs come to. A disk that refuses it holds nobody up: it is asked again until it takes it. */
export class RunRecord {
  readonly #runs: Runs;
  readonly #note: (sentence: string) => void;
  readonly #owed = new Map<string, RunChange>();
  #timer: NodeJS.Timeout | null = null;

  /** `note` is told of what could not be written. */
  constructor(runs: Runs, note: (sentence: string) => void) {
    this.#runs = runs;
    this.#note = note;
  }

  /** Answers the run as it is now, on the disk or not yet. */
  ended(run: Run, change: RunChange): Run {
    try {
      return this.#runs.update(run.id, change);
    } catch (thrown) {
      this.#note(`what the run of ${run.scenario_name} came to is not written yet: ${sentenceOf(thrown)}`);
      this.#owed.set(run.id, change);
      this.#timer ??= setInterval(() => this.#again(), AGAIN_MS);
      return { ...run, ...change };
    }
  }

  stop(): void {
    if (this.#owed.size > 0) this.#again();
    this.#rest();
  }

  #again(): void {
    for (const [id, change] of this.#owed) {
      try {
        this.#runs.update(id, change);
        this.#owed.delete(id);
      } catch {
        // Said once is enough.
      }
    }
    if (this.#owed.size === 0) this.#rest();
  }

  #rest(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
