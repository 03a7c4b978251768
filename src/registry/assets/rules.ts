import { z } from 'zod';
import { type AssetPlacement, type AssetSpec, assetSpecSchema } from '../../model/asset.ts';
import type { AssetDomain, CatalogModel } from '../../model/catalog.ts';
import { conflict, Fault, invalidInput } from '../../model/fault.ts';
import { faultOfIssues } from '../../model/issue.ts';
import type { AssetRecord } from '../../store/assets.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { provenanceOf } from '../provenance.ts';
import type { AssetIndex } from './asset_index.ts';

const inBody = z.strictObject({ spec: assetSpecSchema });

/**
 * Parses a spec. The spec is parsed apart from the rest of the body, because a spec that is not an object is refused
 * with `conflict`.
 */
export function readSpec(of: string, spec: unknown): AssetSpec {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) {
    throw conflict(
      `the spec of the asset ${of} must be an object; the request has another value, and nothing was changed`,
    );
  }
  const read = inBody.safeParse({ spec });
  if (!read.success) throw faultOfIssues(read.error.issues, 'the body', { spec });
  return read.data.spec;
}

/** Removes known keys whose value is null, because null means the same as absent. An empty list of payloads is kept. */
export function withoutNulls(spec: AssetSpec): AssetSpec {
  const known = assetSpecSchema.shape;
  return Object.fromEntries(Object.entries(spec).filter(([key, value]) => value !== null || !(key in known)));
}

/**
 * Returns the spec with its model in the spelling of the catalog, and the resulting domain. `missing` is the fault code
 * for an unknown model. `held` is the model that the stored asset already names.
 */
export function settleModel(
  spec: AssetSpec,
  catalog: Catalog,
  missing: 'invalid_input' | 'conflict',
  held: string | null,
  field = 'spec.model',
): { spec: AssetSpec; domain: AssetDomain | null; model: CatalogModel | undefined } {
  const name = spec.model ?? null;
  const model = name === null ? undefined : catalog.find(name);
  // The catalog may have deleted a model that the row already names; such a name stays valid.
  if (name !== null && !model && name !== held) {
    throw new Fault(
      missing,
      `the catalog has no platform called '${name}'; '${field}' must be the name of a catalog entry or of a built-in platform`,
    );
  }
  const ofModel = model?.spec.domain ?? null;
  refuseDomain(spec.domain ?? null, model);
  return { spec: model ? { ...spec, model: model.name } : spec, domain: spec.domain ?? ofModel, model };
}

export function refuseDomain(domain: AssetDomain | null, model: CatalogModel | undefined): void {
  const ofModel = model?.spec.domain;
  if (domain === null || ofModel === undefined || domain === ofModel) return;
  throw conflict(`the domain ${domain} does not fit the model ${model?.name}, whose domain is ${ofModel}`);
}

export function refuseProvenance(provenance: string | null | undefined, environment: AssetRecord['environment']): void {
  const own = provenanceOf(environment);
  if (provenance == null || provenance === own) return;
  throw conflict(`assets of the environment ${environment} must have the provenance ${own}, not ${provenance}`);
}

/** Throws a Fault if another asset of the environment has the key as its serial or alias. */
export function refuseTakenKey(index: AssetIndex, key: string | null | undefined, id: string | null): void {
  const holder = key == null ? undefined : index.carrierOf(key);
  if (!holder || holder.id === id) return;
  throw conflict(`the serial or alias ${key} already belongs to the asset ${holder.name} (${holder.id})`);
}

/** Throws a Fault if another asset of the environment has this uid in TAK. */
export function refuseTakenCotUid(index: AssetIndex, { cot_uid: uid }: AssetSpec, id: string | null): void {
  const holder = uid == null ? undefined : index.holderOfCotUid(uid);
  if (!holder || holder.id === id) return;
  throw conflict(`the cot_uid ${uid} already belongs to the asset ${holder.name} (${holder.id})`);
}

const places = ['lat', 'lon', 'alt_hae_m', 'alt_agl_m'] as const;

/**
 * Returns the placement after a change. An empty `sent` deletes the placement; the result is then null. A carried asset
 * has no position of its own.
 */
export function settlePlacement(sent: AssetPlacement, record: AssetRecord, index: AssetIndex): AssetPlacement | null {
  if (Object.keys(sent).length === 0) return null;
  const carried = sent.carried_by !== undefined || sent.mount === 'carried';
  const placed = places.some((field) => sent[field] !== undefined);
  if (placed && (carried || record.placement?.carried_by !== undefined)) {
    throw conflict(
      `the asset ${record.name} is carried and has the position of its carrier: to set a position, clear its placement first`,
    );
  }
  if (!carried) return requirePlace(sent);
  const carrier = sent.carried_by === undefined ? undefined : index.asset(sent.carried_by);
  if (sent.carried_by === undefined)
    throw invalidInput("'placement.carried_by' is missing: it must be the id of the asset that carries this one");
  if (!carrier || carrier.id === record.id) {
    throw conflict(
      `the asset ${record.name} cannot be carried by ${sent.carried_by}: ${carrier ? 'it is this asset itself' : 'no asset has this id'}`,
    );
  }
  refuseCircle(record, carrier, index);
  return sent;
}

/** Throws a Fault if the asset itself carries its new carrier, directly or through other assets. */
function refuseCircle(record: AssetRecord, carrier: AssetRecord, index: AssetIndex): void {
  const seen = new Set<string>();
  for (let at: AssetRecord | undefined = carrier; at && !seen.has(at.id); at = index.carrierOfAsset(at)) {
    seen.add(at.id);
    if (at.id !== record.id) continue;
    throw conflict(
      `the asset ${record.name} cannot be carried by ${carrier.name}, because ${record.name} already carries ${carrier.name}`,
    );
  }
}

const NAMED = 5;

/**
 * Throws a Fault if an asset that is to be deleted carries others, because carried assets take their position from it.
 */
export function refuseCarrier({ id, name }: AssetRecord, index: AssetIndex): void {
  const carried = index.assets().filter(({ placement }) => placement?.carried_by === id);
  if (carried.length === 0) return;
  const names = carried.slice(0, NAMED).map((asset) => asset.name);
  const more = carried.length > NAMED ? ` and ${carried.length - NAMED} more` : '';
  throw conflict(`the asset ${name} carries ${names.join(', ')}${more}; change their placement first`);
}

function requirePlace(sent: AssetPlacement): AssetPlacement {
  for (const field of ['lat', 'lon'] as const) {
    if (sent[field] !== undefined) continue;
    throw invalidInput(`'placement.${field}' is missing: a placement needs lat and lon`);
  }
  return sent;
}
