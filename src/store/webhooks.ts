import type { Delivery } from '../model/webhook.ts';
import { alertSeverities } from '../model/zone.ts';
import { refusingTaken } from './documents.ts';
import type { State } from './state.ts';

/** What is kept of a webhook; its secret is sealed elsewhere. */
export type WebhookRow = {
  id: string;
  workspaceId: string;
  name: string;
  document: unknown;
  version: number;
  createdAt: string;
  updatedAt: string;
};

/** A delivery as it is kept. `number` is its place in the order of its webhook. */
export type DeliveryRow = {
  number: number;
  id: string;
  webhookId: string;
  kind: Delivery['kind'];
  severity: Delivery['severity'];
  status: Delivery['status'];
  attempts: number;
  createdMs: number;
  lastMs: number | null;
  nextMs: number | null;
  statusCode: number | null;
  error: string | null;
  tookMs: number | null;
  body: string;
};

export type DeliveryPage = { rows: DeliveryRow[]; next: { ms: number; number: number } | null };

type StoredHook = Omit<WebhookRow, 'document'> & { document: string };
type StoredDelivery = Omit<DeliveryRow, 'severity'> & { severity: number };

const hookColumns =
  'id, workspace_id AS workspaceId, name, document, version, created_at AS createdAt, updated_at AS updatedAt';
const deliveryColumns = `number, id, webhook_id AS webhookId, kind, severity, status, attempts, created_ms AS createdMs,
  last_ms AS lastMs, next_ms AS nextMs, status_code AS statusCode, error, took_ms AS tookMs, body`;

export type WebhookRows = {
  /** By name. */
  list(workspaceId: string): WebhookRow[];
  /** Throws a Fault `conflict` where the name is taken in the workspace. Call within a change of the ledger. */
  insert(row: WebhookRow): void;
  /** Writes over the row of the same id; throws as `insert`. */
  update(row: WebhookRow): void;
  /** Its deliveries go with it. */
  delete(workspaceId: string, id: string): void;
};

export function webhookRows({ db }: State): WebhookRows {
  const list = db.prepare<[string], StoredHook>(
    `SELECT ${hookColumns} FROM webhooks WHERE workspace_id = ? ORDER BY name, id`,
  );
  const insert = db.prepare<[StoredHook]>(
    `INSERT INTO webhooks (id, workspace_id, name, document, version, created_at, updated_at)
     VALUES (@id, @workspaceId, @name, @document, @version, @createdAt, @updatedAt)`,
  );
  const update = db.prepare<[StoredHook]>(
    `UPDATE webhooks SET name = @name, document = @document, version = @version, updated_at = @updatedAt
     WHERE id = @id AND workspace_id = @workspaceId`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM webhooks WHERE workspace_id = ? AND id = ?');
  const storedOf = (row: WebhookRow): StoredHook => ({ ...row, document: JSON.stringify(row.document) });
  return {
    list: (workspaceId) => list.all(workspaceId).map((row) => ({ ...row, document: JSON.parse(row.document) })),
    insert: (row) => refusingTaken('webhook', row.name, () => insert.run(storedOf(row))),
    update: (row) => refusingTaken('webhook', row.name, () => update.run(storedOf(row))),
    delete: (workspaceId, id) => void remove.run(workspaceId, id),
  };
}

export type DeliveryRows = {
  /** Those of a webhook that are still to be delivered, in their order. */
  due(webhookId: string): DeliveryRow[];
  /** Returns the number it was given. Call within a write of the state. */
  insert(row: Omit<DeliveryRow, 'number'>): number;
  /** What became of it. Call within a write of the state. */
  update(row: DeliveryRow): void;
  /** The newest first. */
  page(webhookId: string, limit: number, beforeNumber: number | null): DeliveryPage;
  /** Keeps the newest `most` of a webhook and those that are due. Call within a write of the state. */
  prune(webhookId: string, most: number): void;
};

export function deliveryRows({ db }: State): DeliveryRows {
  const due = db.prepare<[string], StoredDelivery>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE webhook_id = ? AND status = 'due' ORDER BY number`,
  );
  const insert = db.prepare<[Omit<StoredDelivery, 'number'>]>(
    `INSERT INTO deliveries (id, webhook_id, kind, severity, status, attempts, created_ms, last_ms, next_ms, status_code,
       error, took_ms, body)
     VALUES (@id, @webhookId, @kind, @severity, @status, @attempts, @createdMs, @lastMs, @nextMs, @statusCode,
       @error, @tookMs, @body)`,
  );
  const update = db.prepare<[StoredDelivery]>(
    `UPDATE deliveries SET status = @status, attempts = @attempts, last_ms = @lastMs, next_ms = @nextMs,
       status_code = @statusCode, error = @error, took_ms = @tookMs,
       body = CASE WHEN @status = 'due' THEN body ELSE '' END WHERE number = @number`,
  );
  const page = db.prepare<[string, number, number], StoredDelivery>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE webhook_id = ? AND number < ? ORDER BY number DESC LIMIT ?`,
  );
  const prune = db.prepare<[string, string, number]>(
    `DELETE FROM deliveries WHERE webhook_id = ? AND status <> 'due' AND number <= (
       SELECT number FROM deliveries WHERE webhook_id = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  );
  return {
    due: (webhookId) => due.all(webhookId).map(rowOf),
    insert: (row) => Number(insert.run({ ...row, severity: alertSeverities.indexOf(row.severity) }).lastInsertRowid),
    update: (row) => void update.run({ ...row, severity: alertSeverities.indexOf(row.severity) }),
    page(webhookId, limit, beforeNumber) {
      const found = page.all(webhookId, beforeNumber ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const rows = found.slice(0, limit).map(rowOf);
      const last = rows.at(-1);
      return { rows, next: found.length > limit && last ? { ms: last.createdMs, number: last.number } : null };
    },
    prune: (webhookId, most) => void prune.run(webhookId, webhookId, most),
  };
}

function rowOf({ severity, ...row }: StoredDelivery): DeliveryRow {
  return { ...row, severity: alertSeverities[severity] ?? 'info' };
}
