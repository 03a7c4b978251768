import { existsSync } from 'node:fs';
import { Fault } from '../../model/fault.ts';
import type { DayFiles } from './day_files.ts';
import { DAY_MS, type Day, type DayFootprint, dayOf, dayStartMs, measureDays } from './days.ts';
import { Held, type HeldSpan } from './held.ts';
import { type HeldRows, pruneOldest } from './prune.ts';

/** How much history is kept: so many days counting today, and so many bytes on the disk, whichever is less. */
export type RetentionLimits = { readonly days: number; readonly bytes: number };

export type Kept = {
  /** Bytes of the history folder, logs and files set aside included. */
  readonly bytes: number;
  /** Of these, whole days that have something under hold. */
  readonly heldBytes: number;
  /** True where another step should follow soon. */
  readonly again: boolean;
  /** What is wrong, as a sentence, where today alone exceeds the limit with nothing left that may go. */
  readonly text: string | null;
  /** Where what is under hold keeps the history over its limits, as a sentence. */
  readonly note: string | null;
};

/** A century: longer is for ever, and stays a date. */
const mostDays = 36_525;
/** A full disk may cost one more day of history in so long a time. */
const sacrificeEveryMs = 60_000;
/** Pruning stops below this part of the limit. */
const prunedPart = 0.9;

/**
 * Keeps the history within its limits by removing whole days, the oldest first. Today's file stays; where it alone is too
 * large it is pruned from within. A day that has something under hold stays whole and does not count against the size:
 * else one long hold would leave no room for what happens now.
 */
export class Retention {
  readonly #files: DayFiles;
  #limits: RetentionLimits;
  readonly #held: Held;
  readonly #report: (fault: Fault) => void;
  #sacrificedMs = Number.NEGATIVE_INFINITY;
  #pruning = false;

  constructor(
    files: DayFiles,
    limits: RetentionLimits,
    report: (fault: Fault) => void,
    held: readonly HeldSpan[] = [],
  ) {
    this.#held = new Held(files, held);
    this.#files = files;
    this.#limits = limits;
    this.#report = report;
  }

  /** What holds from now on. */
  set(limits: RetentionLimits, held: readonly HeldSpan[]): void {
    this.#limits = limits;
    this.#held.set(held);
    this.#pruning = false;
  }

  /** The first day that may still be kept. */
  oldestDay(today: Day): Day {
    const days = Math.min(Math.max(1, Math.floor(this.#limits.days)), mostDays);
    return dayOf(dayStartMs(today) - (days - 1) * DAY_MS);
  }

  enforce(today: Day): Kept {
    const oldest = this.oldestDay(today);
    const days = this.#measure();
    const held = days.filter(({ day }) => day !== today && this.#held.holds(day, today));
    const freeBytes = this.#files.freeBytes(today);
    const heldBytes = total(held);
    let bytes = total(days) - heldBytes;
    for (const footprint of days) {
      const mayGo = footprint.day < oldest || bytes - freeBytes > this.#limits.bytes;
      if (footprint.day === today || !mayGo || held.includes(footprint)) continue;
      this.#files.remove(footprint.day);
      bytes -= footprint.bytes;
    }
    const within = bytes - freeBytes <= this.#target();
    if (within) this.#pruning = false;
    const kept = within ? { bytes, again: false, text: null } : this.#pruneToday(today, heldBytes);
    return { ...kept, bytes: kept.bytes + heldBytes, heldBytes, note: this.#noteOf(kept.bytes, held, oldest) };
  }

  #noteOf(bytes: number, held: readonly DayFootprint[], oldest: Day): string | null {
    const over = bytes + total(held) > this.#limits.bytes;
    const old = held.filter(({ day }) => day < oldest);
    if (held.length === 0 || (!over && old.length === 0)) return null;
    const days = over ? held : old;
    const why = over ? `its limit of ${megabytes(this.#limits.bytes)}` : 'its days';
    const first = days[0]?.day;
    return `The history is over ${why}: ${days.length} days from ${first} on, ${megabytes(total(days))}, are under hold.`;
  }

  /** The disk is full: gives up the oldest day for the present one, at most one a minute. Returns whether it did. */
  makeRoom(today: Day, monotonicMs: number): boolean {
    const oldest = this.#measure().find(({ day }) => day !== today && !this.#held.holds(day, today));
    if (oldest === undefined || monotonicMs - this.#sacrificedMs < sacrificeEveryMs) return false;
    this.#sacrificedMs = monotonicMs;
    this.#files.remove(oldest.day);
    const sentence = `The disk of ${this.#files.folder} is full: the history of ${oldest.day} was removed to keep today's.`;
    this.#report(new Fault('unavailable', sentence));
    return true;
  }

  #measure(): DayFootprint[] {
    return existsSync(this.#files.folder) ? measureDays(this.#files.folder) : [];
  }

  /** Pruning begins above the limit and goes on below it for a while, so that it does not begin again at once. */
  #target(): number {
    return this.#limits.bytes * (this.#pruning ? prunedPart : 1);
  }

  /** `heldBytes` are of other days, and not counted here. */
  #pruneToday(today: Day, heldBytes: number): Pick<Kept, 'bytes' | 'again' | 'text'> {
    // The log of the file counts too, and may be all that is too much.
    this.#files.read(today, ({ db }) => db.pragma('wal_checkpoint(TRUNCATE)'));
    const bytes = total(this.#measure()) - heldBytes;
    const used = bytes - this.#files.freeBytes(today);
    this.#pruning = used > this.#target();
    if (!this.#pruning) return { bytes, again: false, text: null };
    this.#pruning = this.#files.read(today, ({ db }) => pruneOldest(db, this.#heldRows(today))) ?? false;
    if (this.#pruning || used <= this.#limits.bytes) return { bytes, again: this.#pruning, text: null };
    const text = `The history takes ${megabytes(used)}, more than its limit of ${megabytes(this.#limits.bytes)}, and only events, last tracks and what is under hold are left of today.`;
    return { bytes, again: false, text };
  }

  #heldRows(today: Day): HeldRows {
    return {
      detections: this.#held.condition(today, 'received_ms'),
      points: this.#held.condition(today, 'at_ms'),
    };
  }
}

function total(days: readonly DayFootprint[]): number {
  return days.reduce((sum, { bytes }) => sum + bytes, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
