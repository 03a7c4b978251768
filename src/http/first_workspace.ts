import type { Principal } from '../access/principal.ts';
import type { Role } from '../model/actor.ts';
import { forbidden } from '../model/fault.ts';
import type { Room } from './route.ts';

type Box = Pick<Room, 'access' | 'workspaces'>;

/**
 * Refuses callers who are not members of the first workspace, which administers the box. If `owner` is true, callers
 * must own that workspace. `what` begins the sentence of the refusal, for example `maps belong to`.
 */
export function requireFirst(by: Principal, box: Box, owner: boolean, what: string): void {
  const role = roleInFirst(by, box);
  if (role === 'owner' || (role !== null && !owner)) return;
  const whom = owner ? 'an owner' : 'a member';
  throw forbidden(`${what} the whole box: only ${whom} of its first workspace may do this`);
}

/**
 * Returns the caller's role in the first workspace, whichever workspace the request names. Null if the caller is not a
 * member of it.
 */
function roleInFirst({ workspaceId, role, userId }: Principal, { access, workspaces }: Box): Role | null {
  const { id } = workspaces.first;
  if (workspaceId === id) return role;
  if (userId === null) return null;
  return access.workspaces.ofUser(userId).find((membership) => membership.id === id)?.role ?? null;
}
