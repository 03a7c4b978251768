import type { Access } from '../access/access.ts';
import { pulse } from '../host/pulse.ts';
import type { Ledger } from '../store/ledger.ts';
import type { LogCounter } from '../store/log_counter.ts';
import type { State } from '../store/state.ts';

/** Interval of checks for changes by the command line, ms. The open stream of a deleted user ends within this time. */
const EVERY_MS = 1_000;

type Deps = { state: State; counter: LogCounter; ledger: Ledger; access: Access };

/**
 * Watches for changes that the command line makes to the database while the daemon runs. Requests see such changes at
 * once, because permissions are not cached. Open streams are checked again here. The watch also lets `Denials` write
 * its common rows that are due.
 */
export class OutsideWatch {
  readonly #deps: Deps;
  #end: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#end = pulse.every(EVERY_MS, () => this.#evaluate());
  }

  stop(): void {
    this.#end();
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
      // A write that the disk refused is tried again in 1 s.
    }
  }
}
