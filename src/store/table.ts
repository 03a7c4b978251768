import Database from 'better-sqlite3';
import type { z } from 'zod';
import { Fault, sentenceOf } from '../model/fault.ts';

type Scalar = string | number | null;

/** Conversion between a field of a row and its database column. */
export type Column<T> = { write(value: T): Scalar; read(stored: Scalar): T };

const asIs = (value: unknown): never => value as never;

/** Column whose value is stored unchanged; `T` narrows its type. */
export function plain<T extends Scalar>(): Column<T> {
  return { write: asIs, read: asIs };
}

export const text = plain<string>();
export const number = plain<number>();
export const flag: Column<boolean> = { write: Number, read: (stored) => stored === 1 };

/**
 * Column with a value as JSON text, which is not validated when read: it was validated when written, and no other
 * program writes it. `revive` adds fields that earlier versions did not write.
 */
export function json<T>(revive: (stored: T) => T = asIs): Column<T> {
  return { write: (value) => JSON.stringify(value), read: (stored) => revive(JSON.parse(String(stored))) };
}

/** Column with a value as JSON text, which is validated by `schema` when read. */
export function checked<T>(schema: z.ZodType<T>): Column<T> {
  const read = (value: T): T => {
    const { data, error } = schema.safeParse(value);
    if (error === undefined) return data as T;
    const [why] = error.issues;
    throw new Error(`${why?.path.join('.')}: ${why?.message}`);
  };
  return json(read);
}

/** Column that also accepts null. */
export function orNull<T>({ write, read }: Column<T>): Column<T | null> {
  if (read === asIs) return plain<Scalar>() as Column<T | null>;
  return {
    write: (value) => (value === null ? null : write(value)),
    read: (stored) => (stored === null ? null : read(stored)),
  };
}

type Columns<Row> = { readonly [Key in keyof Row]: Column<Row[Key]> };

/**
 * Returns a column for each field of a document, which stores the value unchanged. The caller must replace the columns
 * of fields with objects, lists or booleans.
 */
export function plainColumns<Row>(schema: z.ZodType<Row> & { shape: Record<keyof Row, unknown> }): Columns<Row> {
  return Object.fromEntries(Object.keys(schema.shape).map((key) => [key, plain()])) as Columns<Row>;
}

/** Table: its name, the noun for one row in error sentences, and its columns by their field names. */
export type Table<Row extends object> = {
  readonly name: string;
  readonly noun: string;
  readonly columns: Columns<Row>;
};
export type RowOf<T> = T extends Table<infer Row> ? Row : never;

/** Declares a table. The type of its rows follows from the columns. */
export function table<Row extends object>(name: string, noun: string, columns: Columns<Row>): Table<Row> {
  return { name, noun, columns };
}

/** Fields of a row that are written. The column `number` is not, because SQLite sets it. */
type Written<Row> = Omit<Row, 'number'>;
type Name<Row> = keyof Written<Row> & string;

type DocumentOf<Row> = Row extends { document: infer Document } ? Document : never;

/** Builds the statements of one table. The `where` clause of a query may end with ORDER BY and LIMIT. */
export class Statements<Row extends object> {
  readonly #db: Database.Database;
  readonly #table: Table<Row>;
  readonly #written: readonly Name<Row>[];
  /** Columns whose stored values differ from the values in a row. */
  readonly #coded: readonly [string, Column<unknown>][];
  /** Column list of a SELECT, for example `id, workspace_id AS workspaceId, …`. */
  readonly select: string;

  constructor(db: Database.Database, table: Table<Row>) {
    this.#db = db;
    this.#table = table;
    const columns = Object.entries<Column<unknown>>(table.columns);
    this.#written = columns.map(([key]) => key as Name<Row>).filter((key) => String(key) !== 'number');
    this.#coded = columns.filter(([, { read }]) => read !== asIs);
    this.select = columns.map(([key]) => `${table.name}.${columnOf(key)} AS ${key}`).join(', ');
  }

  all<Values extends unknown[]>(where: string): (...values: Values) => Row[] {
    const statement = this.#prepare(`SELECT ${this.select} FROM ${this.#table.name} WHERE ${where}`);
    return (...values) => statement.all(...values).map((stored) => this.#rowOf(stored));
  }

  one<Values extends unknown[]>(where: string): (...values: Values) => Row | null {
    const statement = this.#prepare(`SELECT ${this.select} FROM ${this.#table.name} WHERE ${where}`);
    return (...values) => {
      const stored = statement.get(...values);
      return stored === undefined ? null : this.#rowOf(stored);
    };
  }

  /** Builds a query that returns only the documents of the rows. */
  documents<Values extends unknown[]>(where: string): (...values: Values) => DocumentOf<Row>[] {
    const read = this.all<Values>(where);
    return (...values) => read(...values).map(documentOf);
  }

  document<Values extends unknown[]>(where: string): (...values: Values) => DocumentOf<Row> | null {
    const read = this.one<Values>(where);
    return (...values) => {
      const row = read(...values);
      return row === null ? null : documentOf(row);
    };
  }

  /** Builds a statement that inserts a row and returns its number. `how` decides what happens if the key exists. */
  insert(how: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT'): (row: Written<Row>) => number {
    const statement = this.#db.prepare(this.#insertion(how));
    return (row) => Number(statement.run(this.#storedOf(row)).lastInsertRowid);
  }

  /**
   * Builds a statement that inserts a row. If a row with the same `key` columns exists, it updates only the columns
   * `changed`.
   */
  put(key: readonly Name<Row>[], changed: readonly Name<Row>[]): (row: Written<Row>) => void {
    const set = changed.map((each) => `${columnOf(each)} = excluded.${columnOf(each)}`).join(', ');
    const conflict = `ON CONFLICT (${key.map(columnOf).join(', ')}) DO UPDATE SET ${set}`;
    const statement = this.#db.prepare(`${this.#insertion()} ${conflict}`);
    return (row) => void statement.run(this.#storedOf(row));
  }

  /**
   * Builds a statement that updates all columns except `fixed`, in the rows that match `where`. `where` refers to
   * values by name, as `@id`. The statement returns the number of updated rows.
   */
  update<More extends object>(fixed: readonly Name<Row>[], where: string): (row: Written<Row> & More) => number {
    const changed = this.#written.filter((each) => !fixed.includes(each));
    const set = changed.map((each) => `${columnOf(each)} = @${each}`).join(', ');
    const statement = this.#db.prepare(`UPDATE ${this.#table.name} SET ${set} WHERE ${where}`);
    return (row) => statement.run(this.#storedOf(row)).changes;
  }

  /** Builds a statement that deletes rows and returns their number. */
  delete<Values extends unknown[]>(where: string): (...values: Values) => number {
    const statement = this.#db.prepare(`DELETE FROM ${this.#table.name} WHERE ${where}`);
    return (...values) => statement.run(...values).changes;
  }

  /** Runs `work`, which writes a row. Throws a Fault `conflict` if another row already has the name. */
  refusingTaken(name: string, work: () => unknown): void {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof Database.SqliteError) || thrown.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw thrown;
      const { noun } = this.#table;
      const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
      throw new Fault('conflict', `there is already ${article} ${noun} called ${name}`, { cause: thrown });
    }
  }

  #prepare(sql: string) {
    return this.#db.prepare<unknown[], Record<string, unknown>>(sql);
  }

  #insertion(how = 'INSERT'): string {
    const values = this.#written.map((each) => `@${each}`);
    return `${how} INTO ${this.#table.name} (${this.#written.map(columnOf).join(', ')}) VALUES (${values.join(', ')})`;
  }

  #storedOf(row: object): object {
    const stored: Record<string, unknown> = { ...row };
    for (const [key, column] of this.#coded) stored[key] = column.write(stored[key]);
    return stored;
  }

  #rowOf(stored: Record<string, unknown>): Row {
    for (const [key, column] of this.#coded) {
      try {
        stored[key] = column.read(stored[key] as Scalar);
      } catch (thrown) {
        const which = `${key} of ${this.#table.noun} ${stored.name ?? stored.id}`;
        throw new Fault('internal', `The stored ${which} is invalid: ${sentenceOf(thrown)}.`, { cause: thrown });
      }
    }
    return stored as Row;
  }
}

function documentOf<Row>(row: Row): DocumentOf<Row> {
  return (row as { document: DocumentOf<Row> }).document;
}

/** Returns the column name of a field, for example `workspace_id` for `workspaceId`. */
function columnOf(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
