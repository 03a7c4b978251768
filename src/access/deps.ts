import type { Actor } from '../model/actor.ts';
import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';

/** Dependencies of every part of this room. */
export type AccessDeps = {
  state: State;
  ledger: Ledger;
  /** Monotonic milliseconds of the boot: deadlines do not move with the wall clock, and hold over restarts of the service. */
  nowMs(): number;
  /** UTC milliseconds as they are believed now. */
  utcMs(): number;
  /** Announces that permissions changed: open streams must be checked again. */
  permissionsChanged(): void;
};

/** Author of a change; `userId` is null for a key, the open surface and the command line. */
export type Changer = { actor: Actor; userId: string | null };
