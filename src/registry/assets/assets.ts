import { randomUUID } from 'node:crypto';
import type { Actor } from '../../model/actor.ts';
import { type Asset, type AssetSpec, NON_FORCE, type ResolvedAsset } from '../../model/asset.ts';
import type { AssetBind, AssetCreate, AssetFit, AssetFromCatalog, AssetUpdate } from '../../model/asset_request.ts';
import type { CatalogModel } from '../../model/catalog.ts';
import { conflict, notFound, orNotFound, refuseStale } from '../../model/fault.ts';
import { Listeners } from '../../model/listeners.ts';
import type { LogVerb } from '../../model/log_kind.ts';
import type { AssetRecord } from '../../store/assets.ts';
import type { Deed } from '../../store/ledger.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { fold } from '../catalog/names.ts';
import { type After, committed } from '../change.ts';
import type { RegistryDeps } from '../deps.ts';
import type { Links } from '../links.ts';
import { ofDeed } from '../provenance.ts';
import type { AssetIndex, AssetIndexes } from './asset_index.ts';
import { type DeclaredSensor, declaredSensors } from './declared.ts';
import { AssetTexts, assetDocument, resolve } from './document.ts';
import {
  readSpec,
  refuseCarrier,
  refuseDomain,
  refuseProvenance,
  refuseTakenCotUid,
  refuseTakenKey,
  settleModel,
  settlePlacement,
  withoutNulls,
} from './rules.ts';

/** Limit of the assets in an environment; every picture contains all of them. */
export const MOST_ASSETS = 20_000;

/** Fields that the creator of an asset decides. */
export type NewAsset = Pick<AssetRecord, 'name' | 'kind' | 'domain' | 'spec'>;

/** Asset with its sensors. `sensors` derives them from the asset's payloads and model when called. */
export type SensorBringer = { id: string; name: string; sensors(): DeclaredSensor[] };

/** Assets: the platforms, sensors and posts of operators, and emitters that operators know by their keys. */
export class Assets {
  readonly #deps: RegistryDeps;
  readonly #indexes: AssetIndexes;
  readonly #catalog: Catalog;
  readonly #texts = new AssetTexts();
  /** Deletes the links that were issued for an asset. */
  readonly #links: Pick<Links, 'deleteIssuedFor'>;
  /** Emitted within the change that deletes an asset, so that dependent rows change in the same transaction. */
  readonly removing = new Listeners<[record: AssetRecord, by: Actor, after: After]>();
  /** Emitted with assets that were created or deleted, or whose document changed, once the change is on the disk. */
  readonly changed = new Listeners<[readonly SensorBringer[]]>();

  constructor(deps: RegistryDeps, indexes: AssetIndexes, catalog: Catalog, links: Pick<Links, 'deleteIssuedFor'>) {
    this.#links = links;
    this.#deps = deps;
    this.#indexes = indexes;
    this.#catalog = catalog;
  }

  list(): Asset[] {
    const index = this.#index;
    return index.assets().map((record) => assetDocument(record, index));
  }

  /** Yields assets as JSON text, sorted by name, at most `limit`. */
  *texts(limit = Number.POSITIVE_INFINITY): Generator<string> {
    const index = this.#index;
    for (const record of index.assets().slice(0, limit)) yield this.#texts.of(record, index);
  }

  find(id: string): ResolvedAsset | null {
    return this.#index.asset(id) ? this.get(id) : null;
  }

  get(id: string): ResolvedAsset {
    const record = this.#require(id);
    const resolved = resolve(record, this.modelOf(record), this.#deps.ledger.nowText());
    return { ...assetDocument(record, this.#index), resolved };
  }

  /** Yields every asset with its sensors. `models` (folded names) limits the result to assets of these models. */
  *bringers(models?: ReadonlySet<string>): Generator<SensorBringer> {
    const isOfThem = new Map<string, boolean>();
    for (const record of this.#index.assets()) {
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

  /** Returns the model of an asset; undefined if it names none, or if the catalog no longer has it. */
  modelOf({ spec }: AssetRecord): CatalogModel | undefined {
    return spec.model == null ? undefined : this.#catalog.named(spec.model);
  }

  /** Returns the id of the asset whose serial or alias is this key. */
  carrying(name: string): string | null {
    return this.#index.carrierOf(name)?.id ?? null;
  }

  /** Returns the ids of assets with an alias that begins with `beginning`. */
  namedLike(beginning: string): string[] {
    return this.#index.namedLike(beginning);
  }

  create({ name, spec: sent, kind }: AssetCreate, by: Actor): Asset {
    const spec = withoutNulls(sent);
    refuseProvenance(spec.provenance, this.#index.scope.environment);
    const settled = settleModel(spec, this.#catalog, 'invalid_input', null);
    return this.#add({ name, kind: kind ?? 'platform', domain: settled.domain, spec: settled.spec }, by);
  }

  fromCatalog(body: AssetFromCatalog, by: Actor): Asset {
    const model = orNotFound(this.#catalog.find(body.catalog), `the catalog has no platform called '${body.catalog}'`);
    refuseDomain(body.domain ?? null, model);
    refuseProvenance(body.provenance, this.#index.scope.environment);
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
      ...(placement == null ? {} : { placement: settlePlacement(placement, was, this.#index) }),
    });
  }

  bind(id: string, { key, version }: AssetBind, by: Actor): Asset {
    const was = this.#require(id);
    refuseStale(`the asset ${was.name}`, was.version, version);
    if (was.serial !== null) {
      throw conflict(
        `the asset ${was.name} is already bound to ${was.serial}: to bind it again, first set remote_id_serial to null in its spec`,
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

  /** Stores an asset as a recording contains it, with its id and version. */
  restore(record: AssetRecord): void {
    const index = this.#index;
    const { assetRows } = this.#indexes;
    this.#deps.state.write(`The asset ${record.name}`, () => {
      if (index.asset(record.id)) assetRows.update(record);
      else assetRows.insert(record);
    });
    index.put(record);
    this.publish(record);
  }

  remove(id: string, by: Actor): void {
    const record = this.#index.asset(id);
    if (!record || record.kind === NON_FORCE) {
      throw notFound(`there is no asset of the own force with the id ${id} in this workspace`);
    }
    const index = this.#index;
    refuseCarrier(record, index);
    committed(this.#deps.ledger, `The removal of the asset ${record.name}`, (after) => {
      this.#links.deleteIssuedFor(id, by);
      const before = assetDocument(record, index);
      this.removing.emit(record, by, after);
      this.#indexes.assetRows.delete(id);
      after(() => {
        index.remove(id);
        this.#deps.publish.removed('assets', id);
        this.changed.emit([{ id, name: record.name, sensors: () => [] }]);
      });
      return { result: undefined, deed: { ...this.#deed('deleted', record, by), before } };
    });
  }

  /** Adds another key under which the same platform is received. It identifies the asset like its serial. */
  learnAlias(id: string, alias: string, by: Actor): void {
    const record = this.#require(id);
    const index = this.#index;
    if (index.carrierOf(alias)?.id === id) return;
    refuseTakenKey(index, alias, id);
    committed(this.#deps.ledger, `The alias of the asset ${record.name}`, (after) => {
      this.#indexes.assetRows.addAlias({ ...index.scope, alias: alias.trim(), assetId: id });
      after(() => {
        index.putAlias(alias.trim(), id);
        this.publish(record);
      });
      return { result: undefined, deed: { ...this.#deed('alias', record, by), after: { alias } } };
    });
  }

  /**
   * Records the asset's first telemetry. From then on the asset's key makes a track a friend only together with
   * telemetry or an assignment.
   */
  noteTelemetry(record: AssetRecord, by: Actor): AssetRecord {
    const index = this.#index;
    return committed(this.#deps.ledger, `The asset ${record.name}`, (after) => {
      const next = { ...record, telemetryAt: this.#deps.ledger.nowText() };
      this.#indexes.assetRows.update(next);
      after(() => index.put(next));
      return { result: next, deed: this.#deed('telemetry', next, by) };
    });
  }

  /**
   * Inserts an asset as part of a change that the caller runs, for example an import. Throws a Fault if the limit is
   * reached, or if another asset has the serial or the uid in TAK.
   */
  insert(made: NewAsset, after: After): AssetRecord {
    const index = this.#index;
    refuseFull(index.assetCount);
    const serial = made.spec.remote_id_serial ?? null;
    refuseTakenKey(index, serial, null);
    refuseTakenCotUid(index, made.spec, null);
    const at = this.#deps.ledger.nowText();
    const record: AssetRecord = {
      ...index.scope,
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
    this.#indexes.assetRows.insert(record);
    after(() => index.put(record));
    return record;
  }

  /** Changes an asset as part of a change that the caller runs. */
  rewrite(was: AssetRecord, change: Partial<AssetRecord>, after: After): AssetRecord {
    const index = this.#index;
    const spec = change.spec ?? was.spec;
    const serial = spec.remote_id_serial ?? null;
    refuseTakenKey(index, serial, was.id);
    refuseTakenCotUid(index, spec, was.id);
    const next = { ...was, ...change, spec, serial, version: was.version + 1, updatedAt: this.#deps.ledger.nowText() };
    this.#indexes.assetRows.update(next);
    after(() => index.put(next));
    return next;
  }

  /** Publishes the current state of assets. */
  publish(...records: AssetRecord[]): void {
    const index = this.#index;
    this.#deps.publish.rows(
      'assets',
      records.map((record) => assetDocument(record, index)),
    );
    this.changed.emit(records.map((record) => this.#bringer(record)));
  }

  #add(made: NewAsset, by: Actor): Asset {
    const index = this.#index;
    const record = committed(this.#deps.ledger, `The asset ${made.name}`, (after) => {
      const record = this.insert(made, after);
      after(() => this.publish(record));
      return { result: record, deed: { ...this.#deed('created', record, by), after: assetDocument(record, index) } };
    });
    return assetDocument(record, index);
  }

  #change(was: AssetRecord, by: Actor, change: Partial<AssetRecord>, what: LogVerb<'asset'> = 'changed'): Asset {
    const index = this.#index;
    const record = committed(this.#deps.ledger, `The asset ${was.name}`, (after) => {
      const record = this.rewrite(was, change, after);
      after(() => this.publish(record));
      const documents = { before: assetDocument(was, index), after: assetDocument(record, index) };
      return { result: record, deed: { ...this.#deed(what, record, by), ...documents } };
    });
    return assetDocument(record, index);
  }

  get #index(): AssetIndex {
    return this.#indexes.shown;
  }

  #require(id: string): AssetRecord {
    return orNotFound(this.#index.asset(id), `there is no asset with the id ${id} in this workspace`);
  }

  #deed(what: LogVerb<'asset'>, record: AssetRecord, by: Actor): Deed {
    const { id, name } = record;
    return {
      kind: `asset.${what}`,
      text: sentences[what]?.(record) ?? `the asset ${name} was ${what}`,
      by,
      workspaceId: this.#deps.workspaceId,
      subject: { type: 'asset', id, label: name },
      ...ofDeed(record.environment),
    };
  }
}

export function refuseFull(count: number): void {
  if (count < MOST_ASSETS) return;
  throw conflict(`the workspace already has ${MOST_ASSETS} assets, the most allowed: delete some first`);
}

const sentences: Record<string, (record: AssetRecord) => string> = {
  bound: ({ name, serial }) => `the asset ${name} was bound to ${serial}`,
  fitted: ({ name }) => `the payloads of the asset ${name} were changed`,
  alias: ({ name }) => `the asset ${name} got another key under which it is received`,
  telemetry: ({ name }) => `the asset ${name} sent its first telemetry`,
};
