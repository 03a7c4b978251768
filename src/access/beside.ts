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

/** Access over a data folder from another process than the daemon's, which may be running or not. */
export type AccessBeside = { access: Access; state: State; close(): void };

/**
 * Opens a data folder beside its daemon. Each change is one transaction with its audit row. The database gives the row
 * its number and place in the chain, so a daemon can write at the same time. A folder without a database gets one, with
 * its audit log sealed. `secretFile` is the box's secret key, if it is known here. Throws a Fault that names what
 * cannot be opened.
 */
export async function openAccessBeside(dataDir: string, secretFile: string | null): Promise<AccessBeside> {
  becomeOwnerOf(dataDir);
  const { state, isOwn } = await openEither(dataDir);
  const counter = new LogCounter(0, reserveIn(state, 1));
  const ledger = new Ledger(state, counter, Date.now);
  // Beside a running daemon, the daemon seals.
  if (isOwn) beginAudit({ state, ledger, key: auditKey(dataDir, secretFile, true) });
  const access = new Access({
    state,
    ledger,
    nowMs: monotonicMs,
    utcMs: Date.now,
    signInsPerMinute: 1,
    sessionMaxH: 12,
    sealingKey: { missing: 'the command line seals nothing' },
  });
  return { access, state, close: () => state.close() };
}

/** `isOwn` where no daemon holds the folder. */
async function openEither(dataDir: string): Promise<{ state: State; isOwn: boolean }> {
  const deadlineMs = performance.now() + STARTING_MS;
  for (;;) {
    const beside = openStateBeside(dataDir);
    if (beside) return { state: beside, isOwn: false };
    try {
      return { state: openState(dataDir), isOwn: true };
    } catch (thrown) {
      // A daemon that begins holds the folder and has no database yet, or is bringing it to this schema.
      if (!(thrown instanceof Fault) || thrown.code !== 'conflict' || performance.now() > deadlineMs) throw thrown;
    }
    await setTimeout(100);
  }
}

/** Switches root to the owner of the folder: the daemon could not write files of root. */
function becomeOwnerOf(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (!owner || owner.uid === 0 || process.geteuid?.() !== 0) return;
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
}
