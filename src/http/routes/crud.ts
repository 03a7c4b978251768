import type { z } from 'zod';
import type { Actor, Role } from '../../model/actor.ts';
import type { Registry } from '../../registry/registry.ts';
import { idParams, type Route, route, type Tag } from '../route.ts';
import { deleted, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

/** Part of the registry whose rows can be created, read, updated and deleted. */
export type Part<Row, Spec, Patch> = {
  list(): readonly Row[];
  /** Returns the row with this id; throws `not_found` if there is none. */
  get(id: string): Row;
  create(spec: Spec, by: Actor): Row;
  update(id: string, patch: Patch, by: Actor): Row;
  remove(id: string, by: Actor): void;
};

type Crud<Row, Spec, Patch> = {
  path: `/${string}`;
  tag: Tag;
  /** Noun for one document, and for several. */
  names: readonly [one: string, several: string];
  /** Descriptions of the routes that create and update a document. */
  says: { made: string; changed: string };
  row: z.ZodType<Row>;
  spec: z.ZodType<Spec>;
  patch: z.ZodType<Patch>;
  examples: { row: Row; spec: unknown; patch: unknown };
  /** Lowest role that may write. */
  role: Role;
  /** Path parameters, if the id is not a UUID. */
  params?: z.ZodObject<{ id: z.ZodType<string> }>;
  part(registry: Registry): Part<Row, Spec, Patch>;
};

/** Declares the five routes of a part: list, create, read, update and delete. */
export function crudRoutes<Row, Spec, Patch>(of: Crud<Row, Spec, Patch>): Route[] {
  const [one, several] = of.names;
  const { path, tag, role, part, examples, says, params = idParams } = of;
  const answer = { text: `the ${one}`, data: of.row, example: examples.row };
  return [
    route(`GET ${path}`, {
      summary: `List ${several}`,
      tag,
      query: listQuery,
      answer: listOf(`the ${several}`, of.row, examples.row),
      role: 'viewer',
      handler: ({ query }, { registry }) => firstRows(part(registry).list(), query),
    }),
    route(`POST ${path}`, {
      summary: `Create ${one}`,
      description: says.made,
      tag,
      body: { schema: of.spec, example: examples.spec },
      answer,
      role,
      handler: ({ body, by }, { registry }) => part(registry).create(body, by.actor),
    }),
    route(`GET ${path}/{id}`, {
      summary: `Get ${one}`,
      tag,
      params,
      answer,
      role: 'viewer',
      handler: ({ params }, { registry }) => part(registry).get(params.id),
    }),
    route(`POST ${path}/{id}`, {
      summary: `Update ${one}`,
      description: says.changed,
      tag,
      params,
      body: { schema: of.patch, example: examples.patch },
      answer,
      role,
      handler: ({ params, body, by }, { registry }) => part(registry).update(params.id, body, by.actor),
    }),
    route(`DELETE ${path}/{id}`, {
      summary: `Delete ${one}`,
      tag,
      params,
      answer: deleted,
      role,
      handler: ({ params, by }, { registry }) => part(registry).remove(params.id, by.actor),
    }),
  ];
}
