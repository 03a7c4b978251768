import type Database from 'better-sqlite3';
import { withDatabase } from './database.ts';
import { migrate, schemaVersion } from './migrate.ts';
import { stateMigrations } from './migrations/index.ts';

type SchemaObject = { type: string; name: string; of: string; sql: string | null };

/** Limit of the characters shown of a foreign object's name, because anyone could have chosen the name. */
const SHOWN_NAME = 60;

/**
 * Compares the schema of `db` (`state.db`) with that of a freshly migrated database. Returns the first difference as a
 * sentence, null without one. Foreign triggers and views matter because they can change the effect of every write.
 */
export function schemaFault(db: Database.Database): string | null {
  const version = schemaVersion(db);
  const newest = stateMigrations.at(-1)?.version ?? 0;
  if (version > newest) return `state.db has the schema ${version}, but this Dunlin knows only schemas up to ${newest}`;
  const made = objectsMadeBy(version);
  const found = objectsOf(db);
  const foreign = [...found].filter(([key]) => !made.has(key));
  const missing = [...made].filter(([key]) => !found.has(key));
  const changed = [...found].filter(([key, { of, sql }]) => {
    const before = made.get(key);
    return before !== undefined && (before.sql !== sql || before.of !== of);
  });
  const differences = [
    ...foreign.map(([, object]) => `has ${named(object)}, which Dunlin did not create`),
    ...missing.map(([, object]) => `lacks ${named(object)}, which Dunlin needs`),
    ...changed.map(([, object]) => `has ${named(object)} in another form than Dunlin created it`),
  ];
  const [first, ...others] = differences;
  if (first === undefined) return null;
  const more = others.length === 0 ? '' : ` (and ${others.length} more differences)`;
  return `state.db ${first}${more}`;
}

function objectsMadeBy(version: number): Map<string, SchemaObject> {
  return withDatabase(':memory:', { fileMustExist: false }, (db) => {
    const steps = stateMigrations.filter((migration) => migration.version <= version);
    migrate(db, ':memory:', steps);
    return objectsOf(db);
  });
}

/**
 * Returns the objects of a schema. Statistics of ANALYZE (sqlite_stat1, sqlite_stat4) are left out, because they do not
 * affect writes.
 */
function objectsOf(db: Database.Database): Map<string, SchemaObject> {
  const sql = `SELECT type, name, tbl_name AS "of", sql FROM sqlite_schema
    WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))`;
  const objects = db.prepare<[], SchemaObject>(sql).all();
  return new Map(objects.map((object) => [`${object.type} ${object.name}`, object]));
}

function named({ type, name, of }: SchemaObject): string {
  const shown = (text: string): string => JSON.stringify(text.slice(0, SHOWN_NAME));
  return `the ${type} ${shown(name)}${of === name ? '' : ` on ${shown(of)}`}`;
}
