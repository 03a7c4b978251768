import { builtinSchema, catalogCreateSchema, catalogEntrySchema, catalogUpdateSchema } from '../../model/catalog.ts';
import { count, namedObject } from '../../model/scalar.ts';
import { sampleBuiltin, sampleCatalogEntry } from '../openapi/registry_samples.ts';
import { audience, route } from '../route.ts';
import { deleted, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const { name, kind, spec } = sampleCatalogEntry;

const { viewers, operators } = audience('catalog');

const answer = { text: 'the entry', data: catalogEntrySchema, example: sampleCatalogEntry };

export const catalogRoutes = [
  route('GET /catalog/builtins', {
    ...viewers,
    summary: 'List built-in platforms',
    query: listQuery,
    answer: listOf('the platforms, by name', builtinSchema, sampleBuiltin),
    handler: ({ query }, { registry }) => firstRows(registry.catalog.builtins(), query),
  }),
  route('GET /catalog/entries', {
    ...viewers,
    summary: 'List catalog entries',
    query: listQuery,
    answer: listOf('the entries, by name', catalogEntrySchema, sampleCatalogEntry),
    handler: ({ query }, { registry }) => firstRows(registry.catalog.list(), query),
  }),
  route('POST /catalog/entries', {
    ...operators,
    summary: 'Create catalog entry',
    description: 'Case, spaces and hyphens of names do not matter; a name that is already used is a conflict.',
    body: { schema: catalogCreateSchema, example: { name, kind, spec } },
    answer,
    handler: ({ body, by }, { registry }) => registry.catalog.create(body, by.actor),
  }),
  route('POST /catalog/seed-builtins', {
    ...operators,
    summary: 'Copy the built-in platforms into the catalog',
    description: 'Platforms whose names are already in the catalog are skipped, so a second call adds nothing.',
    answer: {
      text: 'the number of added platforms',
      data: namedObject('Seeded', { inserted: count }),
      example: { inserted: 3 },
    },
    handler: ({ by }, { registry }) => registry.catalog.seed(by.actor),
  }),
  route('GET /catalog/entries/{id}', {
    ...viewers,
    summary: 'Get catalog entry',
    answer,
    handler: ({ params }, { registry }) => registry.catalog.get(params.id),
  }),
  route('POST /catalog/entries/{id}', {
    ...operators,
    summary: 'Update catalog entry',
    body: { schema: catalogUpdateSchema, example: { spec } },
    answer: { ...answer, text: 'the changed entry' },
    handler: ({ params, body, by }, { registry }) => registry.catalog.update(params.id, body, by.actor),
  }),
  route('DELETE /catalog/entries/{id}', {
    ...operators,
    summary: 'Delete catalog entry',
    description: 'Assets of this model keep its name, but no longer inherit its values.',
    answer: deleted,
    errors: ['unavailable'],
    handler: ({ params, by }, { registry }) => registry.catalog.remove(params.id, by.actor),
  }),
];
