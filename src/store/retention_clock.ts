import { z } from 'zod';
import { type Actor, systemActor } from '../model/actor.ts';
import type { ClockTrust } from '../model/clock_trust.ts';
import { conflict, Fault } from '../model/fault.ts';
import type { LogKind } from '../model/log_kind.ts';
import { notNegative } from '../model/scalar.ts';
import { formatTime } from '../model/time.ts';
import { parsedNote, readMeta, writeMeta } from './database.ts';
import type { Ledger } from './ledger.ts';
import { dayOf } from './log/days.ts';
import type { HistoryLimits } from './log/retention.ts';
import type { State } from './state.ts';

const DAY_MS = 86_400_000;
/** Running time without a clock step after which the clock is trusted without a person's confirmation, ms. */
const AGREED_AFTER_MS = 7 * DAY_MS;
const NOTE_EVERY_MS = 600_000;
const KEY = 'retention_clock';

const recordSchema = z.strictObject({
  /** UTC time of this record by `wallMs`, ms. */
  utc_ms: z.number(),
  /** Running time since the clock was last doubted, ms; it adds up over restarts. */
  ran_ms: notNegative,
  /** True if an owner, or a week of running without a step, has confirmed the clock. */
  confirmed: z.boolean(),
  /** Sentence about the clock step because of which the clock is doubted; null without such a step. */
  doubt: z.string().nullable(),
});
type Record = z.infer<typeof recordSchema>;

export type RetentionClockDeps = {
  state: State;
  ledger: Ledger;
  /** Returns the best UTC time, ms: that of the satellites, or else the system clock including its steps. */
  wallMs(): number;
  monoMs(): number;
  trust(): ClockTrust;
};

export type RetentionClockStatus = {
  trust: ClockTrust;
  /** True while days may be pruned by this clock. */
  prunes: boolean;
  /** Sentence that says why days are not pruned; null while they are pruned. */
  reason: string | null;
  ranMs: number;
};

/**
 * Decides whether data may be pruned by age, because data pruned by a wrong clock is lost. Nothing is pruned while the
 * clock was never set. After a step of more than a day, or with a real-time clock (`rtc`) as the only source, pruning
 * waits. It starts when an owner confirms the clock, or after a week without a step. A box that was off for more than a
 * day cannot be distinguished from a step, and counts as one.
 */
export class RetentionClock {
  readonly #deps: RetentionClockDeps;
  #record: Record;
  #anchor: { wallMs: number; monoMs: number };
  #countedMs: number;
  #notedMs: number;

  /** Reads the record of the last run, and compares the clock with it. */
  constructor(deps: RetentionClockDeps) {
    this.#deps = deps;
    this.#anchor = { wallMs: deps.wallMs(), monoMs: deps.monoMs() };
    this.#countedMs = this.#anchor.monoMs;
    this.#notedMs = this.#anchor.monoMs;
    const noted = readRecord(deps.state.db);
    this.#record = noted ?? { utc_ms: this.#anchor.wallMs, ran_ms: 0, confirmed: false, doubt: null };
    // If there is no record yet, the newest audit row shows when the last run was.
    const lastMs = noted?.utc_ms ?? lastRowMs(deps.state);
    const gapMs = lastMs === null ? 0 : this.#anchor.wallMs - lastMs;
    if (Math.abs(gapMs) > DAY_MS) this.#doubt(`it moved by ${daysOf(gapMs)} between the last run and this one`);
    this.#save();
  }

  /** Detects clock steps, counts the running time, and writes the record every 10 min. Call it once a minute. */
  tick(): void {
    this.#evaluate();
    if (this.#deps.monoMs() - this.#notedMs >= NOTE_EVERY_MS) this.#save();
  }

  status(): RetentionClockStatus {
    this.#evaluate();
    const trust = this.#deps.trust();
    return { trust, prunes: this.#prunes(), reason: this.#reason(trust), ranMs: Math.round(this.#record.ran_ms) };
  }

  /** Returns the UTC time, ms, before which data is older than `days` days. Null while nothing is pruned by age. */
  cutoffMs(days: number): number | null {
    this.#evaluate();
    return this.#prunes() ? Math.max(0, this.#deps.wallMs() - days * DAY_MS) : null;
  }

  /** Returns the current retention limits. Today counts as one of `days`. */
  historyLimits({ days, bytes }: { days: number; bytes: number }): HistoryLimits {
    const cutoffMs = this.cutoffMs(Math.floor(days) - 1);
    return { prunedBefore: cutoffMs === null ? null : dayOf(cutoffMs), bytes };
  }

  /**
   * Confirms the clock on behalf of an owner who has checked it. Throws a Fault `conflict` if the clock was never set.
   */
  confirm(by: Actor): void {
    this.#evaluate();
    if (this.#deps.trust() === 'none') {
      const at = formatTime(this.#deps.wallMs());
      throw conflict(`the clock of the box shows ${at}, so it was never set: set the clock first`);
    }
    this.#agree('retention.clock_confirmed', 'the clock of the box was confirmed: days are pruned by it', by);
  }

  /** Writes the record for the next start. Call it at the stop. */
  stop(): void {
    this.#evaluate();
    this.#save();
  }

  #evaluate(): void {
    const { wallMs, monoMs } = this.#deps;
    const now = { wallMs: wallMs(), monoMs: monoMs() };
    this.#record.ran_ms += now.monoMs - this.#countedMs;
    this.#countedMs = now.monoMs;
    const driftMs = now.wallMs - this.#anchor.wallMs - (now.monoMs - this.#anchor.monoMs);
    if (Math.abs(driftMs) > DAY_MS) {
      this.#anchor = now;
      this.#doubt(`it was changed by ${daysOf(driftMs)} while Dunlin ran`);
      this.#save();
    }
    const { confirmed, ran_ms } = this.#record;
    if (confirmed || ran_ms < AGREED_AFTER_MS || this.#deps.trust() === 'none') return;
    const text = 'the clock of the box ran for a week without a step: days are pruned by it';
    unlessRefused(() => this.#agree('retention.clock_agreed', text, systemActor));
  }

  #doubt(why: string): void {
    this.#record = { ...this.#record, ran_ms: 0, confirmed: false, doubt: why };
  }

  #agree(kind: LogKind, text: string, by: Actor): void {
    const { ledger, wallMs, monoMs } = this.#deps;
    const before = { doubt: this.#record.doubt, ran_s: Math.round(this.#record.ran_ms / 1_000) };
    const agreed = { ...this.#record, utc_ms: wallMs(), confirmed: true, doubt: null };
    ledger.change('The confirmation of the clock', () => {
      this.#put(agreed);
      return { result: undefined, deed: { kind, severity: 'notice', text, by, workspaceId: null, before } };
    });
    this.#record = agreed;
    this.#anchor = { wallMs: wallMs(), monoMs: monoMs() };
  }

  #prunes(): boolean {
    const { confirmed, doubt } = this.#record;
    const trust = this.#deps.trust();
    if (trust === 'none') return false;
    return confirmed || (doubt === null && trust !== 'rtc');
  }

  #reason(trust: ClockTrust): string | null {
    if (this.#prunes()) return null;
    const { doubt } = this.#record;
    const until = 'nothing is pruned by age until an owner confirms the clock or it has run for a week without a step';
    if (trust === 'none') return 'the clock of the box was never set: nothing is pruned by age';
    if (doubt !== null) return `the clock of the box is not trusted, because ${doubt}: ${until}`;
    return `the clock of the box has no trusted source: ${until}`;
  }

  /** Writes the record. If the disk refuses, the earlier record stays until the next call. */
  #save(): void {
    this.#notedMs = this.#deps.monoMs();
    this.#record = { ...this.#record, utc_ms: this.#deps.wallMs() };
    unlessRefused(() => this.#deps.state.write('The note of the clock', () => this.#put(this.#record)));
  }

  #put(record: Record): void {
    writeMeta(this.#deps.state.db, KEY, JSON.stringify(record));
  }
}

/**
 * Returns a sentence about the clock step because of which the clock is doubted; null without such a step or without a
 * record.
 */
export function readClockDoubt(db: State['db']): string | null {
  return readRecord(db)?.doubt ?? null;
}

function readRecord(db: State['db']): Record | null {
  const record = parsedNote(readMeta(db, KEY), recordSchema);
  return record === 'unreadable' ? null : record;
}

/** Returns the UTC time of the newest audit row, ms; null without audit rows. */
function lastRowMs({ db }: State): number | null {
  const at = db.prepare<[], string>('SELECT at FROM audit ORDER BY seq DESC LIMIT 1').pluck().get();
  return at === undefined ? null : Date.parse(at);
}

function daysOf(ms: number): string {
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / DAY_MS).toFixed(1)} days`;
}

/** Runs a write that no person requested. If the disk refuses it, the next call tries again. */
function unlessRefused(write: () => void): void {
  try {
    write();
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
  }
}
