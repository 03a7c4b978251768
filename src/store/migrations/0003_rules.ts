import type { Migration } from '../migrate.ts';
import { documentTable } from './document_table.ts';

/** Tables of rules. For a built-in rule only its changes are stored. Counts of firings change without audit rows. */
export const rules: Migration = {
  version: 3,
  sql: `
    ${documentTable('rules')};
    CREATE TABLE builtin_rules (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      id TEXT NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document)),
      version INTEGER NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (workspace_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rule_counts (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      rule_id TEXT NOT NULL,
      fired INTEGER NOT NULL,
      suppressed INTEGER NOT NULL,
      last_at TEXT,
      last_track_id TEXT,
      PRIMARY KEY (workspace_id, rule_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
