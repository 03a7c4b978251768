import { setImmediate as turn } from 'node:timers/promises';
import type { Actor } from '../../model/actor.ts';
import { type AssetSpec, NON_FORCE } from '../../model/asset.ts';
import { type AssetImportAnswer, type AssetImportRow, assetImportRowSchema } from '../../model/asset_request.ts';
import type { Affiliation } from '../../model/assignment.ts';
import { conflict, Fault, invalidInput } from '../../model/fault.ts';
import { faultOfIssues } from '../../model/issue.ts';
import type { AssetRecord } from '../../store/assets.ts';
import type { Assignments } from '../assignments.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type After, committed } from '../change.ts';
import type { RegistryDeps } from '../deps.ts';
import { ofDeed } from '../provenance.ts';
import { type AssetIndex, type AssetIndexes, foldKey } from './asset_index.ts';
import { type Assets, type NewAsset, refuseFull } from './assets.ts';
import { settleModel } from './rules.ts';

/** Row of an import as received. `row` counts from 1; `error` is the reason why the row could not be parsed. */
export type RawRow = { row: number; value: unknown; error?: string | null };

/** Effect of a valid row: the existing or new asset, and its affiliation. `was` is undefined for a new asset. */
type Step = { was: AssetRecord | undefined; made: NewAsset; rewrites: boolean; assigned: Affiliation | null };

type Deps = { deps: RegistryDeps; indexes: AssetIndexes; catalog: Catalog; assets: Assets; assignments: Assignments };

type Counts = Omit<AssetImportAnswer, 'dry_run'>;

/** Limit of the rows in one transaction; a longer one would delay all other writes. */
const ROWS_AT_ONCE = 100;

/**
 * Imports many assets. A row belongs to the asset that has its serial as serial or alias. A row without a serial
 * belongs to the asset with its name that has no serial. Without such an asset, the row creates one. The valid rows of
 * each part of the file are one transaction; the faults of invalid rows are returned. An interrupted import may be
 * repeated, because rows without a change are skipped.
 */
export class AssetImport {
  readonly #deps: Deps;

  constructor(parts: Deps) {
    this.#deps = parts;
  }

  async run(rows: readonly RawRow[], by: Actor, dryRun: boolean): Promise<AssetImportAnswer> {
    const plan = new Plan(this.#deps.indexes.shown, this.#deps.catalog);
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const { steps, answer } = plan.take(rows.slice(from, from + ROWS_AT_ONCE));
      if (!dryRun && steps.length > 0) this.#deps.assignments.inOneDelta(() => this.#apply(steps, answer, by));
      await turn();
    }
    return { dry_run: dryRun, ...plan.answer };
  }

  #apply(steps: readonly Step[], answer: Counts, by: Actor): void {
    const { deps, assets } = this.#deps;
    committed(deps.ledger, 'The import of assets', (after) => {
      const records = steps.map((step) => this.#take(step, by, after));
      after(() => assets.publish(...records));
      const { created, updated, skipped, rejected } = answer;
      const counts = { created, updated, skipped, rejected: rejected.length };
      const deed = {
        kind: 'asset.imported' as const,
        text: `${were(created, 'asset')} created and ${updated} changed by an import; ${were(rejected.length, 'row')} refused`,
        by,
        workspaceId: deps.workspaceId,
        ...ofDeed(this.#deps.indexes.shown.scope.environment),
        after: { ...counts, assets: records.map(({ id, name, serial, kind }) => ({ id, name, serial, kind })) },
      };
      return { result: undefined, deed };
    });
  }

  #take({ was, made, rewrites, assigned }: Step, by: Actor, after: After): AssetRecord {
    const { assets, assignments } = this.#deps;
    const record = was ? (rewrites ? assets.rewrite(was, made, after) : was) : assets.insert(made, after);
    const word = { affiliation: assigned ?? 'unknown', source: 'import', confirmed: false } as const;
    if (assigned !== null) assignments.assign(record, word, by, after);
    return record;
  }
}

class Plan {
  readonly answer: Counts = { created: 0, updated: 0, skipped: 0, rejected: [] };
  readonly #index: AssetIndex;
  readonly #catalog: Catalog;
  /** Number of assets before the import; `#made` counts those that the import creates. */
  readonly #before: number;
  #made = 0;
  /**
   * Number of the row about each asset, under the asset's id, and under the serial or name in the row. A second row
   * about the same asset is refused.
   */
  readonly #taken = new Map<string, number>();
  readonly #unpaired = new Map<string, AssetRecord[]>();

  constructor(index: AssetIndex, catalog: Catalog) {
    this.#index = index;
    this.#catalog = catalog;
    this.#before = index.assetCount;
    for (const record of index.assets()) {
      if (record.serial !== null) continue;
      const named = this.#unpaired.get(record.name);
      if (named) named.push(record);
      else this.#unpaired.set(record.name, [record]);
    }
  }

  /** Plans the rows of one part of the file. */
  take(rows: readonly RawRow[]): { steps: Step[]; answer: Counts } {
    const steps: Step[] = [];
    const answer: Counts = { created: 0, updated: 0, skipped: 0, rejected: [] };
    for (const { row, value, error } of rows) {
      try {
        if (error) throw invalidInput(error);
        const step = this.#stepOf(row, readRow(value));
        if (step) steps.push(step);
        if (!step) answer.skipped++;
        else if (step.was) answer.updated++;
        else {
          answer.created++;
          this.#made++;
        }
      } catch (thrown) {
        if (!(thrown instanceof Fault)) throw thrown;
        answer.rejected.push({ row, error: thrown.message });
      }
    }
    this.answer.created += answer.created;
    this.answer.updated += answer.updated;
    this.answer.skipped += answer.skipped;
    this.answer.rejected.push(...answer.rejected);
    return { steps, answer };
  }

  #stepOf(row: number, said: AssetImportRow): Step | null {
    const was = this.#holderOf(said);
    if (!was) refuseFull(Math.max(this.#before + this.#made, this.#index.assetCount));
    this.#refuseTwice(row, said, was);
    const { name, serial, affiliation } = said;
    const spec: AssetSpec = { ...was?.spec };
    if (said.model != null) spec.model = said.model;
    if (serial != null && !was) spec.remote_id_serial = serial;
    const settled = settleModel(spec, this.#catalog, 'invalid_input', was?.spec.model ?? null, 'model');
    const makes = affiliation == null || affiliation === 'friend' ? (settled.model?.kind ?? 'platform') : NON_FORCE;
    const kind = said.kind ?? was?.kind ?? makes;
    const made = { name, kind, domain: settled.domain, spec: settled.spec };
    const rewrites = was !== undefined && isOther(was, made);
    const held = (was && this.#index.activeOf(was.id)?.affiliation) ?? (kind === NON_FORCE ? 'unknown' : 'friend');
    const assigned = affiliation == null || affiliation === held ? null : affiliation;
    return was && !rewrites && assigned === null ? null : { was, made, rewrites, assigned };
  }

  #holderOf({ name, serial }: AssetImportRow): AssetRecord | undefined {
    if (serial != null) return this.#index.carrierOf(serial);
    // The index is read again, because between two parts of the file a person may delete an asset or give it a serial.
    const named = (this.#unpaired.get(name) ?? []).flatMap(({ id }) => this.#index.asset(id) ?? []);
    const [first, ...more] = named.filter((record) => record.serial === null);
    if (more.length === 0) return first;
    throw conflict(
      `'name' matches ${more.length + 1} assets without a serial, all called ${name}: rename them, or give them serials, so that one is meant`,
    );
  }

  #refuseTwice(row: number, { name, serial }: AssetImportRow, was: AssetRecord | undefined): void {
    const whose = [...(was ? [was.id] : []), serial == null ? `name ${name}` : `key ${foldKey(serial)}`];
    const before = whose.flatMap((key) => this.#taken.get(key) ?? [])[0];
    if (before !== undefined) throw conflict(`the row is about the same asset as row ${before}`);
    for (const key of whose) this.#taken.set(key, row);
  }
}

/** Returns a phrase such as `1 asset was` or `2 assets were`. */
function were(n: number, noun: string): string {
  return n === 1 ? `1 ${noun} was` : `${n} ${noun}s were`;
}

function readRow(value: unknown): AssetImportRow {
  const read = assetImportRowSchema.safeParse(value);
  if (read.success) return read.data;
  throw faultOfIssues(read.error.issues, 'the row', value);
}

function isOther(was: AssetRecord, { name, kind, spec }: NewAsset): boolean {
  return was.name !== name || was.kind !== kind || was.spec.model !== spec.model;
}
