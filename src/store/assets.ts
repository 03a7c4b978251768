import type { AssetPlacement, AssetSpec } from '../model/asset.ts';
import type { AssetDomain, AssetKind } from '../model/catalog.ts';
import type { PlatformPerformance } from '../model/performance.ts';
import type { State } from './state.ts';
import type { Environment, Scope } from './workspaces.ts';

/** An asset as stored. What is heard of it, and whom it is held for, stands elsewhere. Times are RFC 3339 UTC. */
export type AssetRecord = {
  id: string;
  workspaceId: string;
  environment: Environment;
  name: string;
  kind: AssetKind;
  domain: AssetDomain | null;
  /** The same as `spec.remote_id_serial`, for the index. */
  serial: string | null;
  spec: AssetSpec;
  performance: PlatformPerformance | null;
  placement: AssetPlacement | null;
  /** When its own authenticated telemetry was heard first. */
  telemetryAt: string | null;
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type AssetAlias = { alias: string; assetId: string };

/** The statements of the tables `assets` and `asset_aliases`; each runs inside a change of the ledger. */
export type AssetRows = {
  /** By name. */
  list(scope: Scope): AssetRecord[];
  aliases(scope: Scope): AssetAlias[];
  insert(record: AssetRecord): void;
  update(record: AssetRecord): void;
  delete(id: string): void;
  addAlias(scope: Scope, alias: AssetAlias): void;
};

type Document = 'spec' | 'performance' | 'placement';
type Stored = Omit<AssetRecord, Document> & Record<Document, string | null>;

const columns = `id, workspace_id AS workspaceId, environment, name, kind, domain, serial, spec, performance, placement,
  telemetry_at AS telemetryAt, version, created_at AS createdAt, updated_at AS updatedAt`;
const inScope = 'workspace_id = @workspaceId AND environment = @environment';

export function assetRows(state: State): AssetRows {
  const { db } = state;
  const list = db.prepare<[Scope], Stored>(`SELECT ${columns} FROM assets WHERE ${inScope} ORDER BY name, id`);
  const aliases = db.prepare<[Scope], AssetAlias>(
    `SELECT alias, asset_id AS assetId FROM asset_aliases WHERE ${inScope} ORDER BY alias`,
  );
  const insert = db.prepare<[Stored]>(
    `INSERT INTO assets (id, workspace_id, environment, name, kind, domain, serial, spec, performance, placement,
       telemetry_at, version, created_at, updated_at)
     VALUES (@id, @workspaceId, @environment, @name, @kind, @domain, @serial, @spec, @performance, @placement,
       @telemetryAt, @version, @createdAt, @updatedAt)`,
  );
  const update = db.prepare<[Stored]>(
    `UPDATE assets SET name = @name, kind = @kind, domain = @domain, serial = @serial, spec = @spec,
       performance = @performance, placement = @placement, telemetry_at = @telemetryAt, version = @version,
       updated_at = @updatedAt
     WHERE id = @id`,
  );
  const remove = db.prepare<[string]>('DELETE FROM assets WHERE id = ?');
  const addAlias = db.prepare<[Scope & AssetAlias]>(
    `INSERT INTO asset_aliases (workspace_id, environment, alias, asset_id)
     VALUES (@workspaceId, @environment, @alias, @assetId)`,
  );
  return {
    list: (scope) => list.all(scope).map(recordOf),
    aliases: (scope) => aliases.all(scope),
    insert: (record) => void insert.run(storedOf(record)),
    update: (record) => void update.run(storedOf(record)),
    delete: (id) => void remove.run(id),
    addAlias: (scope, alias) => void addAlias.run({ ...scope, ...alias }),
  };
}

function storedOf(record: AssetRecord): Stored {
  const text = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
  const { spec, performance, placement } = record;
  return { ...record, spec: text(spec), performance: text(performance), placement: text(placement) };
}

/** What stands in a column was validated when it was written, and nobody else writes it. */
function recordOf(stored: Stored): AssetRecord {
  const read = (text: string | null) => (text === null ? null : JSON.parse(text));
  const { spec, performance, placement } = stored;
  return { ...stored, spec: read(spec) ?? {}, performance: read(performance), placement: read(placement) };
}
