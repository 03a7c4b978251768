import type Database from 'better-sqlite3';
import { withDatabase } from './database.ts';
import { migrate, schemaVersion } from './migrate.ts';
import { stateMigrations } from './migrations/index.ts';

type SchemaObject = { type: string; name: string; of: string; sql: string | null };

/** Limit of the characters of a foreign object's name that are shown: the name is free text. */
const SHOWN_NAME = 60;

/**
 * The first difference between the schema of `db` (`state.db`) and that of a freshly migrated database, as a sentence;
 * null where there is none. A foreign trigger or view can change the effect of every write.
 */
export function schemaFault(db: Database.Database): string | null {
  const version = schemaVersion(db);
  const newest = stateMigrations.at(-1)?.version ?? 0;
  if (version > newest) return `state.db is marked as schema ${version}, and this Dunlin knows ${newest}`;
  const made = objectsMadeBy(version);
  const found = objectsOf(db);
  const foreign = [...found].filter(([key]) => !made.has(key));
  const missing = [...made].filter(([key]) => !found.has(key));
  const changed = [...found].filter(([key, { of, sql }]) => {
    const before = made.get(key);
    return before !== undefined && (before.sql !== sql || before.of !== of);
  });
  const differences = [
    ...foreign.map(([, object]) => `has ${named(object)}, which Dunlin did not make`),
    ...missing.map(([, object]) => `lacks ${named(object)}, which Dunlin made`),
    ...changed.map(([, object]) => `has ${named(object)} in another form than Dunlin made it`),
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

/** Objects of the schema. Statistics of ANALYZE (sqlite_stat1, sqlite_stat4) change no write and are left out. */
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
