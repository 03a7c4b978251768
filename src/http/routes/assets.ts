import { assetSchema, resolvedAssetSchema } from '../../model/asset.ts';
import {
  assetBindSchema,
  assetCreateSchema,
  assetFitSchema,
  assetFromCatalogSchema,
  assetUpdateSchema,
} from '../../model/asset_request.ts';
import { sampleAsset, sampleResolvedAsset } from '../openapi/registry_samples.ts';
import { jsonRows } from '../own_answer.ts';
import { audience, route } from '../route.ts';
import { deleted, listOf } from './answers.ts';
import { listQuery } from './paging.ts';

const answer = { text: 'the asset', data: assetSchema, example: sampleAsset };
const write = { role: 'operator', write: true } as const;

const { viewers } = audience('assets');

export const assetRoutes = [
  route('GET /assets', {
    ...viewers,
    summary: 'List assets of the shown environment',
    query: listQuery,
    answer: listOf('the assets, by name', assetSchema, sampleAsset),
    handler: ({ query }, { registry }) => jsonRows(registry.assets.texts(query.limit)),
  }),
  route('POST /assets', {
    summary: 'Create asset',
    description: 'An asset is a friend by default; only an asset of the kind `emitter` is not.',
    tag: 'assets',
    body: {
      schema: assetCreateSchema,
      example: { name: 'Heron 3', spec: { model: 'Matrice 30', remote_id_serial: '1581F5FKD2294A000003' } },
    },
    answer,
    ...write,
    handler: ({ body, by }, { registry }) => registry.assets.create(body, by.actor),
  }),
  route('POST /assets/from-catalog', {
    summary: 'Create asset from a catalog entry',
    description:
      '`catalog` is the name or alias of an entry or a built-in platform, with or without its maker (`GET ' +
      '/catalog`). Case, spaces and hyphens do not matter. The asset inherits performance and payloads while its ' +
      '`spec.model` names the entry. It gets the kind of the entry and, unless the request gives one, its domain.',
    tag: 'assets',
    body: {
      schema: assetFromCatalogSchema,
      example: { name: 'Heron 4', catalog: 'matrice 30', remote_id_serial: '1581F5FKD2294A000004' },
    },
    answer,
    errors: ['not_found', 'conflict', 'unavailable'],
    ...write,
    handler: ({ body, by }, { registry }) => registry.assets.fromCatalog(body, by.actor),
  }),
  route('GET /assets/{id}', {
    ...viewers,
    summary: 'Get asset, with the values inherited from its model',
    description:
      "The row has the asset's own values. `resolved` has the effective values. `performance` combines its own " +
      'figures with those of its model; `payloads` is its own list, or else that of the model; `capability` follows ' +
      'from both. `from` states whether any value is its own.',
    answer: { text: 'the asset', data: resolvedAssetSchema, example: sampleResolvedAsset },
    handler: ({ params }, { registry }) => registry.assets.get(params.id),
  }),
  route('POST /assets/{id}', {
    summary: 'Update asset',
    description:
      '`spec` is required and replaces the whole spec except its payloads. Without `remote_id_serial` the asset is ' +
      'unpaired, so send the spec from `GET` with the change in it. `performance` and `placement` are replaced as a ' +
      'whole if sent; an empty object clears them. A conflict is: a spec that is not an object, a model that is not ' +
      'in the catalog, or a position for a carried asset.',
    tag: 'assets',
    body: {
      schema: assetUpdateSchema,
      example: { name: 'Heron two', spec: { ...sampleAsset.spec, notes: 'new rotors in May' } },
    },
    answer,
    ...write,
    handler: ({ params, body, by }, { registry }) => registry.assets.update(params.id, body, by.actor),
  }),
  route('DELETE /assets/{id}', {
    summary: 'Delete asset',
    description:
      'The affiliation of its track becomes unknown with the next delta. Its active assignment ends; links issued ' +
      'only for this asset and its sensors are deleted. An emitter does not belong to the own force and is not found here. An ' +
      'asset that carries others cannot be deleted.',
    tag: 'assets',
    answer: deleted,
    ...write,
    handler: ({ params, by }, { registry }) => registry.assets.remove(params.id, by.actor),
  }),
  route('POST /assets/{id}/bind', {
    summary: 'Bind asset to a received platform',
    description:
      '`key` identifies the platform on its link: its Remote ID serial, or the key under which it was discovered. ' +
      'It is not an API key. An asset that is already paired is a conflict, and so is a key of another asset.',
    tag: 'assets',
    body: { schema: assetBindSchema, example: { key: '1581F5FKD2294A000005' } },
    answer,
    ...write,
    handler: ({ params, body, by }, { registry }) => registry.assets.bind(params.id, body, by.actor),
  }),
  route('POST /assets/{id}/payloads', {
    summary: 'Set payloads of an asset',
    description:
      'Replaces the whole list of payloads. An empty list means no payload; null inherits the payloads of the ' +
      'model. A slot holds one payload. Payloads that sense become sensors of the asset.',
    tag: 'assets',
    body: {
      schema: assetFitSchema,
      example: { payloads: [{ slot: 'nose', kind: 'camera_eo', provides_verbs: ['look_at'] }] },
    },
    answer,
    ...write,
    handler: ({ params, body, by }, { registry }) => registry.assets.fit(params.id, body, by.actor),
  }),
];
