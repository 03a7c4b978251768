import type { Actor } from '../model/actor.ts';
import type { Fault } from '../model/fault.ts';
import type { Ledger } from '../store/ledger.ts';
import { networkOf } from './attempts.ts';

const EVERY_MS = 60_000;
const REMEMBERED = 1_024;
/** Of all addresses together: a flood from many of them fills the log no faster. */
const ROWS_A_MINUTE = 60;

export type Denial = { by: Actor; workspaceId: string | null; text: string; fault: Fault };

type Told = { sinceMs: number; more: number; last: Denial };

/**
 * Writes refusals into the audit log: the first of an address at once, those of the next minute as one row that says how
 * many there were, so that whoever tries keys by the thousand does not fill the disk.
 */
export class Denials {
  readonly #ledger: Ledger;
  readonly #nowMs: () => number;
  readonly #told = new Map<string, Told>();
  readonly #noted = new WeakSet<Fault>();
  #minuteMs = Number.NEGATIVE_INFINITY;
  #rows = 0;

  constructor(ledger: Ledger, nowMs: () => number) {
    this.#ledger = ledger;
    this.#nowMs = nowMs;
  }

  /** A fault is noted once, by whoever knows most of it. */
  note(denial: Denial): void {
    if (this.#noted.has(denial.fault)) return;
    this.#noted.add(denial.fault);
    const key = networkOf(denial.by.address ?? '');
    const nowMs = this.#nowMs();
    const told = this.#told.get(key);
    if (told && nowMs - told.sinceMs < EVERY_MS) {
      told.more++;
      told.last = denial;
      return;
    }
    this.#tell(told ?? null);
    const hasRoom = this.#hasRoom(nowMs);
    if (hasRoom) this.#write(denial, denial.text, {});
    this.#remember(key, { sinceMs: nowMs, more: hasRoom ? 0 : 1, last: denial });
  }

  /** Tells what was counted and is not told yet; called now and then, and at the end. */
  flush(all: boolean): void {
    const nowMs = this.#nowMs();
    for (const [key, told] of this.#told) {
      if (!all && nowMs - told.sinceMs < EVERY_MS) continue;
      if (!all && told.more > 0 && !this.#hasRoom(nowMs)) continue;
      this.#tell(told);
      this.#told.delete(key);
    }
  }

  #tell(told: Told | null): void {
    if (told === null || told.more === 0) return;
    const { last, more } = told;
    this.#write(last, `${last.text} (the last of ${more} refusals of this address)`, { count: more });
  }

  #remember(key: string, told: Told): void {
    this.#told.delete(key);
    this.#told.set(key, told);
    for (const [oldest] of this.#told) {
      if (this.#told.size <= REMEMBERED) return;
      this.#told.delete(oldest);
    }
  }

  #hasRoom(nowMs: number): boolean {
    if (nowMs - this.#minuteMs >= EVERY_MS) {
      this.#minuteMs = nowMs;
      this.#rows = 0;
    }
    return this.#rows < ROWS_A_MINUTE;
  }

  #write({ by, workspaceId, fault }: Denial, text: string, more: { count?: number }): void {
    this.#rows++;
    try {
      this.#ledger.note({
        kind: 'auth.denied',
        severity: 'warning',
        text,
        by,
        workspaceId,
        after: { code: fault.code, ...more },
      });
    } catch {
      // A disk that takes nothing must not turn a refusal into something else.
    }
  }
}
