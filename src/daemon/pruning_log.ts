import { systemActor } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import type { Ledger } from '../store/ledger.ts';
import type { Pruned } from '../store/log/retention.ts';

/** Limit of the prunings that wait until they can be written. Beyond the limit the oldest are dropped. */
const MOST_WAITING = 1_000;
const RETRY_MS = 10_000;

const reasons: Record<Pruned['why'], string> = {
  age: 'was older than the retention period',
  bytes: 'was the oldest, and the history exceeded its size limit',
  disk_full: 'was the oldest, and the disk was full',
};

/**
 * Writes prunings of the history into the audit log. A pruning before the log is open, or while the disk is full, is
 * written later, unless `MOST_WAITING` later prunings wait too.
 */
export class PruningLog {
  #ledger: Ledger | null = null;
  #waiting: { workspaceId: string; pruned: Pruned }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Starts the writing. Call this once the audit log can be written. */
  start(ledger: Ledger): void {
    this.#ledger = ledger;
    this.#write();
    this.#timer = setInterval(() => this.#write(), RETRY_MS).unref();
  }

  take(workspaceId: string, pruned: Pruned): void {
    this.#waiting = [...this.#waiting, { workspaceId, pruned }].slice(-MOST_WAITING);
    this.#write();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#write();
    this.#ledger = null;
  }

  #write(): void {
    const ledger = this.#ledger;
    if (!ledger) return;
    try {
      for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
        note(ledger, next.workspaceId, next.pruned);
        this.#waiting.shift();
      }
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
    }
  }
}

function note(ledger: Ledger, workspaceId: string, { why, days, bytes, whole }: Pruned): void {
  const named = days.length === 1 ? days[0] : `${days.length} days from ${days[0]} to ${days.at(-1)}`;
  const what = whole ? `the history of ${named}` : `the oldest part of the history of ${named}`;
  const text = `${what} (${(bytes / 1e6).toFixed(1)} MB) was pruned: it ${reasons[why]}`;
  const after = { why, days, bytes, whole };
  ledger.note({ kind: 'history.pruned', severity: 'notice', text, by: systemActor, workspaceId, after });
}
