import type { Actor } from '../model/actor.ts';
import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';

/** Dependencies that all services in src/access share. */
export type AccessDeps = {
  state: State;
  ledger: Ledger;
  /**
   * Monotonic time of the boot, ms. Neither changes of the wall clock nor restarts of the service move deadlines in
   * this time.
   */
  nowMs(): number;
  /** UTC by the current clock estimate, ms since 1970. */
  utcMs(): number;
  /** Reports a change of permissions, so that the permissions of open streams are checked again. */
  permissionsChanged(): void;
};

/** Author of a change. `userId` is null for every author other than a signed-in user. */
export type Changer = { actor: Actor; userId: string | null };
