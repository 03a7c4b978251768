import { z } from 'zod';
import { namedObject } from './scalar.ts';

/**
 * Roles of workspace members, weakest first. A role may use the routes of all weaker roles. A role whose `writes` is
 * false may use no route that changes data.
 */
const roleTable = {
  viewer: { writes: false },
  operator: { writes: true },
  owner: { writes: true },
} as const;
export type Role = keyof typeof roleTable;
export const roles = Object.keys(roleTable) as [Role, ...Role[]];

/**
 * Weakest role that may read evidence, recording files and what-if results. Weaker roles see positions of pilots only
 * if a setting permits it.
 */
export const fullReader: Role = 'operator';

export function isAtLeast(held: Role, wanted: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(wanted);
}

export function mayWrite(role: Role): boolean {
  return roleTable[role].writes;
}

/**
 * Originator of an action in the audit log. The type `open` means a client without a sign-in, identified only by its
 * address.
 */
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
