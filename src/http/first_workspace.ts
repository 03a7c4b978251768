import type { Principal } from '../access/principal.ts';
import type { Role } from '../model/actor.ts';
import { forbidden } from '../model/fault.ts';
import type { Room } from './route.ts';

type Box = Pick<Room, 'access' | 'workspaces'>;

/**
 * Refuses callers who are not members of the first workspace, which administers the box. With `owner`, callers must own
 * it. `what` begins the sentence of the refusal.
 */
export function requireFirst(by: Principal, box: Box, owner: boolean, what: string): void {
  const role = roleInFirst(by, box);
  if (role === 'owner' || (role !== null && !owner)) return;
  const whom = owner ? 'an owner' : 'a member';
  throw forbidden(`${what} the whole box: it takes ${whom} of its first workspace`);
}

/** The caller's role in the first workspace, whichever workspace the request names; null for callers who are not members. */
function roleInFirst({ workspaceId, role, userId }: Principal, { access, workspaces }: Box): Role | null {
  const { id } = workspaces.first;
  if (workspaceId === id) return role;
  if (userId === null) return null;
  return access.workspaces.ofUser(userId).find((membership) => membership.id === id)?.role ?? null;
}
