import { z } from 'zod';
import { namedObject } from './scalar.ts';

/**
 * Roles of members of a workspace, weakest first: each may use the routes of the roles before it. A role that does not
 * write is refused every route that changes something, whatever role the route demands.
 */
const roleTable = {
  viewer: { writes: false },
  operator: { writes: true },
  owner: { writes: true },
} as const;
export type Role = keyof typeof roleTable;
export const roles = Object.keys(roleTable) as [Role, ...Role[]];

/**
 * The least role that reads everything: evidence, files of recordings, effects of another configuration, and pilots'
 * positions.
 */
export const fullReader: Role = 'operator';

export function isAtLeast(held: Role, wanted: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(wanted);
}

export function mayWrite(role: Role): boolean {
  return roleTable[role].writes;
}

/** Originator of an action, as the audit log names it. `open` is a client of the open surface, known only by its address. */
export const actorSchema = namedObject('Actor', {
  type: z.enum(['user', 'key', 'open', 'system', 'rule']),
  id: z.string(),
  name: z.string(),
  address: z.string().nullable(),
});
export type Actor = z.infer<typeof actorSchema>;

export const systemActor: Actor = { type: 'system', id: 'dunlin', name: 'dunlin', address: null };

/** An actor as one word, for `created_by` and `updated_by`: `user:anna`, `key:radar-feed`, `open:10.0.0.7`. */
export function actorLabel({ type, name }: Actor): string {
  return type === 'system' ? 'system' : `${type}:${name}`;
}
