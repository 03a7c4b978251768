import { z } from 'zod';

/** What a member of a workspace may do: read, work, or own it. */
export const roles = ['viewer', 'operator', 'owner'] as const;
export type Role = (typeof roles)[number];

const ranks: Record<Role, number> = { viewer: 0, operator: 1, owner: 2 };

export function isAtLeast(held: Role, wanted: Role): boolean {
  return ranks[held] >= ranks[wanted];
}

/** Who did something, as the audit log names it. `open` is whoever may use the open surface, known by address alone. */
export const actorSchema = z
  .strictObject({
    type: z.enum(['user', 'key', 'open', 'system', 'rule']),
    id: z.string(),
    name: z.string(),
    address: z.string().nullable(),
  })
  .meta({ id: 'Actor' });
export type Actor = z.infer<typeof actorSchema>;

export const systemActor: Actor = { type: 'system', id: 'dunlin', name: 'dunlin', address: null };

/** An actor in one word, as `created_by` and `updated_by` carry it: `user:anna`, `key:radar-feed`, `open:10.0.0.7`. */
export function actorLabel({ type, name }: Actor): string {
  return type === 'system' ? 'system' : `${type}:${name}`;
}
