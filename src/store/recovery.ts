import { resolve } from 'node:path';
import { lockFolder } from './lock.ts';
import { openMemory, openState, type State } from './state.ts';
import { UnreadableState } from './unreadable.ts';

export type OpenedState = {
  state: State;
  /** Sentences: the reason why the state on the disk is not used, and the remedy; null where it is used. */
  recovery: string | null;
};

/**
 * Opens the state of a data folder, or an empty one in memory where the database cannot be read. The folder is locked
 * in both cases, and an unreadable database is not changed. Throws a Fault for failures that recovery would not help.
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
