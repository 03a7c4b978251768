import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Fault } from '../model/fault.ts';
import { auditKey } from '../store/audit_key.ts';
import { beginAudit } from '../store/audit_sealing.ts';
import { Ledger } from '../store/ledger.ts';
import { LogCounter, reserveIn } from '../store/log_counter.ts';
import { openState, openStateBeside, type State } from '../store/state.ts';
import { Access } from './access.ts';
import { monotonicMs } from './boot.ts';

const STARTING_MS = 5_000;

/** Access to a data folder from a process other than the daemon. The daemon may be running or not. */
export type AccessBeside = { access: Access; state: State; close(): void };

/**
 * Opens a data folder, whether its daemon runs or not. Each change is one transaction with its audit row. The database
 * assigns the number of the audit row and its position in the chain, so the daemon can write at the same time. In a
 * folder without a database, creates one with a sealed audit log. `secretFile` is the path of the box's secret key;
 * null if the path is unknown. Throws a Fault that names the file that cannot be opened.
 */
export async function openAccessBeside(dataDir: string, secretFile: string | null): Promise<AccessBeside> {
  becomeOwnerOf(dataDir);
  const { state, isOwn } = await openEither(dataDir);
  const counter = new LogCounter(0, reserveIn(state, 1));
  const ledger = new Ledger(state, counter, Date.now);
  // A running daemon seals the audit log itself.
  if (isOwn) beginAudit({ state, ledger, key: auditKey(dataDir, secretFile, true) });
  const access = new Access({
    state,
    ledger,
    nowMs: monotonicMs,
    utcMs: Date.now,
    signInsPerMinute: 1,
    sessionMaxH: 12,
    sealingKey: { missing: 'the command line cannot encrypt secrets' },
  });
  return { access, state, close: () => state.close() };
}

/** Opens the database. `isOwn` is true if no daemon holds the folder, so that this process holds it. */
async function openEither(dataDir: string): Promise<{ state: State; isOwn: boolean }> {
  const deadlineMs = performance.now() + STARTING_MS;
  for (;;) {
    const beside = openStateBeside(dataDir);
    if (beside) return { state: beside, isOwn: false };
    try {
      return { state: openState(dataDir), isOwn: true };
    } catch (thrown) {
      // A starting daemon holds the folder while it creates the database or migrates the schema: try again.
      if (!(thrown instanceof Fault) || thrown.code !== 'conflict' || performance.now() > deadlineMs) throw thrown;
    }
    await setTimeout(100);
  }
}

/** Switches a process of root to the user that owns the folder: the daemon could not write files that root owns. */
function becomeOwnerOf(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (!owner || owner.uid === 0 || process.geteuid?.() !== 0) return;
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
}
