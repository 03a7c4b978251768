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
    description: 'Membership is the claim that it is a friend; an `emitter` alone claims nothing.',
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
      '`catalog` is a name or alias of an entry or a built-in platform, with or without the maker (`GET /catalog`). Case, ' +
      'spaces and hyphens do not count. The asset inherits performance and payloads while its `spec.model` names the entry; ' +
      'it gets the kind of the entry and, where the request gives no domain, the domain of the entry.',
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
      'The row says what was said of this asset alone. `resolved` says what holds: `performance` is its own values over those of ' +
      'its model, `payloads` its own fit or else that of the model, `capability` what follows from both; `from` says whether ' +
      'any of it is its own.',
    answer: { text: 'the asset', data: resolvedAssetSchema, example: sampleResolvedAsset },
    handler: ({ params }, { registry }) => registry.assets.get(params.id),
  }),
  route('POST /assets/{id}', {
    summary: 'Update asset',
    description:
      '`spec` is required and replaces the whole spec except its payloads: leaving `remote_id_serial` out unpairs the asset, so ' +
      'send what `GET` shows with the change in it. `performance` and `placement` are replaced whole too where they are sent; ' +
      'an empty object clears them. A spec that is no object, a model that the catalog does not have and a place for what is ' +
      'carried are conflicts.',
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
      'Its track is unknown in the next delta. Its active assignment ends, links that were issued for it alone are ' +
      'deleted, the sensors that it brought go. An emitter is no force asset and is not found here. What carries others ' +
      'stays while it does.',
    tag: 'assets',
    answer: deleted,
    ...write,
    handler: ({ params, by }, { registry }) => registry.assets.remove(params.id, by.actor),
  }),
  route('POST /assets/{id}/bind', {
    summary: 'Bind asset to a received platform',
    description:
      '`key` identifies the platform on its link: its Remote ID serial, or the key under which it was discovered. It is no API key. ' +
      'An asset that is paired already is a conflict; so is a key that another asset carries.',
    tag: 'assets',
    body: { schema: assetBindSchema, example: { key: '1581F5FKD2294A000005' } },
    answer,
    ...write,
    handler: ({ params, body, by }, { registry }) => registry.assets.bind(params.id, body, by.actor),
  }),
  route('POST /assets/{id}/payloads', {
    summary: 'Set payloads of an asset',
    description:
      'The full fit, in the place of the one before: an empty list carries nothing, null inherits that of the model. A slot ' +
      'holds one payload. Payloads that sense become sensors of the asset.',
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
