import { randomUUID } from 'node:crypto';
import type { Actor } from '../../model/actor.ts';
import { type Asset, type AssetSpec, NON_FORCE, type ResolvedAsset } from '../../model/asset.ts';
import type { AssetBind, AssetCreate, AssetFit, AssetFromCatalog, AssetUpdate } from '../../model/asset_request.ts';
import type { CatalogModel } from '../../model/catalog.ts';
import { Fault } from '../../model/fault.ts';
import type { AssetRecord } from '../../store/assets.ts';
import type { Deed } from '../../store/ledger.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { fold } from '../catalog/names.ts';
import { type After, committed } from '../committed.ts';
import { ofDeed } from '../provenance.ts';
import type { RegistryRim } from '../rim.ts';
import { refuseStale } from '../version.ts';
import { type DeclaredSensor, declaredSensors } from './declared.ts';
import { AssetTexts, assetDocument, resolve } from './document.ts';
import {
  readSpec,
  refuseCarrier,
  refuseDomain,
  refuseProvenance,
  refuseTakenKey,
  settleModel,
  settlePlacement,
  withoutNulls,
} from './rules.ts';
import type { Shelf, Shelves } from './shelf.ts';

/** So many of an environment: each is in every picture. */
export const MOST_ASSETS = 20_000;

/** What a new row is made of. */
export type NewAsset = Pick<AssetRecord, 'name' | 'kind' | 'domain' | 'spec'>;

/** An asset, and what it brings with it: asked for where it is wanted, since it is read of its model. */
export type SensorBringer = { id: string; name: string; sensors(): DeclaredSensor[] };

/** The platforms, sensors and posts that operators own, and the emitters that they know by their keys. */
export class Assets {
  readonly #rim: RegistryRim;
  readonly #shelves: Shelves;
  readonly #catalog: Catalog;
  readonly #texts = new AssetTexts();
  /** Takes away the links that were issued for an asset alone; called inside the change that takes the asset. */
  deleteLinksOf: (assetId: string, by: Actor) => void = () => {};
  /** Called inside the change that takes an asset away, so that what hangs on it ends with it. */
  onRemoving: (record: AssetRecord, by: Actor, after: After) => void = () => {};
  /** Told of the rows that are new, changed or gone in one change, once it is on the disk. */
  onChange: (changed: readonly SensorBringer[]) => void = () => {};

  constructor(rim: RegistryRim, shelves: Shelves, catalog: Catalog) {
    this.#rim = rim;
    this.#shelves = shelves;
    this.#catalog = catalog;
  }

  list(): Asset[] {
    const shelf = this.#shelf;
    return shelf.assets().map((record) => assetDocument(record, shelf));
  }

  /** Every row as JSON, one at a time, as of now. */
  *texts(limit = Number.POSITIVE_INFINITY): Generator<string> {
    const shelf = this.#shelf;
    for (const record of shelf.assets().slice(0, limit)) yield this.#texts.of(record, shelf);
  }

  find(id: string): ResolvedAsset | null {
    return this.#shelf.asset(id) ? this.get(id) : null;
  }

  get(id: string): ResolvedAsset {
    const record = this.#require(id);
    const resolved = resolve(record, this.modelOf(record), this.#rim.ledger.nowText());
    return { ...assetDocument(record, this.#shelf), resolved };
  }

  /** Every asset with the sensors that it brings; `models` are folded names, of whose assets alone it is then. */
  *bringers(models?: ReadonlySet<string>): Generator<SensorBringer> {
    const isOfThem = new Map<string, boolean>();
    for (const record of this.#shelf.assets()) {
      const { model } = record.spec;
      if (models && model == null) continue;
      if (models && model != null) {
        const known = isOfThem.get(model) ?? models.has(fold(model));
        isOfThem.set(model, known);
        if (!known) continue;
      }
      yield this.#bringer(record);
    }
  }

  #bringer(record: AssetRecord): SensorBringer {
    return { id: record.id, name: record.name, sensors: () => this.#sensorsOf(record) };
  }

  #sensorsOf(record: AssetRecord): DeclaredSensor[] {
    const model = this.modelOf(record);
    return declaredSensors(record, record.spec.payloads ?? model?.spec.payloads ?? [], model);
  }

  /** The model whose name the row says; undefined where the catalog has none of that name any more. */
  modelOf({ spec }: AssetRecord): CatalogModel | undefined {
    return spec.model == null ? undefined : this.#catalog.named(spec.model);
  }

  /** The asset that carries a name: its serial, or another that it was learnt by. */
  carrying(name: string): string | null {
    return this.#shelf.carrierOf(name)?.id ?? null;
  }

  /** The ids of those that carry a learnt name which begins so. */
  namedLike(beginning: string): string[] {
    return this.#shelf.namedLike(beginning);
  }

  create({ name, spec: sent, kind }: AssetCreate, by: Actor): Asset {
    const spec = withoutNulls(sent);
    refuseProvenance(spec.provenance, this.#shelf.scope.environment);
    const settled = settleModel(spec, this.#catalog, 'invalid_input', null);
    return this.#add({ name, kind: kind ?? 'platform', domain: settled.domain, spec: settled.spec }, by);
  }

  fromCatalog(body: AssetFromCatalog, by: Actor): Asset {
    const model = this.#catalog.find(body.catalog);
    if (!model) throw new Fault('not_found', `the catalog has no platform called '${body.catalog}'`);
    refuseDomain(body.domain ?? null, model);
    refuseProvenance(body.provenance, this.#shelf.scope.environment);
    const { domain, provenance, remote_id_serial } = body;
    const spec = withoutNulls({ model: model.name, domain, provenance, remote_id_serial });
    const given = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as AssetSpec;
    return this.#add(
      { name: body.name, kind: model.kind, domain: domain ?? model.spec.domain ?? null, spec: given },
      by,
    );
  }

  update(id: string, body: AssetUpdate, by: Actor): Asset {
    const was = this.#require(id);
    refuseStale(`the asset ${was.name}`, was.version, body.version);
    const sent = withoutNulls(readSpec(was.name, body.spec));
    const { payloads: _only, ...rest } = sent;
    const kept = was.spec.payloads === undefined ? {} : { payloads: was.spec.payloads };
    const named = { ...rest, ...(body.model == null ? {} : { model: body.model }), ...kept };
    refuseProvenance(named.provenance, was.environment);
    const { spec, domain } = settleModel(named, this.#catalog, 'conflict', was.spec.model ?? null);
    const { performance, placement } = body;
    return this.#change(was, by, {
      name: body.name ?? was.name,
      kind: body.kind ?? was.kind,
      spec,
      domain,
      ...(performance == null ? {} : { performance: Object.keys(performance).length === 0 ? null : performance }),
      ...(placement == null ? {} : { placement: settlePlacement(placement, was, this.#shelf) }),
    });
  }

  bind(id: string, { key, version }: AssetBind, by: Actor): Asset {
    const was = this.#require(id);
    refuseStale(`the asset ${was.name}`, was.version, version);
    if (was.serial !== null) {
      throw new Fault(
        'conflict',
        `the asset ${was.name} is paired with ${was.serial} already and cannot be bound again: change its spec with "remote_id_serial": null first`,
      );
    }
    return this.#change(was, by, { spec: { ...was.spec, remote_id_serial: key } }, 'bound');
  }

  fit(id: string, { payloads, version }: AssetFit, by: Actor): Asset {
    const was = this.#require(id);
    refuseStale(`the asset ${was.name}`, was.version, version);
    const { payloads: _was, ...rest } = was.spec;
    return this.#change(was, by, { spec: payloads === null ? rest : { ...rest, payloads } }, 'fitted');
  }

  /** A row as it was when it was recorded. */
  restore(record: AssetRecord): void {
    const shelf = this.#shelf;
    const { assetRows } = this.#shelves;
    this.#rim.state.write(`The asset ${record.name}`, () => {
      if (shelf.asset(record.id)) assetRows.update(record);
      else assetRows.insert(record);
    });
    shelf.put(record);
    this.tell(record);
  }

  remove(id: string, by: Actor): void {
    const record = this.#shelf.asset(id);
    if (!record || record.kind === NON_FORCE) {
      throw new Fault('not_found', `there is no force asset with the id ${id} in this workspace`);
    }
    const shelf = this.#shelf;
    refuseCarrier(record, shelf);
    committed(this.#rim.ledger, `The removal of the asset ${record.name}`, (after) => {
      this.deleteLinksOf(id, by);
      const before = assetDocument(record, shelf);
      this.onRemoving(record, by, after);
      this.#shelves.assetRows.delete(id);
      after(() => {
        shelf.remove(id);
        this.#rim.tell.removed('assets', id);
        this.onChange([{ id, name: record.name, sensors: () => [] }]);
      });
      return { result: undefined, deed: { ...this.#deed('deleted', record, by), before } };
    });
  }

  /** Another key that the same platform was heard by. It matches as its serial does. */
  learnAlias(id: string, alias: string, by: Actor): void {
    const record = this.#require(id);
    const shelf = this.#shelf;
    if (shelf.carrierOf(alias)?.id === id) return;
    refuseTakenKey(shelf, alias, id);
    committed(this.#rim.ledger, `The alias of the asset ${record.name}`, (after) => {
      this.#shelves.assetRows.addAlias(shelf.scope, { alias: alias.trim(), assetId: id });
      after(() => {
        shelf.putAlias(alias.trim(), id);
        this.tell(record);
      });
      return { result: undefined, deed: { ...this.#deed('alias', record, by), after: { alias } } };
    });
  }

  /** The first word of its own telemetry is kept: from then on its name alone makes no friend. */
  noteTelemetry(record: AssetRecord, by: Actor): AssetRecord {
    const shelf = this.#shelf;
    return committed(this.#rim.ledger, `The asset ${record.name}`, (after) => {
      const next = { ...record, telemetryAt: this.#rim.ledger.nowText() };
      this.#shelves.assetRows.update(next);
      after(() => shelf.put(next));
      return { result: next, deed: this.#deed('telemetry', next, by) };
    });
  }

  /** A row within a change of somebody else: an import, a confirmation. Throws as `create` does. */
  insert(made: NewAsset, after: After): AssetRecord {
    const shelf = this.#shelf;
    refuseFull(shelf.assetCount);
    const serial = made.spec.remote_id_serial ?? null;
    refuseTakenKey(shelf, serial, null);
    const at = this.#rim.ledger.nowText();
    const record: AssetRecord = {
      ...shelf.scope,
      ...made,
      id: randomUUID(),
      serial,
      performance: null,
      placement: null,
      telemetryAt: null,
      version: 1,
      createdAt: at,
      updatedAt: at,
    };
    this.#shelves.assetRows.insert(record);
    after(() => shelf.put(record));
    return record;
  }

  /** A change of a row within a change of somebody else. */
  rewrite(was: AssetRecord, change: Partial<AssetRecord>, after: After): AssetRecord {
    const shelf = this.#shelf;
    const spec = change.spec ?? was.spec;
    const serial = spec.remote_id_serial ?? null;
    refuseTakenKey(shelf, serial, was.id);
    const next = { ...was, ...change, spec, serial, version: was.version + 1, updatedAt: this.#rim.ledger.nowText() };
    this.#shelves.assetRows.update(next);
    after(() => shelf.put(next));
    return next;
  }

  /** Tells clients how a row is now. */
  tell(...records: AssetRecord[]): void {
    const shelf = this.#shelf;
    this.#rim.tell.rows(
      'assets',
      records.map((record) => assetDocument(record, shelf)),
    );
    this.onChange(records.map((record) => this.#bringer(record)));
  }

  #add(made: NewAsset, by: Actor): Asset {
    const shelf = this.#shelf;
    const record = committed(this.#rim.ledger, `The asset ${made.name}`, (after) => {
      const record = this.insert(made, after);
      after(() => this.tell(record));
      return { result: record, deed: { ...this.#deed('created', record, by), after: assetDocument(record, shelf) } };
    });
    return assetDocument(record, shelf);
  }

  #change(was: AssetRecord, by: Actor, change: Partial<AssetRecord>, what = 'changed'): Asset {
    const shelf = this.#shelf;
    const record = committed(this.#rim.ledger, `The asset ${was.name}`, (after) => {
      const record = this.rewrite(was, change, after);
      after(() => this.tell(record));
      const documents = { before: assetDocument(was, shelf), after: assetDocument(record, shelf) };
      return { result: record, deed: { ...this.#deed(what, record, by), ...documents } };
    });
    return assetDocument(record, shelf);
  }

  get #shelf(): Shelf {
    return this.#shelves.shown;
  }

  #require(id: string): AssetRecord {
    const record = this.#shelf.asset(id);
    if (!record) throw new Fault('not_found', `there is no asset with the id ${id} in this workspace`);
    return record;
  }

  #deed(what: string, record: AssetRecord, by: Actor): Deed {
    const { id, name } = record;
    return {
      kind: `asset.${what}`,
      text: sentences[what]?.(record) ?? `the asset ${name} was ${what}`,
      by,
      workspaceId: this.#rim.workspaceId,
      subject: { type: 'asset', id, label: name },
      ...ofDeed(record.environment),
    };
  }
}

/** Refuses one more asset than a workspace may have. */
export function refuseFull(count: number): void {
  if (count < MOST_ASSETS) return;
  throw new Fault('conflict', `the workspace has ${MOST_ASSETS} assets already, which is the most`);
}

const sentences: Record<string, (record: AssetRecord) => string> = {
  bound: ({ name, serial }) => `the asset ${name} was bound to ${serial}`,
  fitted: ({ name }) => `what the asset ${name} carries was changed`,
  alias: ({ name }) => `the asset ${name} was heard by another key of its own`,
  telemetry: ({ name }) => `the asset ${name} sent telemetry of its own for the first time`,
};
