import type { Actor } from '../model/actor.ts';
import type { Fault } from '../model/fault.ts';
import { networkOf } from '../model/network.ts';
import type { Ledger } from '../store/ledger.ts';

const EVERY_MS = 60_000;
const REMEMBERED = 1_024;
/** Rows a minute of all unknown clients together: a flood from many addresses fills the log no faster. */
const ROWS_A_MINUTE = 60;
/** Rows a minute for refused writes of one principal, each in its own row. */
const WRITES_A_MINUTE = 10;
/** Different refusals that one counting row lists. */
const LISTED = 16;

export type Denial = {
  by: Actor;
  workspaceId: string | null;
  text: string;
  fault: Fault;
  /** Route of the request, for example `POST /api/zones/{id}`. */
  route: string;
  /** True where the request would have changed something. */
  write: boolean;
};

type Counted = { code: string; route: string; count: number };
type Recorded = { sinceMs: number; more: number; last: Denial; counted: Map<string, Counted> };
type Writes = { sinceMs: number; rows: number };

/**
 * Writes refusals into the audit log. The first of a client at an address in a workspace is a row at once; those of the
 * next minute are one row with their counts, so that a flood of wrong keys does not fill the disk. Each refused write of a
 * known principal is a row of its own, so that harmless refusals do not hide it.
 */
export class Denials {
  readonly #ledger: Ledger;
  readonly #nowMs: () => number;
  readonly #recorded = new Map<string, Recorded>();
  readonly #writes = new Map<string, Writes>();
  readonly #noted = new WeakSet<Fault>();
  readonly #known = new WeakMap<Fault, Pick<Denial, 'by' | 'workspaceId'>>();
  #minuteMs = Number.NEGATIVE_INFINITY;
  #rows = 0;

  constructor(ledger: Ledger, nowMs: () => number) {
    this.#ledger = ledger;
    this.#nowMs = nowMs;
  }

  /** Attaches the actor and workspace to a fault that a caller without this knowledge will note. */
  of(fault: Fault, by: Actor, workspaceId: string | null): Fault {
    this.#known.set(fault, { by, workspaceId });
    return fault;
  }

  /** Notes a refusal; each fault once, with the attached actor and workspace. */
  note(given: Denial): void {
    if (this.#noted.has(given.fault)) return;
    this.#noted.add(given.fault);
    const denial = { ...given, ...this.#known.get(given.fault) };
    const nowMs = this.#nowMs();
    if (this.#isOwnRow(denial, nowMs) && this.#write(denial, denial.text, {})) return;
    const key = keyOf(denial);
    const recorded = this.#recorded.get(key);
    // While the disk refuses writes, counting continues.
    if (recorded && (nowMs - recorded.sinceMs < EVERY_MS || !this.#record(recorded))) {
      add(recorded, denial);
      return;
    }
    const fresh: Recorded = { sinceMs: nowMs, more: 0, last: denial, counted: new Map() };
    if (!this.#hasRoom(denial, nowMs) || !this.#write(denial, denial.text, {})) add(fresh, denial);
    this.#remember(key, fresh);
  }

  /** Writes counts that are not written yet; called now and then, and at the end. */
  flush(all: boolean): void {
    const nowMs = this.#nowMs();
    for (const [key, writes] of this.#writes) if (nowMs - writes.sinceMs >= EVERY_MS) this.#writes.delete(key);
    for (const [key, recorded] of this.#recorded) {
      if (!all && nowMs - recorded.sinceMs < EVERY_MS) continue;
      if (!all && recorded.more > 0 && !this.#hasRoom(recorded.last, nowMs)) continue;
      if (this.#record(recorded)) this.#recorded.delete(key);
    }
  }

  #record({ last, more, counted }: Recorded): boolean {
    if (more === 0) return true;
    const who = isKnown(last.by) ? `${last.by.name} at this address` : 'this address';
    const text = `${last.text} (the last of ${more} refusals of ${who})`;
    return this.#write(last, text, { count: more, refused: [...counted.values()] });
  }

  /** Writes the oldest count before it makes room for another. */
  #remember(key: string, fresh: Recorded): void {
    this.#recorded.delete(key);
    this.#recorded.set(key, fresh);
    for (const [oldest, recorded] of this.#recorded) {
      if (this.#recorded.size <= REMEMBERED) return;
      this.#record(recorded);
      this.#recorded.delete(oldest);
    }
  }

  /** True for a refused write of a known principal within its limit. */
  #isOwnRow({ write, by }: Denial, nowMs: number): boolean {
    if (!write || !isKnown(by)) return false;
    const key = JSON.stringify([by.type, by.id]);
    const known = this.#writes.get(key);
    const writes = known && nowMs - known.sinceMs < EVERY_MS ? known : { sinceMs: nowMs, rows: 0 };
    this.#writes.set(key, writes);
    return writes.rows++ < WRITES_A_MINUTE;
  }

  /** True where a row may be written. Unknown clients share a limit, so they cannot crowd out known principals. */
  #hasRoom({ by }: Denial, nowMs: number): boolean {
    if (isKnown(by)) return true;
    if (nowMs - this.#minuteMs >= EVERY_MS) {
      this.#minuteMs = nowMs;
      this.#rows = 0;
    }
    return this.#rows < ROWS_A_MINUTE;
  }

  /** Returns false where the disk refused; that must not change the answer to the client. */
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
  const { counted } = recorded;
  recorded.more++;
  recorded.last = denial;
  const name = JSON.stringify([denial.fault.code, denial.route]);
  const known = counted.get(name) ?? (counted.size < LISTED ? undefined : counted.get(''));
  if (known) known.count++;
  else if (counted.size < LISTED) counted.set(name, { code: denial.fault.code, route: denial.route, count: 1 });
  else counted.set('', { code: 'any', route: 'others', count: 1 });
}
