import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import { isCorrupt, reasonOf } from '../failures.ts';
import { makeFolder } from '../folder.ts';
import { type DayFile, openDayFile } from './day_file.ts';
import { NewerDayFile } from './day_schema.ts';
import { type Day, dayFileOf, listDays, measureDays } from './days.ts';

const mostOpen = 3;
const idleMs = 30_000;
/**
 * Limit of the unusable files kept for each day and each reason (damaged, newer version). A further file overwrites the
 * last of them, so that copies do not fill a failing disk.
 */
const mostSetAside = 3;

type OpenFile = { readonly file: DayFile; usedMs: number };

/**
 * Day files of a history folder, at most three of them open. A damaged file is renamed; the next write to its day
 * creates a new one.
 */
export class DayFiles {
  readonly folder: string;
  readonly #session: string;
  readonly #report: (fault: Fault) => void;
  readonly #monotonicMs: () => number;
  readonly #open = new Map<Day, OpenFile>();
  readonly #orders = new Map<Day, number>();

  constructor(folder: string, session: string, report: (fault: Fault) => void, monotonicMs: () => number) {
    this.folder = folder;
    this.#session = session;
    this.#report = report;
    this.#monotonicMs = monotonicMs;
  }

  /** Returns the days that have a file, the oldest first; an empty list if the folder is missing. */
  days(): Day[] {
    return existsSync(this.folder) ? listDays(this.folder) : [];
  }

  /**
   * Runs `use` on the file of a day; a missing file is created. A file that is damaged or of a newer version is renamed
   * and replaced by an empty one, on which `use` runs again.
   */
  write<T>(day: Day, use: (file: DayFile) => T): T {
    makeFolder(this.folder);
    try {
      return use(this.#get(day, true));
    } catch (thrown) {
      if (!this.#setAside(day, thrown)) throw thrown;
      return use(this.#get(day, true));
    }
  }

  /**
   * Runs `use` on the file of a day. Returns null if the file is missing, damaged, or of a newer version. A damaged
   * file is renamed.
   */
  read<T>(day: Day, use: (file: DayFile) => T): T | null {
    try {
      return existsSync(dayFileOf(this.folder, day)) ? use(this.#get(day, false)) : null;
    } catch (thrown) {
      if (thrown instanceof NewerDayFile || this.#setAside(day, thrown)) return null;
      throw thrown;
    }
  }

  /**
   * Returns the position of a day's file in the order in which the files were created; 0 for a file of an earlier
   * version, and without a readable file.
   */
  order(day: Day): number {
    const known = this.#orders.get(day) ?? this.read(day, (file) => file.order()) ?? 0;
    this.#orders.set(day, known);
    return known;
  }

  /**
   * Returns the number of free bytes inside a day's file; 0 without a readable file. New rows use them before the file
   * grows.
   */
  freeBytes(day: Day): number {
    return this.read(day, (file) => file.freeBytes()) ?? 0;
  }

  remove(day: Day): void {
    this.#close(day);
    const names = measureDays(this.folder).find((footprint) => footprint.day === day)?.names ?? [];
    this.#orders.delete(day);
    for (const name of names) rmSync(join(this.folder, name), { force: true });
  }

  /** Syncs the commits since the last call in all open files. */
  sync(): void {
    for (const { file } of this.#open.values()) file.sync();
  }

  /** Closes files that were not used for 30 s, and shrinks the other ones, except the file of the day `keep`. */
  closeIdle(keep: Day): void {
    for (const [day, { file, usedMs }] of this.#open) {
      if (day === keep) continue;
      if (this.#monotonicMs() - usedMs > idleMs) this.#close(day);
      else file.shrink();
    }
  }

  closeAll(): void {
    for (const day of [...this.#open.keys()]) this.#close(day);
  }

  #get(day: Day, create: boolean): DayFile {
    const open = this.#open.get(day);
    if (open !== undefined) {
      open.usedMs = this.#monotonicMs();
      return open.file;
    }
    const path = dayFileOf(this.folder, day);
    const order = create && !existsSync(path) ? this.#nextOrder() : undefined;
    if (this.#open.size >= mostOpen) this.#closeLeastUsed();
    const file = openDayFile(path, this.#session, create, order);
    if (order !== undefined) this.#orders.set(day, order);
    this.#open.set(day, { file, usedMs: this.#monotonicMs() });
    return file;
  }

  #nextOrder(): number {
    return Math.max(0, ...this.days().map((day) => this.order(day))) + 1;
  }

  #closeLeastUsed(): void {
    const [oldest] = [...this.#open].sort((a, b) => a[1].usedMs - b[1].usedMs);
    if (oldest !== undefined) this.#close(oldest[0]);
  }

  #close(day: Day): void {
    this.#open.get(day)?.file.close();
    this.#open.delete(day);
  }

  /** Renames an unusable file. Returns false if the error is not about the content or version of the file. */
  #setAside(day: Day, thrown: unknown): boolean {
    if (!isCorrupt(thrown) && !(thrown instanceof NewerDayFile)) return false;
    this.#close(day);
    const path = dayFileOf(this.folder, day);
    let place = 1;
    const label = thrown instanceof NewerDayFile ? 'newer' : 'corrupt';
    while (place < mostSetAside && existsSync(`${path}.${label}-${place}`)) place += 1;
    const aside = `${path}.${label}-${place}`;
    for (const part of ['', '-wal']) {
      rmSync(`${aside}${part}`, { force: true });
      if (existsSync(`${path}${part}`)) renameSync(`${path}${part}`, `${aside}${part}`);
    }
    rmSync(`${path}-shm`, { force: true });
    const sentence = `The history file ${path} cannot be used: ${reasonOf(thrown)}. It was renamed to ${aside}; new rows go to a new file.`;
    this.#report(new Fault('internal', sentence, { cause: thrown }));
    return true;
  }
}
