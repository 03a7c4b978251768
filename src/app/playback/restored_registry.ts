import { systemActor } from '../../model/actor.ts';
import type { Asset } from '../../model/asset.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { Fault } from '../../model/fault.ts';
import type { RestoredRow } from '../../recording/restored_rows.ts';
import type { RestoredChange, RestoredTables } from '../../recording/restored_tables.ts';
import type { Registry } from '../../registry/registry.ts';

/** Tables in the order of their dependencies: a table depends only on tables before it. */
const order = ['regions', 'zones', 'assets', 'assignments', 'decision', 'doctrine'] as const;
type Kept = (typeof order)[number];

/** Policy in place of the recorded policies; null keeps the recorded policies. */
export type OtherPolicy = DecisionPolicy | null;

/** Restores the recorded rows of a registry, with their ids and versions, into the registry of a replay. */
export class RestoredRegistry {
  readonly #registry: Registry;
  readonly #tables: RestoredTables;
  readonly #put: { readonly [T in Kept]: (row: RestoredRow[T]) => void };

  constructor(registry: Registry, tables: RestoredTables, savedAt: string, other: OtherPolicy) {
    const { regions, zones, assets, assignments, decision, doctrine, deps } = registry;
    this.#registry = registry;
    this.#tables = tables;
    this.#put = {
      regions: (row) => regions.restore(row),
      zones: (row) => zones.restore(row),
      assets: (row) => assets.restore(recordOf(row, deps.workspaceId)),
      assignments: (row) => assignments.restore(row),
      decision: ({ policy, version }) => decision.restore(other ?? policy, version, savedAt),
      doctrine: ({ id: _id, version, ...body }) => doctrine.restore(body, version, savedAt),
    };
    for (const table of order) this.#restore(table, tables.rows(table));
    // A recording without a policy restores none, so `other` is restored here.
    if (other && tables.rows('decision').length === 0) decision.restore(other, 0, savedAt);
  }

  take({ table: changed, op, ids }: RestoredChange): void {
    const table = order.find((kept) => kept === changed);
    if (!table) return;
    if (op === 'remove') for (const id of ids) this.#remove(table, id);
    else {
      if (op === 'all') this.#removeOthers(table, new Set(ids));
      this.#restore(table, this.#tables.rowsOf(table, ids));
    }
  }

  /** Restores rows. The registry may refuse a row that conflicts with other rows; such a row is counted as refused. */
  #restore<T extends Kept>(table: T, rows: readonly RestoredRow[T][]): void {
    for (const row of rows) {
      try {
        this.#put[table](row);
      } catch {
        this.#tables.refused.add(table);
      }
    }
  }

  #removeOthers(table: Kept, kept: ReadonlySet<string>): void {
    if (table === 'decision' || table === 'doctrine') return;
    const there = table === 'assignments' ? this.#registry.assignments.active() : this.#registry[table].list();
    for (const { id } of there) if (!kept.has(id)) this.#remove(table, id);
  }

  #remove(table: Kept, id: string): void {
    const { regions, zones, assets, assignments } = this.#registry;
    try {
      if (table === 'regions') regions.remove(id, systemActor);
      else if (table === 'zones') zones.remove(id, systemActor);
      else if (table === 'assets') assets.remove(id, systemActor);
      else if (table === 'assignments') assignments.restore({ ...assignments.get(id), active: false });
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#tables.refused.add(table);
    }
  }
}

/**
 * Returns the stored record of an asset. A recording lacks the time of the first telemetry, so the creation
 * time of the asset is used for an asset that had telemetry.
 */
function recordOf(asset: Asset, workspaceId: string): Parameters<Registry['assets']['restore']>[0] {
  const { id, name, kind, domain, spec, performance, placement, version } = asset;
  const serial = spec.remote_id_serial ?? null;
  const telemetryAt = asset.connection === 'never' ? null : asset.created_at;
  const times = { createdAt: asset.created_at, updatedAt: asset.updated_at };
  const own = { id, workspaceId, environment: 'live', name, kind, domain, serial } as const;
  return { ...own, spec, performance, placement, telemetryAt, version, ...times };
}
