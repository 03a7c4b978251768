import type { Actor } from '../model/actor.ts';
import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';

/** What every part of this room is made of. */
export type AccessRim = {
  state: State;
  ledger: Ledger;
  /** Monotonic milliseconds of the boot: deadlines do not move with the wall clock, and hold over restarts of the service. */
  nowMs(): number;
  /** UTC milliseconds as they are believed now. */
  utcMs(): number;
  /** Somebody's standing has changed: what he has open is to be looked at again. */
  standingChanged(): void;
};

/** Who changes something; `userId` is null of a key, the open surface and the command line. */
export type Changer = { actor: Actor; userId: string | null };
