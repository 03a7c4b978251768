import type { Actor } from '../model/actor.ts';
import type { Fault } from '../model/fault.ts';
import { networkOf } from '../model/network.ts';
import type { Ledger } from '../store/ledger.ts';

const EVERY_MS = 60_000;
const REMEMBERED = 1_024;
/**
 * Limit of rows per minute for first refusals of all unknown clients together (without user and key). It slows the
 * growth of the log in a flood from many addresses.
 */
const ROWS_A_MINUTE = 60;
/**
 * Limit of single rows per minute for refused writes of one principal; further refusals are counted in a common row.
 */
const WRITES_A_MINUTE = 10;
/** Limit of different refusals (code and route) that a common row lists; further ones are counted together. */
const LISTED = 16;

export type Denial = {
  by: Actor;
  workspaceId: string | null;
  text: string;
  fault: Fault;
  /** Route of the request, for example `POST /api/zones/{id}`. */
  route: string;
  /** True if the request would have changed something. */
  write: boolean;
};

type Counted = { code: string; route: string; count: number };
type Recorded = { sinceMs: number; more: number; last: Denial; counted: Map<string, Counted> };
type Writes = { sinceMs: number; rows: number };

/**
 * Writes refusals into the audit log. A client's first refusal gets a row at once, unless the client is unknown and
 * `ROWS_A_MINUTE` is reached. The client's refusals in the following minute share one row with counts, so that a flood
 * of wrong keys does not fill the disk. A client is a user, a key or an unknown sender, in one network and one
 * workspace. Refused writes of a known principal get single rows up to a limit, so that harmless refusals do not hide
 * them.
 */
export class Denials {
  readonly #ledger: Ledger;
  readonly #nowMs: () => number;
  readonly #recorded = new Map<string, Recorded>();
  /** Refusals of unknown clients that were forgotten while no row could be written for them; null without any. */
  #crowd: Recorded | null = null;
  readonly #writes = new Map<string, Writes>();
  readonly #noted = new WeakSet<Fault>();
  readonly #known = new WeakMap<Fault, Pick<Denial, 'by' | 'workspaceId'>>();
  #minuteMs = Number.NEGATIVE_INFINITY;
  #rows = 0;

  constructor(ledger: Ledger, nowMs: () => number) {
    this.#ledger = ledger;
    this.#nowMs = nowMs;
  }

  /** Attaches actor and workspace to a fault, and returns the fault. A later `note` of this fault uses them. */
  of(fault: Fault, by: Actor, workspaceId: string | null): Fault {
    this.#known.set(fault, { by, workspaceId });
    return fault;
  }

  /**
   * Records a refusal. Actor and workspace that `of` attached to the fault replace those of `given`. A second call with
   * the same fault does nothing.
   */
  note(given: Denial): void {
    if (this.#noted.has(given.fault)) return;
    this.#noted.add(given.fault);
    const denial = { ...given, ...this.#known.get(given.fault) };
    const nowMs = this.#nowMs();
    if (this.#isOwnRow(denial, nowMs) && this.#write(denial, denial.text, {})) return;
    const key = keyOf(denial);
    const recorded = this.#recorded.get(key);
    // If the common row of the last minute cannot be written, it stays open and also counts this refusal.
    if (recorded && (nowMs - recorded.sinceMs < EVERY_MS || !this.#record(recorded))) {
      add(recorded, denial);
      return;
    }
    const fresh: Recorded = { sinceMs: nowMs, more: 0, last: denial, counted: new Map() };
    if (!this.#hasRoom(denial, nowMs) || !this.#write(denial, denial.text, {})) add(fresh, denial);
    this.#remember(key, fresh, nowMs);
  }

  /**
   * Writes the common rows whose minute is over; those of unknown clients only below `ROWS_A_MINUTE`. With `all`,
   * writes every common row. Call it periodically, and with `all` at the end of the program.
   */
  flush(all: boolean): void {
    const nowMs = this.#nowMs();
    for (const [key, writes] of this.#writes) if (nowMs - writes.sinceMs >= EVERY_MS) this.#writes.delete(key);
    for (const [key, recorded] of this.#recorded) {
      if (!all && nowMs - recorded.sinceMs < EVERY_MS) continue;
      if (!all && recorded.more > 0 && !this.#hasRoom(recorded.last, nowMs)) continue;
      if (this.#record(recorded)) this.#recorded.delete(key);
    }
    const crowd = this.#crowd;
    if (crowd === null || (!all && !this.#hasRoom(crowd.last, nowMs))) return;
    if (this.#record(crowd, 'many addresses')) this.#crowd = null;
  }

  /** Writes a common row if it counts any refusal. Returns false if it could not be written. */
  #record({ last, more, counted }: Recorded, where = 'this address'): boolean {
    if (more === 0) return true;
    const who = isKnown(last.by) ? `${last.by.name} at this address` : where;
    const text = `${last.text} (the last of ${more} refusals of ${who})`;
    return this.#write(last, text, { count: more, refused: [...counted.values()] });
  }

  /**
   * Remembers a client. Beyond the limit, forgets the oldest client: its refusals get their common row, or join those
   * of the crowd if no row may be written.
   */
  #remember(key: string, fresh: Recorded, nowMs: number): void {
    this.#recorded.delete(key);
    this.#recorded.set(key, fresh);
    for (const [oldest, recorded] of this.#recorded) {
      if (this.#recorded.size <= REMEMBERED) return;
      if (!this.#hasRoom(recorded.last, nowMs) || !this.#record(recorded)) this.#join(recorded);
      this.#recorded.delete(oldest);
    }
  }

  #join({ sinceMs, more, last, counted }: Recorded): void {
    if (more === 0) return;
    this.#crowd ??= { sinceMs, more: 0, last, counted: new Map() };
    for (const { code, route, count } of counted.values()) addCount(this.#crowd, code, route, count);
    this.#crowd.last = last;
  }

  /**
   * Counts a refused write of a known principal. Returns true if the principal had not reached its limit of single
   * rows.
   */
  #isOwnRow({ write, by }: Denial, nowMs: number): boolean {
    if (!write || !isKnown(by)) return false;
    const key = JSON.stringify([by.type, by.id]);
    const known = this.#writes.get(key);
    const writes = known && nowMs - known.sinceMs < EVERY_MS ? known : { sinceMs: nowMs, rows: 0 };
    this.#writes.set(key, writes);
    return writes.rows++ < WRITES_A_MINUTE;
  }

  /**
   * Returns true if a row may be written. Unknown clients share the limit `ROWS_A_MINUTE`; for known principals there
   * is no limit here.
   */
  #hasRoom({ by }: Denial, nowMs: number): boolean {
    if (isKnown(by)) return true;
    if (nowMs - this.#minuteMs >= EVERY_MS) {
      this.#minuteMs = nowMs;
      this.#rows = 0;
    }
    return this.#rows < ROWS_A_MINUTE;
  }

  /** Writes a row. Returns false if the disk failed, and never throws: the answer to the client must not change. */
  #write({ by, workspaceId, fault }: Denial, text: string, more: { count?: number; refused?: Counted[] }): boolean {
    try {
      const after = { code: fault.code, ...more };
      this.#ledger.refuse({ kind: 'auth.denied', severity: 'warning', text, by, workspaceId, after });
    } catch {
      return false;
    }
    if (!isKnown(by)) this.#rows++;
    return true;
  }
}

function isKnown({ type }: Actor): boolean {
  return type === 'user' || type === 'key';
}

function keyOf({ by, workspaceId }: Denial): string {
  const network = networkOf(by.address ?? '');
  return JSON.stringify([workspaceId, by.type, isKnown(by) ? by.id : network, network]);
}

function add(recorded: Recorded, denial: Denial): void {
  addCount(recorded, denial.fault.code, denial.route, 1);
  recorded.last = denial;
}

function addCount(recorded: Recorded, code: string, route: string, count: number): void {
  const { counted } = recorded;
  recorded.more += count;
  const name = JSON.stringify([code, route]);
  const known = counted.get(name) ?? (counted.size < LISTED ? undefined : counted.get(''));
  if (known) known.count += count;
  else if (counted.size < LISTED) counted.set(name, { code, route, count });
  else counted.set('', { code: 'any', route: 'others', count });
}
