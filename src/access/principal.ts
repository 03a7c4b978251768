import { type Actor, isAtLeast, mayWrite, type Role } from '../model/actor.ts';
import { Fault, forbidden } from '../model/fault.ts';

/** Sender of a request, with its permissions. */
export type Principal = {
  actor: Actor;
  /**
   * Role in the workspace of the request; for a session without a workspace, the person's highest role in any
   * workspace.
   */
  role: Role;
  /** Workspace of the request; null if the request names no workspace. Only few routes allow this. */
  workspaceId: string | null;
  /**
   * User id of a signed-in person; null for keys and the open surface. Approvals compare it, so that one person cannot
   * approve twice.
   */
  userId: string | null;
  /**
   * Mark of the user's password when the request was identified; null for keys and the open surface. A new password has
   * another mark.
   */
  passwordMark: string | null;
  /** API key of the request, else null. `mayCommand` is true if the key may send movement commands. */
  key: { id: string; mayCommand: boolean } | null;
};

/** Refuses callers whose role may not use a route; `what` is the route's summary. */
export function requireRole(by: Principal, role: Role, write: boolean, what: string): void {
  const isReadOnly = write && !mayWrite(by.role);
  if (isAtLeast(by.role, role) && !isReadOnly) return;
  const who = by.actor.type === 'open' ? 'the open surface' : `${by.actor.type} ${by.actor.name}`;
  const sentence = `${who} has the role ${by.role}; '${what}' needs the role ${role}`;
  throw new Fault(isReadOnly ? 'read_only' : 'forbidden', sentence);
}

/** Refuses callers without the session of a person; `what` is the route's summary. */
export function requireSession({ userId, key }: Principal, what: string): void {
  if (userId !== null) return;
  if (key)
    throw forbidden(
      `'${what}' needs a person who has signed in with POST /api/auth/sign-in; an API key is not accepted`,
    );
  throw new Fault(
    'unauthenticated',
    `'${what}' needs a person who has signed in with POST /api/auth/sign-in; 'dunlin user add' on the box creates a user`,
  );
}
