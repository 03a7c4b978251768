import type { Asset, ResolvedAsset } from '../../model/asset.ts';
import type { CatalogModel } from '../../model/catalog.ts';
import type { AssetRecord } from '../../store/assets.ts';
import { capabilityOf } from '../catalog/capability.ts';
import type { AssetIndex } from './asset_index.ts';

/** Builds an asset as clients see it. */
export function assetDocument(record: AssetRecord, index: AssetIndex): Asset {
  const { id, name, kind, domain, spec, performance, placement } = record;
  return {
    id,
    workspace_id: record.workspaceId,
    environment: record.environment,
    name,
    kind,
    domain,
    provenance: index.provenance,
    affiliation: index.affiliationOf(record),
    paired: record.serial !== null,
    connection: index.connectionOf(record),
    spec,
    performance,
    placement,
    payloads: spec.payloads ?? null,
    version: record.version,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** Returns the values of an asset. Its model supplies the values that the asset lacks. */
export function resolve(record: AssetRecord, model: CatalogModel | undefined, at: string): ResolvedAsset['resolved'] {
  const spec = model?.spec ?? {};
  const own = (is: boolean): 'own' | 'model' => (is ? 'own' : 'model');
  const performance = { ...spec.performance, ...record.performance };
  const payloads = record.spec.payloads ?? spec.payloads ?? [];
  const ownFit = record.spec.payloads != null;
  const ownFigures = record.performance !== null;
  return {
    performance: { from: own(ownFigures), value: performance },
    payloads: { from: own(ownFit), value: payloads },
    capability: { from: own(ownFit || ownFigures), value: capabilityOf(spec, { performance, payloads }, at) },
  };
}

type Text = { text: string; affiliation: string; connection: string };

/** Assets as JSON text, cached while they are unchanged, because lists of thousands are requested often. */
export class AssetTexts {
  readonly #texts = new WeakMap<AssetRecord, Text>();

  of(record: AssetRecord, index: AssetIndex): string {
    const affiliation = index.affiliationOf(record);
    const connection = index.connectionOf(record);
    const known = this.#texts.get(record);
    if (known && known.affiliation === affiliation && known.connection === connection) return known.text;
    const text = JSON.stringify(assetDocument(record, index));
    this.#texts.set(record, { text, affiliation, connection });
    return text;
  }
}
