import type { Migration } from '../migrate.ts';
import { documentTable } from './document_table.ts';

/** Tables of registry, access and audit log. */
export const registry: Migration = {
  version: 2,
  sql: `
    CREATE TABLE audit (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      workspace_id TEXT,
      at TEXT NOT NULL,
      kind TEXT NOT NULL,
      severity TEXT NOT NULL,
      actor TEXT NOT NULL CHECK (json_valid(actor)),
      subject TEXT CHECK (subject IS NULL OR json_valid(subject)),
      text TEXT NOT NULL,
      before TEXT CHECK (before IS NULL OR json_valid(before)),
      after TEXT CHECK (after IS NULL OR json_valid(after)),
      reason TEXT,
      correlation_id TEXT,
      policy_version INTEGER,
      provenance TEXT NOT NULL,
      prev_hash TEXT NOT NULL,
      hash TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_at ON audit (workspace_id, at, seq);
    CREATE INDEX audit_kind ON audit (workspace_id, kind, severity, at, seq);
    CREATE INDEX audit_severity ON audit (workspace_id, severity, at, seq);
    CREATE INDEX audit_subject ON audit (workspace_id, subject ->> 'id', at, seq);
    CREATE TABLE audit_checkpoints (
      seq INTEGER PRIMARY KEY,
      hash TEXT NOT NULL,
      at TEXT NOT NULL,
      signature TEXT NOT NULL
    ) STRICT;
    CREATE TRIGGER audit_is_not_rewritten BEFORE UPDATE ON audit
      BEGIN SELECT raise(ABORT, 'the audit log is appended only'); END;
    CREATE TRIGGER audit_is_not_cut BEFORE DELETE ON audit
      WHEN NOT EXISTS (SELECT 1 FROM audit_checkpoints WHERE seq >= old.seq)
      BEGIN SELECT raise(ABORT, 'the audit log is pruned only up to a signed checkpoint'); END;

    CREATE TABLE users (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      folded_name TEXT NOT NULL UNIQUE,
      password TEXT NOT NULL,
      version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE memberships (
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'owner')),
      PRIMARY KEY (user_id, workspace_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sessions (
      hash TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_ms INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE api_keys (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      prefix TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'owner')),
      may_command INTEGER NOT NULL CHECK (may_command IN (0, 1)),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      last_used_at TEXT,
      revoked_at TEXT
    ) STRICT;

    CREATE TABLE catalog_entries (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      folded_name TEXT NOT NULL,
      spec TEXT NOT NULL CHECK (json_valid(spec)),
      builtin INTEGER NOT NULL CHECK (builtin IN (0, 1)),
      version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (workspace_id, folded_name)
    ) STRICT;

    CREATE TABLE assets (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      environment TEXT NOT NULL CHECK (environment IN ('live', 'sim')),
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      domain TEXT,
      serial TEXT,
      spec TEXT NOT NULL CHECK (json_valid(spec)),
      performance TEXT CHECK (performance IS NULL OR json_valid(performance)),
      placement TEXT CHECK (placement IS NULL OR json_valid(placement)),
      -- When its own authenticated telemetry was heard first: from then on its name alone makes no friend.
      telemetry_at TEXT,
      version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX one_asset_a_serial ON assets (workspace_id, environment, serial) WHERE serial IS NOT NULL;
    CREATE INDEX assets_of_workspace ON assets (workspace_id, environment, name);
    CREATE TABLE asset_aliases (
      workspace_id TEXT NOT NULL,
      environment TEXT NOT NULL,
      alias TEXT NOT NULL,
      asset_id TEXT NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
      PRIMARY KEY (workspace_id, environment, alias)
    ) STRICT, WITHOUT ROWID;

    -- Assignments outlive their asset: who was held for what, and when, is history.
    CREATE TABLE assignments (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      environment TEXT NOT NULL CHECK (environment IN ('live', 'sim')),
      asset_id TEXT NOT NULL,
      serial TEXT,
      name TEXT,
      affiliation TEXT NOT NULL CHECK (affiliation IN ('friend', 'hostile', 'neutral', 'unknown')),
      active INTEGER NOT NULL CHECK (active IN (0, 1)),
      operator TEXT,
      role TEXT,
      reason TEXT,
      source TEXT NOT NULL CHECK (source IN ('registry', 'operator', 'import')),
      confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      superseded_at TEXT,
      superseded_by TEXT,
      expires_at TEXT,
      version INTEGER NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX one_active_assignment ON assignments (asset_id) WHERE active = 1;
    CREATE INDEX assignments_of_workspace ON assignments (workspace_id, environment, created_at);

    ${documentTable('zones')};
    ${documentTable('regions')};
    CREATE TABLE links (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      issued_for TEXT,
      document TEXT NOT NULL CHECK (json_valid(document)),
      version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (workspace_id, name)
    ) STRICT;

    -- Every version that was saved: what a decision was made under can be read for ever.
    CREATE TABLE decision_configs (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document)),
      saved_at TEXT NOT NULL,
      saved_by TEXT NOT NULL,
      PRIMARY KEY (workspace_id, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE doctrines (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document)),
      saved_at TEXT NOT NULL,
      saved_by TEXT NOT NULL,
      PRIMARY KEY (workspace_id, version)
    ) STRICT, WITHOUT ROWID;
    -- Switches and single values; an empty workspace is the whole box.
    CREATE TABLE settings (
      workspace_id TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL CHECK (json_valid(value)),
      updated_at TEXT NOT NULL,
      updated_by TEXT NOT NULL,
      PRIMARY KEY (workspace_id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sealed_secrets (
      workspace_id TEXT NOT NULL,
      name TEXT NOT NULL,
      sealed BLOB NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (workspace_id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE holds (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      track_id TEXT,
      since_ms INTEGER,
      until_ms INTEGER,
      reason TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL
    ) STRICT;
  `,
};
