import type { Actor } from '../model/actor.ts';
import type { Fault } from '../model/fault.ts';
import { networkOf } from '../model/network.ts';
import type { Ledger } from '../store/ledger.ts';

const EVERY_MS = 60_000;
const REMEMBERED = 1_024;
/** Of all strangers together: a flood from many addresses fills the log no faster. */
const ROWS_A_MINUTE = 60;
/** Of refused writes, which are rows of their own, of one principal. */
const WRITES_A_MINUTE = 10;
/** Of the different things that one row of a count tells of. */
const LISTED = 16;

export type Denial = {
  by: Actor;
  workspaceId: string | null;
  text: string;
  fault: Fault;
  /** What was asked, in a form that many requests share: `POST /api/zones/{id}`. */
  route: string;
  /** Whether it would have changed something. */
  write: boolean;
};

type Counted = { code: string; route: string; count: number };
type Told = { sinceMs: number; more: number; last: Denial; counted: Map<string, Counted> };
type Writes = { sinceMs: number; rows: number };

/**
 * Writes refusals into the audit log. The first of somebody at an address in a workspace is a row at once, those of the
 * next minute are one row that says how many there were and of what, so that whoever tries keys by the thousand does not
 * fill the disk. What somebody known was refused to change is a row each, so that nothing harmless hides it.
 */
export class Denials {
  readonly #ledger: Ledger;
  readonly #nowMs: () => number;
  readonly #told = new Map<string, Told>();
  readonly #writes = new Map<string, Writes>();
  readonly #noted = new WeakSet<Fault>();
  readonly #known = new WeakMap<Fault, Pick<Denial, 'by' | 'workspaceId'>>();
  #minuteMs = Number.NEGATIVE_INFINITY;
  #rows = 0;

  constructor(ledger: Ledger, nowMs: () => number) {
    this.#ledger = ledger;
    this.#nowMs = nowMs;
  }

  /** Says whom a fault refuses that is noted by somebody who cannot know, and in which workspace. */
  of(fault: Fault, by: Actor, workspaceId: string | null): Fault {
    this.#known.set(fault, { by, workspaceId });
    return fault;
  }

  /** A fault is noted once, by whoever knows most of it. */
  note(given: Denial): void {
    if (this.#noted.has(given.fault)) return;
    this.#noted.add(given.fault);
    const denial = { ...given, ...this.#known.get(given.fault) };
    const nowMs = this.#nowMs();
    if (this.#isOwnRow(denial, nowMs) && this.#write(denial, denial.text, {})) return;
    const key = keyOf(denial);
    const told = this.#told.get(key);
    // Where the disk takes nothing now, what was counted is counted on.
    if (told && (nowMs - told.sinceMs < EVERY_MS || !this.#tell(told))) {
      add(told, denial);
      return;
    }
    const fresh: Told = { sinceMs: nowMs, more: 0, last: denial, counted: new Map() };
    if (!this.#hasRoom(denial, nowMs) || !this.#write(denial, denial.text, {})) add(fresh, denial);
    this.#remember(key, fresh);
  }

  /** Tells what was counted and is not told yet; called now and then, and at the end. */
  flush(all: boolean): void {
    const nowMs = this.#nowMs();
    for (const [key, writes] of this.#writes) if (nowMs - writes.sinceMs >= EVERY_MS) this.#writes.delete(key);
    for (const [key, told] of this.#told) {
      if (!all && nowMs - told.sinceMs < EVERY_MS) continue;
      if (!all && told.more > 0 && !this.#hasRoom(told.last, nowMs)) continue;
      if (this.#tell(told)) this.#told.delete(key);
    }
  }

  #tell({ last, more, counted }: Told): boolean {
    if (more === 0) return true;
    const who = isKnown(last.by) ? `${last.by.name} at this address` : 'this address';
    const text = `${last.text} (the last of ${more} refusals of ${who})`;
    return this.#write(last, text, { count: more, refused: [...counted.values()] });
  }

  /** What has to make room is written rather than forgotten; the one that was begun longest ago goes. */
  #remember(key: string, fresh: Told): void {
    this.#told.delete(key);
    this.#told.set(key, fresh);
    for (const [oldest, told] of this.#told) {
      if (this.#told.size <= REMEMBERED) return;
      this.#tell(told);
      this.#told.delete(oldest);
    }
  }

  /** A refused write of somebody known, as long as he has not had too many of them. */
  #isOwnRow({ write, by }: Denial, nowMs: number): boolean {
    if (!write || !isKnown(by)) return false;
    const key = JSON.stringify([by.type, by.id]);
    const known = this.#writes.get(key);
    const writes = known && nowMs - known.sinceMs < EVERY_MS ? known : { sinceMs: nowMs, rows: 0 };
    this.#writes.set(key, writes);
    return writes.rows++ < WRITES_A_MINUTE;
  }

  /** Those who are known are as many as were given a name or a key: strangers cannot crowd them out. */
  #hasRoom({ by }: Denial, nowMs: number): boolean {
    if (isKnown(by)) return true;
    if (nowMs - this.#minuteMs >= EVERY_MS) {
      this.#minuteMs = nowMs;
      this.#rows = 0;
    }
    return this.#rows < ROWS_A_MINUTE;
  }

  /** False where the disk took nothing, which must not turn a refusal into something else. */
  #write({ by, workspaceId, fault }: Denial, text: string, more: { count?: number; refused?: Counted[] }): boolean {
    try {
      const after = { code: fault.code, ...more };
      this.#ledger.note({ kind: 'auth.denied', severity: 'warning', text, by, workspaceId, after });
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

function add(told: Told, denial: Denial): void {
  const { counted } = told;
  told.more++;
  told.last = denial;
  const name = JSON.stringify([denial.fault.code, denial.route]);
  const known = counted.get(name) ?? (counted.size < LISTED ? undefined : counted.get(''));
  if (known) known.count++;
  else if (counted.size < LISTED) counted.set(name, { code: denial.fault.code, route: denial.route, count: 1 });
  else counted.set('', { code: 'any', route: 'others', count: 1 });
}
