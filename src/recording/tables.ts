import { type JsonRecord, type RecordedRow, type RecordedTable, recordedTables, type TableChange } from './records.ts';

/**
 * State of the tables after all records so far. The writer restates it in each segment, except for `passingTables`,
 * which the recorder writes. A reader can thus begin at any segment.
 */
export class Tables {
  readonly #tables = new Map(recordedTables.map((table) => [table, new Map<string, RecordedRow>()]));

  /** Applies a record that changes a table; ignores others. */
  take(record: JsonRecord): void {
    if (record.kind === 'registry') this.#change(record);
    else if (record.kind === 'link') {
      const { link_id: id, state, error } = record;
      this.#of('link_states').set(id, { id, state, error });
    } else if (record.kind === 'core') {
      const { seed, last_number } = record;
      this.#of('core').set('core', { id: 'core', seed, last_number });
    }
  }

  rows(table: RecordedTable): RecordedRow[] {
    return [...this.#of(table).values()];
  }

  #change(change: TableChange): void {
    const rows = this.#of(change.table);
    if (change.op === 'remove') for (const id of change.ids) rows.delete(id);
    else {
      if (change.op === 'all') rows.clear();
      for (const row of change.rows) rows.set(row.id, row);
    }
    if (change.table === 'links' && change.op === 'remove')
      for (const id of change.ids) this.#of('link_states').delete(id);
  }

  #of(table: RecordedTable): Map<string, RecordedRow> {
    return this.#tables.get(table) as Map<string, RecordedRow>;
  }
}
