import type { z } from 'zod';
import type { Actor, Role } from '../../model/actor.ts';
import type { Registry } from '../../registry/registry.ts';
import { idParams, type Route, route, type Tag } from '../route.ts';
import { deleted, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

/** A part of the registry whose rows are created, read, updated and deleted. */
export type Part<Row, Spec, Patch> = {
  list(): readonly Row[];
  /** Throws `not_found`. */
  get(id: string): Row;
  create(spec: Spec, by: Actor): Row;
  update(id: string, patch: Patch, by: Actor): Row;
  remove(id: string, by: Actor): void;
};

type Crud<Row, Spec, Patch> = {
  path: `/${string}`;
  tag: Tag;
  /** The noun of one document, and of several. */
  names: readonly [one: string, several: string];
  /** Descriptions of creating and of updating a document. */
  says: { made: string; changed: string };
  row: z.ZodType<Row>;
  spec: z.ZodType<Spec>;
  patch: z.ZodType<Patch>;
  examples: { row: Row; spec: unknown; patch: unknown };
  /** The least role that may write. */
  role: Role;
  /** The path's id, where it is not a UUID. */
  params?: z.ZodObject<{ id: z.ZodType<string> }>;
  part(registry: Registry): Part<Row, Spec, Patch>;
};

/** The five routes of a part: list, create, read, update and delete. */
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
