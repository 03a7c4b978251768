import { resolve } from 'node:path';
import { lockFolder } from './lock.ts';
import { openMemory, openState, type State } from './state.ts';
import { UnreadableState } from './unreadable.ts';

export type OpenedState = {
  state: State;
  /** Why the state on the disk is not used, and what to do, as sentences; null where it is. */
  recovery: string | null;
};

/**
 * Opens the state of a data folder, or an empty one in memory where that cannot be read. The folder is held either way,
 * and its database is left as it is. Throws a Fault for what another start would not mend either.
 */
export function openStateOrRecover(dataDir: string): OpenedState {
  try {
    return { state: openState(dataDir), recovery: null };
  } catch (thrown) {
    if (!(thrown instanceof UnreadableState)) throw thrown;
    const lock = lockFolder(resolve(dataDir));
    return { state: openMemory(() => lock.release()), recovery: thrown.message };
  }
}
