import { z } from 'zod';
import { builtinSchema, catalogCreateSchema, catalogEntrySchema, catalogUpdateSchema } from '../../model/catalog.ts';
import { count } from '../../model/scalar.ts';
import { sampleBuiltin, sampleCatalogEntry } from '../openapi/registry_samples.ts';
import { idParams, route } from '../route.ts';
import { deleted } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const { name, kind, spec } = sampleCatalogEntry;

export const catalogRoutes = [
  route({
    method: 'GET',
    path: '/catalog/builtins',
    summary: 'The built-in platforms',
    tag: 'catalog',
    query: listQuery,
    answer: { text: 'the platforms, by name', data: z.array(builtinSchema), example: [sampleBuiltin] },
    role: 'viewer',
    write: false,
    handler: ({ query }, { registry }) => firstRows(registry.catalog.builtins(), query),
  }),
  route({
    method: 'GET',
    path: '/catalog/entries',
    summary: 'The catalog of the workspace',
    tag: 'catalog',
    query: listQuery,
    answer: { text: 'the entries, by name', data: z.array(catalogEntrySchema), example: [sampleCatalogEntry] },
    role: 'viewer',
    write: false,
    handler: ({ query }, { registry }) => firstRows(registry.catalog.list(), query),
  }),
  route({
    method: 'POST',
    path: '/catalog/entries',
    summary: 'Add an entry to the catalog',
    description: 'Names are compared without case, spaces and hyphens; a name that is taken is a conflict.',
    tag: 'catalog',
    body: { schema: catalogCreateSchema, example: { name, kind, spec } },
    answer: { text: 'the entry', data: catalogEntrySchema, example: sampleCatalogEntry },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ body, by }, { registry }) => registry.catalog.create(body, by.actor),
  }),
  route({
    method: 'POST',
    path: '/catalog/seed-builtins',
    summary: 'Copy the built-in platforms into the catalog',
    description: 'Those whose names an entry bears already are left out, so that a second time adds nothing.',
    tag: 'catalog',
    answer: {
      text: 'how many were added',
      data: z.strictObject({ inserted: count }).meta({ id: 'Seeded' }),
      example: { inserted: 3 },
    },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ by }, { registry }) => registry.catalog.seed(by.actor),
  }),
  route({
    method: 'GET',
    path: '/catalog/entries/{id}',
    summary: 'One entry of the catalog',
    tag: 'catalog',
    params: idParams,
    answer: { text: 'the entry', data: catalogEntrySchema, example: sampleCatalogEntry },
    role: 'viewer',
    write: false,
    handler: ({ params }, { registry }) => registry.catalog.get(params.id),
  }),
  route({
    method: 'POST',
    path: '/catalog/entries/{id}',
    summary: 'Change an entry of the catalog',
    tag: 'catalog',
    params: idParams,
    body: { schema: catalogUpdateSchema, example: { spec } },
    answer: { text: 'the changed entry', data: catalogEntrySchema, example: sampleCatalogEntry },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, body, by }, { registry }) => registry.catalog.update(params.id, body, by.actor),
  }),
  route({
    method: 'DELETE',
    path: '/catalog/entries/{id}',
    summary: 'Take an entry out of the catalog',
    description: 'Assets of it keep its name as their model and inherit nothing of it any more.',
    tag: 'catalog',
    params: idParams,
    answer: deleted,
    errors: ['unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, by }, { registry }) => {
      registry.catalog.remove(params.id, by.actor);
      return { deleted: true };
    },
  }),
];
