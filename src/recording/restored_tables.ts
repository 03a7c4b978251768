import type { TableChange } from './records.ts';
import { RefusedRows, type RestoredRow } from './restored_rows.ts';
import type { Tables } from './tables.ts';

type Held = Omit<RestoredRow, 'tracks' | 'core' | 'ingest' | 'changes'>;
export type HeldTable = keyof Held;

/** A change of a table, with the ids of the changed rows. */
export type RestoredChange = { table: HeldTable; op: TableChange['op']; ids: readonly string[] };

/**
 * Tables of a recording in a replay. They contain the rows that fit their schemas; each row is parsed once. `refused`
 * counts the other rows.
 */
export class RestoredTables {
  readonly refused = new RefusedRows();
  readonly #held: { readonly [T in HeldTable]: Map<string, Held[T]> } = {
    ...{ settings: new Map(), links: new Map(), link_states: new Map(), sensors: new Map(), rules: new Map() },
    ...{ assets: new Map(), assignments: new Map(), zones: new Map(), regions: new Map() },
    ...{ decision: new Map(), doctrine: new Map(), words: new Map(), alerts: new Map() },
  };

  constructor(tables: Tables) {
    for (const table of Object.keys(this.#held) as HeldTable[])
      this.take({ kind: 'registry', table, op: 'all', rows: tables.rows(table) });
  }

  /** Applies a change and returns it; null if a replay does not restore the table. */
  take(change: TableChange): RestoredChange | null {
    const { table, op } = change;
    if (!this.#isHeld(table)) return null;
    const ids = op === 'remove' ? this.#remove(table, change.ids) : this.#put(table, op, change.rows);
    return { table, op, ids };
  }

  rows<T extends HeldTable>(table: T): Held[T][] {
    return [...this.#held[table].values()];
  }

  rowsOf<T extends HeldTable>(table: T, ids: readonly string[]): Held[T][] {
    return ids.flatMap((id) => this.#held[table].get(id) ?? []);
  }

  #put<T extends HeldTable>(table: T, op: TableChange['op'], rows: readonly unknown[]): string[] {
    const held = this.#held[table];
    if (op === 'all') held.clear();
    return this.refused.fitting(table, rows).map((row) => {
      held.set(row.id, row);
      return row.id;
    });
  }

  #remove(table: HeldTable, ids: readonly string[]): readonly string[] {
    for (const id of ids) this.#held[table].delete(id);
    return ids;
  }

  #isHeld(table: string): table is HeldTable {
    return table in this.#held;
  }
}
