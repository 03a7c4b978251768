import { resolve } from 'node:path';
import { lockFolder } from './lock.ts';
import { openMemory, openState, type State } from './state.ts';
import { UnreadableState } from './unreadable.ts';

export type OpenedState = {
  state: State;
  /** Sentences that say why the state on the disk is not used, and what to do; null if that state is used. */
  recovery: string | null;
};

/**
 * Opens the state of a data folder. If the database cannot be read, opens an empty state in memory and leaves the
 * database unchanged. The folder is locked in both cases. Throws a Fault for failures that such a recovery would not
 * solve.
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
