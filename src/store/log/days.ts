import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** UTC day as `YYYY-MM-DD`; the order of these texts is the order of time. */
export type Day = string;

export const DAY_MS = 86_400_000;
const dayFileName = /^(\d{4}-\d\d-\d\d)\.db/;

export function dayOf(utcMs: number): Day {
  return new Date(utcMs).toISOString().slice(0, 10);
}

export function dayStartMs(day: Day): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

export function dayFileOf(folder: string, day: Day): string {
  return join(folder, `${day}.db`);
}

/** Returns the days that have a database in the folder, the oldest first. */
export function listDays(folder: string): Day[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.db$/.test(name));
  return names.map((name) => name.slice(0, 10)).sort();
}

export type DayFootprint = { readonly day: Day; readonly names: readonly string[]; readonly bytes: number };

/** Measures the disk use of each day, the oldest first: its database, write-ahead log, and renamed files. */
export function measureDays(folder: string): DayFootprint[] {
  const days = new Map<Day, { day: Day; names: string[]; bytes: number }>();
  for (const name of readdirSync(folder)) {
    const day = dayFileName.exec(name)?.[1];
    if (day === undefined) continue;
    const entry = days.get(day) ?? { day, names: [], bytes: 0 };
    entry.names.push(name);
    entry.bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    days.set(day, entry);
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
