import type { PackedRow } from '../../../src/store/log/packed.ts';
import { HistoryQueue } from '../../../src/store/log/queue.ts';
import { afterRow, type Batch, type RowSpan, timeOfRow, valuesOfRow } from '../../../src/store/log/row_bytes.ts';

/** A batch as the main thread posts it. */
export function batchOf(seq: number, rows: readonly PackedRow[]): Batch {
  const queue = new HistoryQueue(rows.length);
  for (const row of rows) queue.push(row);
  return { seq, spans: queue.take(rows.length) };
}

/** The rows of spans, as the history thread reads them. */
export function rowsIn(spans: readonly RowSpan[]): PackedRow[] {
  const rows: PackedRow[] = [];
  for (const { kind, bytes, start, end } of spans) {
    const view = Buffer.from(bytes);
    for (let at = start; at < end; at = afterRow(view, at))
      rows.push([kind, timeOfRow(view, at), ...valuesOfRow(view, at)]);
  }
  return rows;
}
