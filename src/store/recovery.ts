import { resolve } from 'node:path';
import { newestBackup } from './backups_found.ts';
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
    return { state: openMemory(() => lock.release()), recovery: `${thrown.message} ${adviceFor(dataDir)}` };
  }
}

/** Names the newest backup and the commands that put it back. */
export function adviceFor(dataDir: string): string {
  const folder = resolve(dataDir);
  const backup = newestBackup(folder);
  const command = (from: string): string => `dunlin restore ${from} --data ${quoted(folder)}`;
  if (backup === null)
    return `No backup was found in ${folder}-backups. The command, with Dunlin stopped: ${command('BACKUP')}`;
  return `The newest backup is of ${backup.madeAt}. The command, with Dunlin stopped: ${command(quoted(backup.path))}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
