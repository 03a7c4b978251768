import type { Migration } from '../migrate.ts';
import { documentTable } from './document_table.ts';

/** Tables of alerts, webhooks and their deliveries. */
export const alerts: Migration = {
  version: 4,
  sql: `
    CREATE TABLE alerts (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      event_key TEXT NOT NULL,
      notify INTEGER NOT NULL CHECK (notify IN (0, 1)),
      state TEXT NOT NULL,
      severity INTEGER NOT NULL,
      settled INTEGER NOT NULL CHECK (settled IN (0, 1)),
      raised_ms INTEGER NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document))
    ) STRICT;
    CREATE INDEX alerts_newest ON alerts (workspace_id, raised_ms, number);
    CREATE INDEX alerts_open ON alerts (workspace_id, number) WHERE settled = 0;

    ${documentTable('webhooks')};
    CREATE TABLE deliveries (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      severity INTEGER NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('due', 'done', 'given_up', 'dropped')),
      attempts INTEGER NOT NULL,
      created_ms INTEGER NOT NULL,
      last_ms INTEGER,
      next_ms INTEGER,
      status_code INTEGER,
      error TEXT,
      took_ms REAL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX deliveries_of ON deliveries (webhook_id, number);
    CREATE INDEX deliveries_due ON deliveries (webhook_id, number) WHERE status = 'due';
  `,
};
