import type { Access } from '../access/access.ts';
import type { Ledger } from '../store/ledger.ts';
import type { LogCounter } from '../store/log_counter.ts';
import type { State } from '../store/state.ts';

/** Interval at which changes by the command line are noticed; the stream of a removed user ends that much later. */
const EVERY_MS = 1_000;

type Deps = { state: State; counter: LogCounter; ledger: Ledger; access: Access };

/**
 * Notices writes of the command line to the database beside a running daemon. Requests see them at once, since access
 * keeps nothing in memory; open streams are judged again here. Counted refusals are logged here as well.
 */
export class OutsideWatch {
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.#evaluate(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#deps.access.denials.flush(true);
  }

  #evaluate(): void {
    const { state, counter, ledger, access } = this.#deps;
    try {
      if (state.changedOutside()) {
        counter.forget();
        ledger.publishNew();
        access.permissionsChanged();
      }
      access.denials.flush(false);
    } catch {
      // A disk that fails now is tried again in a second.
    }
  }
}
