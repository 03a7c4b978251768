import type { Delivery } from '../model/webhook.ts';
import { alertSeverities } from '../model/zone.ts';
import { type Page, pageOf } from './page.ts';
import type { State } from './state.ts';
import { type Column, number, orNull, plain, type RowOf, Statements, table, text } from './table.ts';

const severityRank: Column<Delivery['severity']> = {
  write: (severity) => alertSeverities.indexOf(severity),
  read: (rank) => alertSeverities[Number(rank)] ?? 'info',
};

/** Deliveries of webhooks. `number` orders the deliveries of a webhook. */
const deliveries = table('deliveries', 'delivery', {
  number,
  id: text,
  webhookId: text,
  kind: plain<Delivery['kind']>(),
  severity: severityRank,
  status: plain<Delivery['status']>(),
  attempts: number,
  createdMs: number,
  lastMs: orNull(number),
  nextMs: orNull(number),
  statusCode: orNull(number),
  error: orNull(text),
  tookMs: orNull(number),
  body: text,
});
export type DeliveryRow = RowOf<typeof deliveries>;
export type DeliveryRows = ReturnType<typeof deliveryRows>;

export function deliveryRows({ db }: State) {
  const rows = new Statements(db, deliveries);
  const update = db.prepare<[Omit<DeliveryRow, 'severity'>]>(
    `UPDATE deliveries SET status = @status, attempts = @attempts, last_ms = @lastMs, next_ms = @nextMs,
       status_code = @statusCode, error = @error, took_ms = @tookMs,
       body = CASE WHEN @status = 'due' THEN body ELSE '' END WHERE number = @number`,
  );
  const page = rows.all<[string, number, number]>('webhook_id = ? AND number < ? ORDER BY number DESC LIMIT ?');
  const prune = rows.delete<[string, string, number]>(
    `webhook_id = ? AND status <> 'due' AND number <= (
       SELECT number FROM deliveries WHERE webhook_id = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  );
  return {
    /** Returns the deliveries of a webhook that are still to be sent, in order. */
    due: rows.all<[webhookId: string]>("webhook_id = ? AND status = 'due' ORDER BY number"),
    /** Inserts a delivery and returns its number. Call it within a write of the state. */
    insert: rows.insert(),
    /** Writes the outcome of an attempt. Call it within a write of the state. */
    update: (row: DeliveryRow) => void update.run(row),
    /** Returns one page of a webhook's deliveries, the newest first. */
    page(webhookId: string, limit: number, beforeNumber: number | null): Page<DeliveryRow> {
      const found = page(webhookId, beforeNumber ?? Number.MAX_SAFE_INTEGER, limit + 1);
      return pageOf(found, limit, ({ createdMs: ms, number }) => ({ ms, number }));
    },
    /**
     * Deletes deliveries of a webhook; the newest `most` remain, and all that are still to be sent. Call it within a
     * write of the state.
     */
    prune: (webhookId: string, most: number) => prune(webhookId, webhookId, most),
  };
}
