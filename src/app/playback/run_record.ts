import { sentenceOf } from '../../model/fault.ts';
import type { Run } from '../../model/run.ts';
import type { RunChange, Runs } from '../../registry/runs.ts';

/** Interval of retries after the result of a run could not be written, ms. */
const AGAIN_MS = 1_000;

/** Writes the results of runs. After a disk failure the write is repeated in the background until it succeeds. */
export class RunRecord {
  readonly #runs: Runs;
  readonly #note: (sentence: string) => void;
  readonly #unsaved = new Map<string, RunChange>();
  #timer: NodeJS.Timeout | null = null;

  /** `note` gets a sentence about a result that could not be written. */
  constructor(runs: Runs, note: (sentence: string) => void) {
    this.#runs = runs;
    this.#note = note;
  }

  /** Writes the result of a run. Returns the run with its result, even if the write failed and will be repeated. */
  ended(run: Run, change: RunChange): Run {
    try {
      return this.#runs.update(run.id, change);
    } catch (thrown) {
      this.#note(`the result of the run of ${run.scenario_name} is not written yet: ${sentenceOf(thrown)}`);
      this.#unsaved.set(run.id, change);
      this.#timer ??= setInterval(() => this.#again(), AGAIN_MS);
      return { ...run, ...change };
    }
  }

  stop(): void {
    if (this.#unsaved.size > 0) this.#again();
    this.#rest();
  }

  #again(): void {
    for (const [id, change] of this.#unsaved) {
      try {
        this.#runs.update(id, change);
        this.#unsaved.delete(id);
      } catch {
        // The first failure was reported; later failures of the same result are not.
      }
    }
    if (this.#unsaved.size === 0) this.#rest();
  }

  #rest(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
