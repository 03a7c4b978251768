import { z } from 'zod';
import type { Actor, Role } from '../../model/actor.ts';
import type { Registry } from '../../registry/registry.ts';
import { idParams, type Route, route, type Tag } from '../route.ts';
import { firstRows, listQuery } from './paging.ts';

const deletedSchema = z.strictObject({ deleted: z.literal(true) }).meta({ id: 'Deleted' });

/** What every delete route answers. */
export const deleted = { text: 'done', data: deletedSchema, example: { deleted: true } };

/** A part of the registry whose rows are made, read, changed and taken away. */
export type Part<Row, Spec, Patch> = {
  list(): readonly Row[];
  /** Throws `not_found`. */
  get(id: string): Row;
  create(spec: Spec, by: Actor): Row;
  update(id: string, patch: Patch, by: Actor): Row;
  remove(id: string, by: Actor): void;
};

export type Crud<Row, Spec, Patch> = {
  path: string;
  tag: Tag;
  /** What one is called, and several are. */
  names: readonly [one: string, several: string];
  /** What whoever makes one should know, and whoever changes one. */
  says: { made: string; changed: string };
  row: z.ZodType<Row>;
  spec: z.ZodType<Spec>;
  patch: z.ZodType<Patch>;
  examples: { row: Row; spec: unknown; patch: unknown };
  /** Who may write. */
  role: Role;
  /** How one is named in the path, where not by a UUID. */
  params?: z.ZodObject<{ id: z.ZodType<string> }>;
  part(registry: Registry): Part<Row, Spec, Patch>;
};

/** The five routes of such a part. */
export function crudRoutes<Row, Spec, Patch>(of: Crud<Row, Spec, Patch>): Route[] {
  const [one, several] = of.names;
  const { path, tag, role, part, examples, says, params = idParams } = of;
  const answer = { text: `the ${one}`, data: of.row, example: examples.row };
  return [
    route({
      method: 'GET',
      path,
      summary: `All ${several}`,
      tag,
      query: listQuery,
      answer: { text: `the ${several}`, data: z.array(of.row), example: [examples.row] },
      role: 'viewer',
      write: false,
      handler: ({ query }, { registry }) => firstRows(part(registry).list(), query),
    }),
    route({
      method: 'POST',
      path,
      summary: `Make a ${one}`,
      description: says.made,
      tag,
      body: { schema: of.spec, example: examples.spec },
      answer,
      errors: ['conflict', 'unavailable'],
      role,
      write: true,
      handler: ({ body, by }, { registry }) => part(registry).create(body, by.actor),
    }),
    route({
      method: 'GET',
      path: `${path}/{id}`,
      summary: `One ${one}`,
      tag,
      params,
      answer,
      role: 'viewer',
      write: false,
      handler: ({ params }, { registry }) => part(registry).get(params.id),
    }),
    route({
      method: 'POST',
      path: `${path}/{id}`,
      summary: `Change a ${one}`,
      description: says.changed,
      tag,
      params,
      body: { schema: of.patch, example: examples.patch },
      answer,
      errors: ['conflict', 'unavailable'],
      role,
      write: true,
      handler: ({ params, body, by }, { registry }) => part(registry).update(params.id, body, by.actor),
    }),
    route({
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Take away a ${one}`,
      tag,
      params,
      answer: deleted,
      errors: ['conflict', 'unavailable'],
      role,
      write: true,
      handler: ({ params, by }, { registry }) => {
        part(registry).remove(params.id, by.actor);
        return { deleted: true };
      },
    }),
  ];
}
