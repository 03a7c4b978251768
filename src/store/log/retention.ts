import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { type Fault, unavailable } from '../../model/fault.ts';
import type { DayFiles } from './day_files.ts';
import { type Day, type DayFootprint, measureDays } from './days.ts';
import { Held, type HeldCondition, type HeldSpan } from './held.ts';
import type { Scalar } from './packed.ts';

/** Limit of the detections that one step deletes; a longer step would delay new rows. */
const stepRows = 10_000;
const tenths = 10;

/** Conditions of rows under hold, which must not be deleted; null if there are none. */
type HeldRows = { readonly detections: HeldCondition | null; readonly points: HeldCondition | null };

/**
 * Frees space inside a day file that alone exceeds the size limit. It deletes the oldest tenth of the file's
 * detections, at most 10 000. Without detections that it may delete, it deletes the oldest tenth of the points, by
 * time. Events, track documents and rows under hold are never deleted. The file keeps its size, and new rows use the
 * freed space. Returns true if anything was deleted.
 */
function pruneOldest(db: Database.Database, held: HeldRows = { detections: null, points: null }): boolean {
  return db.transaction(() => pruneDetections(db, held.detections) || prunePoints(db, held.points)).immediate();
}

function pruneDetections(db: Database.Database, held: HeldCondition | null): boolean {
  const [free, values] = freeOf(held);
  const first = db
    .prepare<Scalar[], number>(`SELECT number FROM detections WHERE ${free} ORDER BY number LIMIT 1`)
    .pluck()
    .get(...values);
  if (first === undefined) return false;
  const last = db.prepare<[], number>('SELECT max(number) FROM detections').pluck().get() ?? first;
  const rows = Math.min(stepRows, Math.ceil((last - first + 1) / tenths));
  const remove = db.prepare<Scalar[]>(`DELETE FROM detections WHERE number < ? AND ${free}`);
  return remove.run(first + rows, ...values).changes > 0;
}

function prunePoints(db: Database.Database, held: HeldCondition | null): boolean {
  const spans = pointSpans(db);
  const first = Math.min(...spans.map(({ firstMs }) => firstMs));
  const last = Math.max(...spans.map(({ lastMs }) => lastMs));
  const [free, values] = freeOf(held);
  const remove = db.prepare<Scalar[]>(`DELETE FROM points WHERE track_id = ? AND at_ms < ? AND ${free}`);
  // If all rows in the oldest tenth are under hold, the next tenth is tried.
  for (let tenth = 1; tenth <= (spans.length === 0 ? 0 : tenths); tenth++) {
    const until = first + Math.max(1, Math.ceil(((last - first) * tenth) / tenths)) + (tenth === tenths ? 1 : 0);
    let removed = 0;
    for (const { trackId } of spans) removed += remove.run(trackId, until, ...values).changes;
    if (removed > 0) return true;
    if (held === null) return false;
  }
  return false;
}

function freeOf(held: HeldCondition | null): HeldCondition {
  return held === null ? ['TRUE', []] : [`NOT ${held[0]}`, held[1]];
}

/**
 * Returns the times of the first and last point of each track. Index lookups find them, because the table has no index
 * on time alone.
 */
function pointSpans(db: Database.Database): { trackId: string; firstMs: number; lastMs: number }[] {
  return db
    .prepare<[], { trackId: string; firstMs: number; lastMs: number }>(
      `WITH RECURSIVE ids (track_id) AS (
         SELECT min(track_id) FROM points
         UNION ALL
         SELECT (SELECT min(track_id) FROM points WHERE track_id > ids.track_id) FROM ids WHERE track_id IS NOT NULL
       )
       SELECT track_id AS trackId,
         (SELECT min(at_ms) FROM points WHERE track_id = ids.track_id) AS firstMs,
         (SELECT max(at_ms) FROM points WHERE track_id = ids.track_id) AS lastMs
       FROM ids WHERE track_id IS NOT NULL`,
    )
    .all();
}

/**
 * Retention limits. Days before `prunedBefore` are deleted, except days before `earliestDay`; null deletes no day for
 * its age. The main thread sets `prunedBefore`, because only that thread knows whether the clock is trusted. While the
 * remaining days together exceed `bytes`, the day whose file was created first is deleted.
 */
export type HistoryLimits = { readonly prunedBefore: Day | null; readonly bytes: number };

/**
 * Result of one pruning. `whole` is true if whole days were deleted, and false if only the oldest rows of the one day
 * in `days` were deleted.
 */
export type Pruned = {
  readonly why: 'age' | 'bytes' | 'disk_full';
  readonly days: readonly Day[];
  readonly bytes: number;
  readonly whole: boolean;
};

export type Kept = {
  /** Size of the history folder, bytes; includes write-ahead logs and renamed files. */
  readonly bytes: number;
  /** Size of the days with data under hold, without today, bytes; included in `bytes`. */
  readonly heldBytes: number;
  /** True if the next pruning step should follow soon. */
  readonly again: boolean;
  /** Sentence for a file of today that alone exceeds the limit although nothing more can be deleted; else null. */
  readonly text: string | null;
  /** Sentence about holds that make the history exceed its limits; else null. */
  readonly note: string | null;
};

/** Earliest plausible day. An earlier date means that the clock was not set, so the age of the rows is unknown. */
export const earliestDay: Day = '2020-01-01';
/** Shortest interval between two deletions of a day because of a full disk, ms. */
const sacrificeEveryMs = 60_000;
/** Fraction of the limit at which a pruning of today's file stops. */
const prunedPart = 0.9;

/**
 * Limits the history by deleting whole days. Today's file remains; if it alone is too large, its oldest rows are
 * deleted. A day with data under hold remains completely, and does not count against the size limit. Otherwise one long
 * hold would leave no space for new data.
 */
export class Retention {
  readonly #files: DayFiles;
  #limits: HistoryLimits;
  readonly #held: Held;
  readonly #report: (fault: Fault) => void;
  readonly #onPruned: (pruned: Pruned) => void;
  /** Bytes that the current pruning of today's file has freed so far. */
  #prunedToday = 0;
  #sacrificedMs = Number.NEGATIVE_INFINITY;
  #pruning = false;

  constructor(
    files: DayFiles,
    limits: HistoryLimits,
    publish: { fault(fault: Fault): void; pruned(pruned: Pruned): void },
    held: readonly HeldSpan[] = [],
  ) {
    this.#held = new Held(files, held);
    this.#files = files;
    this.#limits = limits;
    this.#report = publish.fault;
    this.#onPruned = publish.pruned;
  }

  /** Replaces limits and holds. They take effect with the next call of `enforce`. */
  set(limits: HistoryLimits, held: readonly HeldSpan[]): void {
    this.#limits = limits;
    this.#held.set(held);
    this.#pruning = false;
  }

  /** Returns the first day that retention by age keeps; without `prunedBefore`, `earliestDay`. */
  oldestDay(): Day {
    const { prunedBefore } = this.#limits;
    return prunedBefore === null || prunedBefore < earliestDay ? earliestDay : prunedBefore;
  }

  enforce(today: Day): Kept {
    const days = this.#measureNear(today);
    const held = days.filter(({ day }) => day !== today && this.#held.holds(day, today));
    const freeBytes = this.#files.freeBytes(today);
    const heldBytes = total(held);
    const free = days.filter((footprint) => footprint.day !== today && !held.includes(footprint));
    const oldest = this.oldestDay();
    const old = free.filter(({ day }) => day >= earliestDay && day < oldest);
    let bytes = total(days) - heldBytes - this.#remove(old, 'age');
    const excess: DayFootprint[] = [];
    if (bytes - freeBytes > this.#limits.bytes) {
      for (const footprint of this.#byWriting(free.filter((one) => !old.includes(one)))) {
        if (bytes - freeBytes <= this.#limits.bytes) break;
        excess.push(footprint);
        bytes -= footprint.bytes;
      }
    }
    this.#remove(excess, 'bytes');
    const within = bytes - freeBytes <= this.#target();
    if (within) this.#endPruning(today);
    const kept = within ? { bytes, again: false, text: null } : this.#pruneToday(today, heldBytes);
    return { ...kept, bytes: kept.bytes + heldBytes, heldBytes, note: this.#noteOf(kept.bytes, held, oldest) };
  }

  #noteOf(bytes: number, held: readonly DayFootprint[], oldest: Day): string | null {
    const over = bytes + total(held) > this.#limits.bytes;
    const old = held.filter(({ day }) => day < oldest);
    if (held.length === 0 || (!over && old.length === 0)) return null;
    const days = over ? held : old;
    const why = over ? `its limit of ${megabytes(this.#limits.bytes)}` : 'its limit of days';
    const first = days[0]?.day;
    return `The history is over ${why}: ${days.length} days from ${first} on, ${megabytes(total(days))}, are under hold.`;
  }

  /**
   * Deletes a day because the disk is full, at most once a minute. It is the day whose file was created first, except
   * today and days under hold. Returns true if a day was deleted.
   */
  makeRoom(today: Day, monotonicMs: number): boolean {
    const free = this.#measure().filter(({ day }) => day !== today && !this.#held.holds(day, today));
    const [oldest] = this.#byWriting(free);
    if (oldest === undefined || monotonicMs - this.#sacrificedMs < sacrificeEveryMs) return false;
    this.#sacrificedMs = monotonicMs;
    this.#remove([oldest], 'disk_full');
    const sentence = `The disk of ${this.#files.folder} is full: the history of ${oldest.day} was deleted to make space for today.`;
    this.#report(unavailable(sentence));
    return true;
  }

  /** Deletes days. Returns the number of freed bytes. */
  #remove(footprints: readonly DayFootprint[], why: Pruned['why']): number {
    if (footprints.length === 0) return 0;
    for (const { day } of footprints) this.#files.remove(day);
    const bytes = total(footprints);
    this.#onPruned({ why, days: footprints.map(({ day }) => day), bytes, whole: true });
    return bytes;
  }

  /**
   * Sorts days by the order in which their files were created, whatever the clock showed then. Files of earlier
   * versions come first.
   */
  #byWriting(footprints: readonly DayFootprint[]): DayFootprint[] {
    const orders = new Map(footprints.map(({ day }) => [day, this.#files.order(day)]));
    return [...footprints].sort(
      (a, b) => (orders.get(a.day) ?? 0) - (orders.get(b.day) ?? 0) || (a.day < b.day ? -1 : 1),
    );
  }

  #measure(): DayFootprint[] {
    return existsSync(this.#files.folder) ? measureDays(this.#files.folder) : [];
  }

  /**
   * Measures the days. Above the limit, the write-ahead log of today is emptied first: its 16 MB are not worth a day.
   */
  #measureNear(today: Day): DayFootprint[] {
    const days = this.#measure();
    if (total(days) <= this.#limits.bytes) return days;
    this.#files.read(today, ({ db }) => db.pragma('wal_checkpoint(TRUNCATE)'));
    return this.#measure();
  }

  /**
   * Returns the size above which pruning starts or continues, bytes. Once started, a pruning continues to 90 % of the
   * limit, so that the next pruning does not start at once.
   */
  #target(): number {
    return this.#limits.bytes * (this.#pruning ? prunedPart : 1);
  }

  /** Prunes today's file. `heldBytes` is the size of the other days under hold, which does not count. */
  #pruneToday(today: Day, heldBytes: number): Pick<Kept, 'bytes' | 'again' | 'text'> {
    const bytes = total(this.#measureNear(today)) - heldBytes;
    const freeBefore = this.#files.freeBytes(today);
    const used = bytes - freeBefore;
    this.#pruning = used > this.#target();
    if (!this.#pruning) {
      this.#endPruning(today);
      return { bytes, again: false, text: null };
    }
    this.#pruning = this.#files.read(today, ({ db }) => pruneOldest(db, this.#heldRows(today))) ?? false;
    if (this.#pruning) this.#prunedToday += Math.max(0, this.#files.freeBytes(today) - freeBefore);
    else this.#endPruning(today);
    if (this.#pruning || used <= this.#limits.bytes) return { bytes, again: this.#pruning, text: null };
    const text = `The history takes ${megabytes(used)}, more than its limit of ${megabytes(this.#limits.bytes)}, and nothing more can be deleted: only events, last tracks and data under hold are left of today.`;
    return { bytes, again: false, text };
  }

  /** Reports all steps of a pruning of today's file together, so that they cause only one audit row. */
  #endPruning(today: Day): void {
    this.#pruning = false;
    if (this.#prunedToday > 0) this.#onPruned({ why: 'bytes', days: [today], bytes: this.#prunedToday, whole: false });
    this.#prunedToday = 0;
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
