import type { Access } from '../../access/access.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { LogCounter } from '../../store/log_counter.ts';
import type { State } from '../../store/state.ts';

/** How soon what the command line changed is noticed; a stream of whoever was removed ends that much later. */
const EVERY_MS = 1_000;

type Parts = { state: State; counter: LogCounter; ledger: Ledger; access: Access };

/**
 * The command line writes to the database beside a running daemon. Requests see it at once, since nothing of access is
 * kept in memory; what was decided before is looked at again here. Refusals that were counted are told here as well.
 */
export class OutsideWatch {
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#parts.access.denials.flush(true);
  }

  #look(): void {
    const { state, counter, ledger, access } = this.#parts;
    try {
      if (state.changedOutside()) {
        counter.forget();
        ledger.tellNew();
        access.standingChanged();
      }
      access.denials.flush(false);
    } catch {
      // A disk that answers nothing now is asked again in a second.
    }
  }
}
