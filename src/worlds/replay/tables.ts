import { type JsonRecord, type RecordedRow, type RecordedTable, recordedTables, type TableChange } from './records.ts';

/** What the records so far make of each table. Whoever writes keeps it to say it again, whoever reads to begin anywhere. */
export class Tables {
  readonly #tables = new Map<RecordedTable, Map<string, RecordedRow>>();

  /** Takes what changes a table, and leaves the rest. */
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
    return [...(this.#tables.get(table)?.values() ?? [])];
  }

  all(): Record<RecordedTable, readonly RecordedRow[]> {
    const every = recordedTables.map((table) => [table, this.rows(table)] as const);
    return Object.fromEntries(every) as unknown as Record<RecordedTable, RecordedRow[]>;
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
    const known = this.#tables.get(table);
    if (known) return known;
    const made = new Map<string, RecordedRow>();
    this.#tables.set(table, made);
    return made;
  }
}
