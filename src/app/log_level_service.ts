import type { Journal } from '../host/journal.ts';
import type { Timers } from '../host/timers.ts';
import { type Actor, systemActor } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import type { LogLevel, LogLevelSpec, LogLevelState } from '../model/log_level.ts';
import { formatTime } from '../model/time.ts';
import type { Ledger } from '../store/ledger.ts';

type Deps = {
  journal: Pick<Journal, 'level' | 'setLevel'>;
  /** Level of the configuration. */
  configured: LogLevel;
  ledger: Ledger;
  utcMs(): number;
  timers: Timers;
};

/** Changes the log level while the daemon runs. A restart, or the end of `for_s`, restores the configured level. */
export class LogLevelService {
  readonly #deps: Deps;
  #cancel: (() => void) | null = null;
  #revertsMs: number | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get(): LogLevelState {
    const { journal, configured } = this.#deps;
    const revertsAt = this.#revertsMs === null ? null : formatTime(this.#revertsMs);
    return { level: journal.level(), configured, reverts_at: revertsAt };
  }

  /** Sets the level, for `for_s` seconds if given. Throws `unavailable` if the audit row cannot be written. */
  set({ level, for_s: forS }: LogLevelSpec, by: Actor): LogLevelState {
    const { timers, utcMs } = this.#deps;
    const limit = forS === undefined ? 'until it is changed or the service restarts' : `for ${forS} s`;
    this.#note(level, `the log level is ${level} ${limit}`, by);
    this.#end();
    this.#deps.journal.setLevel(level);
    if (forS !== undefined) {
      this.#revertsMs = utcMs() + forS * 1_000;
      this.#cancel = timers.after(forS * 1_000, () => this.#revert());
    }
    return this.get();
  }

  stop(): void {
    this.#end();
  }

  /** Reverts the level, even if the disk refuses the audit row: the log of a longer change may have filled it. */
  #revert(): void {
    const { configured, journal } = this.#deps;
    this.#end();
    const text = `the log level is ${configured} again, as configured: the time limit of the change has passed`;
    try {
      this.#note(configured, text, systemActor);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
    } finally {
      journal.setLevel(configured);
    }
  }

  #end(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#revertsMs = null;
  }

  #note(level: LogLevel, text: string, by: Actor): void {
    const { ledger, journal } = this.#deps;
    const change = { before: { level: journal.level() }, after: { level } };
    ledger.note({ kind: 'log.level', severity: 'notice', text, by, workspaceId: null, ...change });
  }
}
