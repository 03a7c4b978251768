import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { historyFolders } from '../../store/backup.ts';
import { reasonOf } from '../../store/failures.ts';
import { dayFileVersion } from '../../store/log/day_schema.ts';
import { dayFileOf, listDays } from '../../store/log/days.ts';
import { schemaVersion } from '../../store/migrate.ts';
import { stateMigrations } from '../../store/migrations/index.ts';
import { readDatabase } from '../read_database.ts';

/** Only this many of the newest day files in each folder are read. For older files, only the size is listed. */
const DAYS_READ = 2;

/** Describes each database of a data folder: schema, size, number of rows in each table, quick check. */
export function describeDatabases(dataDir: string): object[] {
  const newest = stateMigrations.at(-1)?.version ?? 0;
  const days = historyFolders(dataDir).flatMap((folder) => {
    const all = listDays(join(dataDir, folder)).map((day) => dayFileOf(folder, day));
    return all.map((file, index) => ({ file, isRead: index >= all.length - DAYS_READ }));
  });
  return [
    { ...describe(dataDir, 'state.db', true), schema_of_program: newest },
    ...days.map(({ file, isRead }) => ({ ...describe(dataDir, file, isRead), schema_of_program: dayFileVersion })),
  ];
}

function describe(dataDir: string, file: string, isRead: boolean): object {
  const path = join(dataDir, file);
  if (!existsSync(path)) return { file, fault: 'the file does not exist' };
  const sizes = { file, bytes: statSync(path).size, wal_bytes: sizeOf(`${path}-wal`) };
  if (!isRead) return sizes;
  try {
    const found = readDatabase(path, (db) => ({
      schema: schemaVersion(db),
      quick_check: db.prepare<[], string>('PRAGMA quick_check(5)').pluck().all(),
      rows: rowCounts(db),
    }));
    return { ...sizes, ...found };
  } catch (thrown) {
    return { ...sizes, fault: reasonOf(thrown) };
  }
}

function rowCounts(db: Database.Database): Record<string, number> {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  return Object.fromEntries(
    tables.map((name) => [
      name,
      Number(
        db
          .prepare(`SELECT count(*) FROM "${name.replaceAll('"', '""')}"`)
          .pluck()
          .get(),
      ),
    ]),
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Limit of the list of files, because a folder of another program may contain any number of files. */
const MOST_FILES = 5_000;

/** Lists the files of a data folder with mode, owner, size and time, one per line; without content. */
export function listFiles(dataDir: string): string {
  const lines: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(dataDir, folder), { withFileTypes: true })) {
      if (lines.length >= MOST_FILES) return;
      const name = join(folder, entry.name);
      const found = statSync(join(dataDir, name), { throwIfNoEntry: false });
      const mode = ((found?.mode ?? 0) & 0o7777).toString(8).padStart(4, '0');
      const facts = found
        ? `${mode} ${found.uid}:${found.gid} ${String(found.size).padStart(12)} ${found.mtime.toISOString()}`
        : 'gone';
      lines.push(`${facts}  ${name}${entry.isDirectory() ? '/' : ''}`);
      if (entry.isDirectory()) walk(name);
    }
  };
  walk('');
  return lines.length < MOST_FILES ? lines.join('\n') : `${lines.join('\n')}\n… and more`;
}
