import type { AssetPlacement, AssetSpec } from '../model/asset.ts';
import type { AssetDomain, AssetKind } from '../model/catalog.ts';
import type { PlatformPerformance } from '../model/performance.ts';
import type { State } from './state.ts';
import { json, number, orNull, plain, type RowOf, Statements, table, text } from './table.ts';
import { type Environment, inScope, type Scope } from './workspaces.ts';

/**
 * Assets as stored. Their affiliations and the data received from them are stored elsewhere. Times are RFC 3339 UTC.
 */
const assets = table('assets', 'asset', {
  id: text,
  workspaceId: text,
  environment: plain<Environment>(),
  name: text,
  kind: plain<AssetKind>(),
  domain: orNull(plain<AssetDomain>()),
  /** Copy of `spec.remote_id_serial`, for the database index. */
  serial: orNull(text),
  spec: json<AssetSpec>(),
  performance: orNull(json<PlatformPerformance>()),
  placement: orNull(json<AssetPlacement>()),
  /** Time of the asset's first telemetry over a link that proves its sender; null before. */
  telemetryAt: orNull(text),
  version: number,
  createdAt: text,
  updatedAt: text,
});
export type AssetRecord = RowOf<typeof assets>;
export type AssetRows = ReturnType<typeof assetRows>;

const aliases = table('asset_aliases', 'alias', {
  workspaceId: text,
  environment: plain<Environment>(),
  alias: text,
  assetId: text,
});

/**
 * SQL statements of the tables `assets` and `asset_aliases`. Call those that write inside `Ledger.change`, or for rows
 * of a recording inside `State.write`.
 */
export function assetRows({ db }: State) {
  const rows = new Statements(db, assets);
  const aliasRows = new Statements(db, aliases);
  return {
    /** Returns all assets of the scope, sorted by name. */
    list: rows.all<[Scope]>(`${inScope} ORDER BY name, id`),
    insert: rows.insert(),
    update: rows.update(['id', 'workspaceId', 'environment', 'createdAt'], 'id = @id'),
    delete: rows.delete<[id: string]>('id = ?'),
    aliases: aliasRows.all<[Scope]>(`${inScope} ORDER BY alias`),
    addAlias: aliasRows.insert(),
  };
}
