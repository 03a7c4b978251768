import { systemActor } from '../../model/actor.ts';
import type { Asset } from '../../model/asset.ts';
import type { Assignment } from '../../model/assignment.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { DoctrineBody } from '../../model/doctrine.ts';
import { Fault } from '../../model/fault.ts';
import type { Region } from '../../model/region.ts';
import type { Zone } from '../../model/zone.ts';
import type { Registry } from '../../registry/registry.ts';
import type { RecordedRow, RecordedTable, TableChange } from '../../worlds/replay/records.ts';

/** In the order in which they hang on each other. */
const order = ['regions', 'zones', 'assets', 'assignments', 'decision', 'doctrine'] as const;
type Kept = (typeof order)[number];

/** Another decision config in the place of those that were recorded. */
export type OtherPolicy = DecisionPolicy | null;

/** What operators owned, as it was recorded, in a registry of its own: with the ids and versions that it had. */
export class RestoredRegistry {
  readonly #registry: Registry;
  readonly #policy: OtherPolicy;
  readonly #savedAt: string;
  /** What of the recording no registry takes: of a file that somebody made. */
  refused = 0;

  constructor(registry: Registry, savedAt: string, policy: OtherPolicy) {
    this.#registry = registry;
    this.#savedAt = savedAt;
    this.#policy = policy;
  }

  fill(tables: Readonly<Record<RecordedTable, readonly RecordedRow[]>>): void {
    for (const table of order) for (const row of tables[table]) this.#restore(table, row);
  }

  take(change: TableChange): void {
    const table = order.find((kept) => kept === change.table);
    if (!table) return;
    if (change.op === 'remove') for (const id of change.ids) this.#remove(table, id);
    else {
      if (change.op === 'all') this.#removeOthers(table, new Set(change.rows.map(({ id }) => id)));
      for (const row of change.rows) this.#restore(table, row);
    }
  }

  #restore(table: Kept, row: RecordedRow): void {
    try {
      this.#put(table, row);
    } catch {
      this.refused++;
    }
  }

  #put(table: Kept, row: RecordedRow): void {
    const { regions, zones, assets, assignments } = this.#registry;
    if (table === 'regions') regions.restore(row as unknown as Region);
    else if (table === 'zones') zones.restore(row as unknown as Zone);
    else if (table === 'assets') assets.restore(recordOf(row as unknown as Asset, this.#registry.rim.workspaceId));
    else if (table === 'assignments') assignments.restore(row as unknown as Assignment);
    else if (table === 'decision') this.#decide(row as unknown as { policy: DecisionPolicy; version: number });
    else {
      const { id: _id, version, ...body } = row as unknown as { id: string; version: number } & DoctrineBody;
      this.#registry.doctrine.restore(body, version, this.#savedAt);
    }
  }

  #decide({ policy, version }: { policy: DecisionPolicy; version: number }): void {
    this.#registry.decision.restore(this.#policy ?? policy, version, this.#savedAt);
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
      this.refused++;
    }
  }
}

/** When an asset's telemetry was heard first is not recorded, but that it was. */
function recordOf(asset: Asset, workspaceId: string): Parameters<Registry['assets']['restore']>[0] {
  const { id, name, kind, domain, spec, performance, placement, version } = asset;
  const serial = spec.remote_id_serial ?? null;
  const telemetryAt = asset.connection === 'never' ? null : asset.created_at;
  const times = { createdAt: asset.created_at, updatedAt: asset.updated_at };
  const own = { id, workspaceId, environment: 'live', name, kind, domain, serial } as const;
  return { ...own, spec, performance, placement, telemetryAt, version, ...times };
}
